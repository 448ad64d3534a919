import { marketNamed, markets } from './markets/index.ts';
import type { ScoreName } from './markets/market.ts';

/**
 * Sports whose score is not in the unit of every line (docs/rules/grading.md#units): the score that grades each market there. A market
 * that is missing is graded by result events.
 */
const otherUnits: Readonly<Record<string, Readonly<Record<string, ScoreName>>>> = {
  // The score is in sets, lines are in games.
  tennis: { moneyline: 'final', spread: 'sets', total: 'sets', team_total: 'sets' },
  // The score says who won, lines are in rounds.
  mma: { moneyline: 'final' },
};

/** The score that grades a market in a sport; null where none does. */
export function gradingScoreName(market: string, sport: string): ScoreName | null {
  const own = otherUnits[sport];
  if (own !== undefined) return own[market] ?? null;
  const gradedBy = marketNamed(market)?.gradedBy;
  return gradedBy === undefined || gradedBy === 'stat' ? null : gradedBy;
}

const pairs = Object.keys(otherUnits).flatMap((sport) =>
  markets.map(({ name }) => ({ pair: `${sport}/${name}`, score: gradingScoreName(name, sport) })),
);

/** `sport/market` of what the games of sets grade: what SQL compares picks with. */
export const setMarkets = pairs.filter(({ score }) => score === 'sets').map(({ pair }) => pair);

/** `sport/market` of declared markets that no score grades in that sport. */
export const unscoredMarkets = pairs.filter(({ score }) => score === null).map(({ pair }) => pair);
