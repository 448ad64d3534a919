import type { ResultRow } from '../intake/result.ts';
import type { StatsRow } from '../intake/stats.ts';
import { iso } from '../platform/clock.ts';
import { type Contest, twoSided } from './outcome.ts';
import { normal, type Random, whole } from './random.ts';
import type { GameName, Timed } from './rows.ts';
import { type DemoProp, type DemoSport, playersOf } from './sports.ts';

export interface Extras {
  contests: Contest[];
  stats: Timed<StatsRow>[];
  results: Timed<ResultRow>[];
  labels: Map<string, string>;
}

interface Game {
  name: GameName;
  home: string;
  away: string;
  finalAt: number;
}

/** Adds player props to some games, graded by box scores, and corners to some soccer games, graded by results. */
export function extrasOf(sport: DemoSport, { name, home, away, finalAt }: Game, random: Random): Extras {
  const extras: Extras = { contests: [], stats: [], results: [], labels: new Map() };
  if (sport.key === 'soccer' && random() < 0.2) addCorners(extras, name, finalAt, random);
  if (sport.props.length === 0 || random() > 0.4) return extras;
  for (const team of [home, away]) {
    const [player] = playersOf(sport, team);
    const values: Record<string, number> = {};
    for (const prop of sport.props) {
      const { contest, value } = propOn(prop, player, random);
      // The box score also has statistics that no book prices.
      values[prop.stat] = value;
      if (random() < 0.5) continue;
      extras.contests.push(contest);
      extras.labels.set(prop.market, prop.label);
    }
    const played = random() > 0.04;
    extras.stats.push({
      at: finalAt,
      row: {
        ...name,
        player,
        played,
        finalAt: iso(finalAt),
        ...(played ? { ...sport.appearance, ...values } : {}),
      },
    });
  }
  return extras;
}

function propOn(
  { market, line: usual }: DemoProp,
  player: string,
  random: Random,
): { contest: Contest; value: number } {
  const scatter = Math.max(1, usual * 0.3);
  const line = Math.max(0, Math.round(usual + normal(random) * usual * 0.12) - 0.5) || 0.5;
  const over = 0.5 + normal(random) * 0.03;
  const isOver = random() < over;
  const by = Math.floor(Math.abs(normal(random)) * scatter);
  const value = isOver ? line + 0.5 + by : Math.max(0, line - 0.5 - by);
  return { contest: twoSided(market, ['over', 'under'], over, [line, line], player), value };
}

function addCorners({ contests, results, labels }: Extras, name: GameName, finalAt: number, random: Random) {
  const line = whole(random, 8, 11) + 0.5;
  const over = 0.5 + normal(random) * 0.03;
  const corners = twoSided('corners', ['over', 'under'], over, [line, line], 'Both teams');
  const won = random() < over ? 'over' : 'under';
  contests.push(corners);
  labels.set('corners', 'corners');
  for (const { side } of corners.sides)
    results.push({
      at: finalAt,
      row: {
        ...name,
        market: 'corners',
        subject: corners.subject,
        side,
        line,
        result: side === won ? 'win' : 'loss',
        finalAt: iso(finalAt),
      },
    });
}
