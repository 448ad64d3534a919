import { firstHalfMoneyline } from './first-half-moneyline.ts';
import { firstHalfSpread } from './first-half-spread.ts';
import { firstHalfTotal } from './first-half-total.ts';
import type { Market, MoneylineWays, ScoreName } from './market.ts';
import { moneyline } from './moneyline.ts';
import { type PlayerMarket, playerMarkets } from './player-markets.ts';
import { spread } from './spread.ts';
import { teamTotal } from './team-total.ts';
import { total } from './total.ts';

/** The declared markets of games, in the order in which people are shown them. */
export const markets: readonly Market[] = [
  moneyline,
  spread,
  total,
  teamTotal,
  firstHalfMoneyline,
  firstHalfSpread,
  firstHalfTotal,
];

const byName: ReadonlyMap<string, Market | PlayerMarket> = new Map(
  [...markets, ...playerMarkets].map((market) => [market.name, market]),
);

/** The market that some sport declares under a name; undefined for any other slug. */
export function marketNamed(name: string): Market | PlayerMarket | undefined {
  return byName.get(name);
}

/** The market that a sport declares under a name: of player markets, each sport has its own. */
export function marketIn(sport: string, name: string): Market | PlayerMarket | undefined {
  const declared = byName.get(name);
  return declared?.gradedBy === 'stat' && declared.sports[sport] === undefined ? undefined : declared;
}

/** The sides of a declared market; `null` for any other market, whose sides are slugs of its selections. */
export function marketSides(name: string, ways: MoneylineWays): readonly string[] | null {
  return byName.get(name)?.contests(ways).flat() ?? null;
}

/**
 * Which contest of its market a side belongs to, by number. Every side of an undeclared market, and every side that a
 * market does not have, is of contest 0.
 */
export function contestOf(name: string, side: string): number {
  // Whether a draw is a side changes no contest but the moneyline's only one.
  const contests = byName.get(name)?.contests(3) ?? [];
  return Math.max(
    0,
    contests.findIndex((sides) => sides.includes(side)),
  );
}

/** Whether two sides of one market bet against each other. */
export function opposes(market: string, side: string, other: string): boolean {
  return side !== other && contestOf(market, side) === contestOf(market, other);
}

/** `market/side` of every side that a score grades: what SQL compares picks with. */
export function sidesGradedBy(score: ScoreName): string[] {
  return markets
    .filter(({ gradedBy }) => gradedBy === score)
    .flatMap(({ name, contests }) => contests(3).flatMap((sides) => sides.map((side) => `${name}/${side}`)));
}
