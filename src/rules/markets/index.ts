import { firstHalfMoneyline, firstHalfSpread, firstHalfTotal } from './first-half.ts';
import type { Market, MoneylineWays, ScoreName } from './market.ts';
import { moneyline } from './moneyline.ts';
import { type PlayerMarket, playerMarkets } from './player-markets.ts';
import { spread } from './spread.ts';
import { teamTotal } from './team-total.ts';
import { total } from './total.ts';

/** The declared markets of games, in display order. */
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

/** Returns the market that any sport declares under a name, or undefined. */
export function marketNamed(name: string): Market | PlayerMarket | undefined {
  return byName.get(name);
}

/** Returns the market that a sport declares under a name. Player markets differ by sport. */
export function marketIn(sport: string, name: string): Market | PlayerMarket | undefined {
  const declared = byName.get(name);
  if (declared?.sports === undefined) return declared;
  const has =
    declared.gradedBy === 'stat' ? Object.hasOwn(declared.sports, sport) : declared.sports.includes(sport);
  return has ? declared : undefined;
}

/** Returns the sides of a declared market; `null` for an undeclared market, whose sides can be any slugs. */
export function marketSides(name: string, ways: MoneylineWays): readonly string[] | null {
  return byName.get(name)?.contests(ways).flat() ?? null;
}

/** Returns the index of the contest that a side belongs to. It is 0 for every side of an undeclared market, and for unknown sides. */
export function contestOf(name: string, side: string): number {
  // The draw only extends the moneyline's single contest, so the number of ways does not matter.
  const contests = byName.get(name)?.contests(3) ?? [];
  return Math.max(
    0,
    contests.findIndex((sides) => sides.includes(side)),
  );
}

/** Reports whether two sides of a market bet against each other. */
export function opposes(market: string, side: string, other: string): boolean {
  return side !== other && contestOf(market, side) === contestOf(market, other);
}

/** Returns `market/side` of every side that a score grades, for SQL comparisons with picks. */
export function sidesGradedBy(score: ScoreName): string[] {
  return markets
    .filter(({ gradedBy }) => gradedBy === score)
    .flatMap(({ name, contests }) => contests(3).flatMap((sides) => sides.map((side) => `${name}/${side}`)));
}
