import { teamsOf } from '../../games/names/teams.ts';
import { readFixture } from '../../games/names/title.ts';
import { etDay } from '../../rules/et-day.ts';
import type { BoardContext } from '../context.ts';
import { playerPath, playersNamed } from '../entities/players.ts';
import { teamPath } from '../entities/teams.ts';
import { marketName, sportTag } from '../formats/pick-text.ts';
import type { gamesNamed } from './named.ts';
import type { FoundPage, Topics } from './topics.ts';
import { nameQuery, wordsOf } from './words.ts';

/** Maximum number of players, and of teams. */
const most = 5;

type NamedGame = Awaited<ReturnType<typeof gamesNamed>>[number];

/** Returns the pages of today's games, players, and teams that a name means. @param games those that the name finds */
export async function entityPages(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  { sports, market, asked }: Topics,
  name: string,
  games: readonly NamedGame[],
): Promise<FoundPage[]> {
  const query = name === '' ? undefined : await nameQuery(database, name);
  if (query === undefined) return [];
  const isMeant = ({ sport }: { sport: string }) => sports.length === 0 || sports.includes(sport);
  const players = (await playersNamed(database, query)).filter(isMeant).slice(0, most);
  const teams = teamsIn(games.filter(isMeant), name).slice(0, most);
  const today = games.filter(
    ({ startsAt, day }) => (startsAt === null ? day : etDay(Date.parse(startsAt))) === etDay(now),
  );
  return [
    ...(asked.has('day') ? today.slice(0, most) : []).map(({ id, sport, game }) => ({
      title: `${game} today (${sportTag(sport)})`,
      path: `/game/${id}`,
    })),
    ...players.map((player) => ({
      title: `${player.name} (${sportTag(player.sport)})${market === undefined ? '' : `: ${marketName(market)}`}`,
      path: `${playerPath(player)}${market === undefined ? '' : `#${market}`}`,
    })),
    ...teams.map((team) => ({
      title: `${team.name} (${sportTag(team.sport)}): games, picks, and record`,
      path: teamPath(team),
    })),
  ];
}

/** Returns the opponents of games that have all words of a name, or have it as another name. */
function teamsIn(games: readonly NamedGame[], name: string): { sport: string; name: string }[] {
  const asked = wordsOf(name);
  const found = games.flatMap(({ sport, game }) => {
    const fixture = readFixture(game, sport);
    const teams = teamsOf(sport);
    return (fixture === undefined ? [] : [fixture.away, fixture.home])
      .filter((side) => {
        const words = wordsOf(side);
        const hasAll = asked.every((word) =>
          words.some((known) => (word.length === 1 ? known === word : known.startsWith(word))),
        );
        return hasAll || teams.keyOf(side) === teams.keyOf(name);
      })
      .map((side): [string, { sport: string; name: string }] => [
        `${sport}/${teams.keyOf(side)}`,
        { sport, name: side },
      ]);
  });
  return [...new Map(found).values()];
}
