import { chanceAtLine } from './margin-model.ts';
import { marketIn } from './markets/index.ts';
import type { MoneylineWays } from './markets/market.ts';
import { decimalOf } from './odds.ts';
import { scaleRoundedBig, shownFloat } from './rounding.ts';

/**
 * How the fair probability was computed: `multiplicative` from the closing prices at the pick's own line, or `margin_model` from those at a
 * moved line, carried over by a model of the sport's scores.
 */
type EdgeMethod = 'multiplicative' | 'margin_model';

export interface Edge {
  /** In basis points, like CLV. */
  bps: number;
  method: EdgeMethod;
}

export interface SidePrice {
  side: string;
  oddsAmerican: number;
}

/** The fields of a pick that an edge depends on. */
export interface EdgePick {
  sport: string;
  market: string;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  moneylineWays: MoneylineWays;
}

/**
 * Returns the expected value of the posted odds at the fair closing probability: `10000 * (decimalPosted * pFair - 1)`, rounded half away
 * from zero. The multiplicative method is exact (docs/rules/edge.md).
 *
 * `null` if a side of the pick's contest has no closing price, for undeclared markets, whose sides are unknown, and if the line moved in a
 * sport or market without a model.
 *
 * @param closing the closing prices at one line, and that line as the pick's side has it
 */
export function edgeOf(
  pick: EdgePick,
  closing: { lineE3: number | null; prices: readonly SidePrice[] },
): Edge | null {
  const contests = marketIn(pick.sport, pick.market)?.contests(pick.moneylineWays) ?? [];
  const sides = contests.find((contest) => contest.includes(pick.side));
  if (sides === undefined) return null;
  const prices = closing.prices.filter(({ side }) => sides.includes(side));
  if (prices.length !== sides.length) return null;
  const fair = fairProbability(prices, pick.side);
  if (fair === null) return null;
  const posted = decimalOf(pick.oddsAmerican);
  if (closing.lineE3 === pick.lineE3) {
    const base = BigInt(posted.den) * fair.den;
    const bps = scaleRoundedBig(BigInt(posted.num) * fair.num - base, base, 10_000n);
    return { bps, method: 'multiplicative' };
  }
  if (closing.lineE3 === null || pick.lineE3 === null) return null;
  const chance = chanceAtLine(
    pick.sport,
    pick,
    { lineE3: closing.lineE3, chance: Number(fair.num) / Number(fair.den) },
    pick.lineE3,
  );
  if (chance === null) return null;
  return { bps: shownFloat(10_000 * ((posted.num / posted.den) * chance - 1), 0), method: 'margin_model' };
}

/**
 * Returns the exact fair probability of a side by the multiplicative method: its implied probability over the sum of all sides'. Ignores
 * pushes on whole lines and the returned halves of quarter lines.
 * @param prices every side of the market once
 * @returns `null` if the side is not among them
 */
export function fairProbability(
  prices: readonly SidePrice[],
  side: string,
): { num: bigint; den: bigint } | null {
  const own = prices.findIndex((price) => price.side === side);
  if (own === -1) return null;
  const decimals = prices.map((price) => decimalOf(price.oddsAmerican));
  // With the product of all numerators as the common denominator, each side's implied probability is its `den` times the other sides'
  // `num`.
  const weights = decimals.map(({ den }, index) =>
    decimals.reduce(
      (product, { num }, other) => (other === index ? product : product * BigInt(num)),
      BigInt(den),
    ),
  );
  return { num: weights[own]!, den: weights.reduce((sum, weight) => sum + weight, 0n) };
}
