import { marketNamed, marketSides } from './markets/index.ts';
import type { MoneylineWays } from './markets/market.ts';

/** A side of a market, at a line. */
export interface Selection {
  market: string;
  side: string;
  /** In thousandths of a point. */
  lineE3: number | null;
}

/** Returns why a declared market does not have a selection, as a clause; undefined if it does, or if the market is not declared. */
export function selectionFault(
  { market, side, lineE3 }: Selection,
  sport: string,
  moneylineWays: MoneylineWays,
): string | undefined {
  const declared = marketNamed(market);
  if (declared === undefined) return undefined;
  const sides = marketSides(market, moneylineWays)!;
  if (!sides.includes(side)) return `a ${market} in ${sport} has the sides ${sides.join(', ')}, not ${side}`;
  if (declared.line === null && lineE3 !== null) return `a ${market} has no line`;
  if (declared.line !== null && lineE3 === null) return `a ${market} needs a line`;
  return undefined;
}
