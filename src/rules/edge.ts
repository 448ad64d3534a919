import { marketNamed } from './markets/index.ts';
import type { MoneylineWays } from './markets/market.ts';
import { decimalOf } from './odds.ts';
import { scaleRoundedBig } from './rounding.ts';

/** The way the margin is taken out of the closing prices. */
export const edgeMethod = 'multiplicative';

export interface SidePrice {
  side: string;
  oddsAmerican: number;
}

/**
 * The expected value of the posted price against the no-vig closing probability, in percent with 2 decimals:
 * `100 * (decimalPosted * pFair - 1)`, exactly rounded, halves away from zero.
 *
 * `null` where the line moved, where a side of the pick's contest has no closing price, and in markets that are not
 * declared, since their sides are not known.
 *
 * @param closing the closing prices at one line, and whether that is the line of the pick
 */
export function edgePct(
  pick: { market: string; side: string; oddsAmerican: number; moneylineWays: MoneylineWays },
  closing: { prices: readonly SidePrice[]; sameLine: boolean },
): number | null {
  const contests = marketNamed(pick.market)?.contests(pick.moneylineWays) ?? [];
  const sides = contests.find((contest) => contest.includes(pick.side));
  if (sides === undefined || !closing.sameLine) return null;
  const prices = closing.prices.filter(({ side }) => sides.includes(side));
  if (prices.length !== sides.length) return null;
  const fair = fairProbability(prices, pick.side);
  if (fair === null) return null;
  const posted = decimalOf(pick.oddsAmerican);
  const base = BigInt(posted.den) * fair.den;
  return scaleRoundedBig(BigInt(posted.num) * fair.num - base, base, 10_000n) / 100;
}

/**
 * The exact no-vig probability of one side by the multiplicative method: its implied probability over the sum of all sides'.
 * `prices` must hold every side of the market once; `null` where the side itself is not among them. Pushes on whole
 * lines are ignored.
 */
export function fairProbability(
  prices: readonly SidePrice[],
  side: string,
): { num: bigint; den: bigint } | null {
  const own = prices.findIndex((price) => price.side === side);
  if (own === -1) return null;
  const decimals = prices.map((price) => decimalOf(price.oddsAmerican));
  // Over the product of all numerators: each side's implied probability is den times every other side's num.
  const weights = decimals.map(({ den }, index) =>
    decimals.reduce(
      (product, { num }, other) => (other === index ? product : product * BigInt(num)),
      BigInt(den),
    ),
  );
  return { num: weights[own]!, den: weights.reduce((sum, weight) => sum + weight, 0n) };
}
