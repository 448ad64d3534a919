import { chanceAtLine } from './margin-model.ts';
import { marketIn } from './markets/index.ts';
import type { MoneylineWays } from './markets/market.ts';
import { decimalOf } from './odds.ts';
import { scaleRoundedBig, shownFloat } from './rounding.ts';

/**
 * How the fair probability was found: the margin taken out of the closing prices of the pick's own line, or, where the line moved, that
 * of the closing line carried over to it by a model of the sport's scores.
 */
type EdgeMethod = 'multiplicative' | 'margin_model';

export interface Edge {
  /** Hundredths of a percent, as CLV has them. */
  bps: number;
  method: EdgeMethod;
}

export interface SidePrice {
  side: string;
  oddsAmerican: number;
}

/** What an edge is computed of, from the pick. */
export interface EdgePick {
  sport: string;
  market: string;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  moneylineWays: MoneylineWays;
}

/**
 * The expected value of the posted price against the no-vig closing probability: `10000 * (decimalPosted * pFair - 1)`, rounded, halves
 * away from zero; exactly by the multiplicative method (docs/rules/edge.md).
 *
 * `null` where a side of the pick's contest has no closing price, in markets that are not declared, since their sides are not known, and
 * where the line moved in a sport or market without a model.
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
 * The exact no-vig probability of one side by the multiplicative method: its implied probability over the sum of all sides'.
 * `prices` must hold every side of the market once; `null` where the side itself is not among them. Pushes on whole
 * lines, and halves of quarter lines that push, are ignored.
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
