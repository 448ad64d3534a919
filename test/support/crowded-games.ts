import { oneOf, randomOf, whole } from '../../src/demo/random.ts';
import type { Season } from './season.ts';

const start = Date.parse('2024-03-01T18:00:00Z');
const hour = 3_600_000;

/**
 * A few games on which few cappers have many picks, more than one often on two sides of a market. The same each time.
 * @param picks of each capper
 * @param instants whether those of a capper's picks rise, or are in no order
 */
export function crowdedGames(
  cappers: number,
  games: number,
  picks: number,
  instants: 'rising' | 'in no order' = 'in no order',
): Season {
  const random = randomOf(`${cappers} ${games} ${picks}`);
  const rows: Season = { cappers: [], games: [], lines: [], picks: [] };
  const name = (game: number) => ({
    ...{ sport: 'nba', game: `Crowd ${game} @ Ground ${game}` },
    startsAt: new Date(start + game * hour).toISOString(),
  });
  for (let game = 0; game < games; game += 1)
    rows.games.push({
      ...name(game),
      ...{ status: 'final', homeScore: 100 + (game % 7), awayScore: 95 + (game % 11) },
    });
  for (let capper = 0; capper < cappers; capper += 1) {
    const capperHandle = `crowd-${capper}`;
    rows.cappers.push({ handle: capperHandle, tier: 'listed', verified: true });
    for (let pick = 0; pick < picks; pick += 1) {
      const market = oneOf(random, ['moneyline', 'spread', 'total', 'first-scorer']);
      const sides = { total: ['over', 'under'], 'first-scorer': ['yes', 'no'] }[market];
      rows.picks.push({
        ...{ capperHandle, ...name(whole(random, 0, games - 1)), market },
        ...(market === 'first-scorer' ? { subject: oneOf(random, ['Ada L.', 'Rory Finch / Otters']) } : {}),
        ...{ side: oneOf(random, sides ?? ['home', 'away']), pick: `pick ${pick} of ${capper}` },
        ...(market === 'total' || market === 'spread' ? { line: 5 } : {}),
        ...{ oddsAmerican: -110, stakeUnits: 1, book: 'north' },
        postedAt: new Date(
          start - (instants === 'rising' ? picks - pick : whole(random, 1, 40)) * 60_000,
        ).toISOString(),
      });
    }
  }
  return rows;
}
