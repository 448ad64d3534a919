import { firstHalfMoneyline } from './first-half-moneyline.ts';
import { firstHalfSpread } from './first-half-spread.ts';
import { firstHalfTotal } from './first-half-total.ts';
import type { Market, MoneylineWays, ScoreName } from './market.ts';
import { moneyline } from './moneyline.ts';
import { spread } from './spread.ts';
import { teamTotal } from './team-total.ts';
import { total } from './total.ts';

/** The declared markets, in the order in which people are shown them. */
export const markets: readonly Market[] = [
  moneyline,
  spread,
  total,
  teamTotal,
  firstHalfMoneyline,
  firstHalfSpread,
  firstHalfTotal,
];

const byName: ReadonlyMap<string, Market> = new Map(markets.map((market) => [market.name, market]));

/** A declared market; undefined for any other slug. */
export function marketNamed(name: string): Market | undefined {
  return byName.get(name);
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
