import { mainLine, marketLine, type Snapshot, sideLine } from './closing-snapshot.ts';
import { lineFromE3 } from './fixed-point.ts';
import { chanceAtLine } from './margin-model.ts';
import { marketIn, marketNamed, marketSides } from './markets/index.ts';
import type { MoneylineWays } from './markets/market.ts';
import { decimalOf } from './odds.ts';
import { scaleRounded } from './rounding.ts';

/**
 * How the fair probability was computed: `power` from the closing prices at the pick's own line, or `margin_model` from those at a main
 * line, carried over by a model of the sport's scores. The words are in the export, so they never change.
 */
export const edgeMethods = ['power', 'margin_model'] as const;
export type EdgeMethod = (typeof edgeMethods)[number];

/** The fair probability of a pick at the close: the median of the books that have the whole market. */
export interface FairClose {
  /** In billionths, so that anyone computes the same edge from it. */
  chanceE9: number;
  method: EdgeMethod;
  books: number;
}

export interface SidePrice {
  side: string;
  oddsAmerican: number;
}

/** The fields of a pick that its fair probability depends on. The book that it names is none of them: nobody chooses the benchmark. */
export interface EdgePick {
  sport: string;
  market: string;
  side: string;
  lineE3: number | null;
  moneylineWays: MoneylineWays;
}

/**
 * Returns the fair probability of a pick at the close (docs/rules/edge.md): of the books with the whole market at its own line, or else of
 * those at whose main line a model of the sport starts. `null` if there is neither, and for undeclared markets, whose sides are unknown.
 * @param snapshots the books' closing snapshots of the pick's game, market, and subject
 */
export function fairClose(pick: EdgePick, snapshots: Iterable<Snapshot>): FairClose | null {
  const { sport, market, side, lineE3 } = pick;
  const contests = marketIn(sport, market)?.contests(pick.moneylineWays) ?? [];
  const sides = contests.find((contest) => contest.includes(side));
  if (sides === undefined) return null;
  const all = [...snapshots];
  const chancesAt = (lineOf: (snapshot: Snapshot) => number | null | undefined) =>
    all.flatMap((snapshot) => {
      const line = lineOf(snapshot);
      const prices = line === undefined ? undefined : snapshot.lines.get(line);
      const priced = sides.flatMap((each) => {
        const oddsAmerican = prices?.get(each);
        return oddsAmerican === undefined ? [] : { side: each, oddsAmerican };
      });
      const chance = priced.length === sides.length ? fairChance(priced, side) : null;
      return chance === null ? [] : { line: line!, chance };
    });
  const own = chancesAt(() => marketLine(market, side, lineE3)).map(({ chance }) => chance);
  if (own.length > 0) return medianOf(own, 'power');
  if (lineE3 === null) return null;
  const carried = chancesAt((snapshot) => mainLine(market, snapshot, side)).flatMap(
    ({ line, chance }) =>
      chanceAtLine(sport, { market, side }, { lineE3: sideLine(market, side, line)!, chance }, lineE3) ?? [],
  );
  return carried.length === 0 ? null : medianOf(carried, 'margin_model');
}

/** Returns the expected value of odds at a fair probability: `10000 * (decimal * chance - 1)`, rounded half away from zero. */
export function edgeBps(oddsAmerican: number, chanceE9: number): number {
  const { num, den } = decimalOf(oddsAmerican);
  const whole = den * 1_000_000_000;
  return scaleRounded(num * chanceE9 - whole, whole, 10_000);
}

/**
 * Returns the fair probability of a side by the power method: its implied probability to the power at which all sides' sum to 1. `null`
 * without a margin: such prices are a mistake, or no offer to the public. Ignores pushes on whole lines and returned halves of quarter lines.
 * @param prices every side of the market once
 */
export function fairChance(prices: readonly SidePrice[], side: string): number | null {
  const decimals = prices.map(({ oddsAmerican }) => decimalOf(oddsAmerican));
  const product = decimals.reduce((all, { num }) => all * BigInt(num), 1n);
  const implied = decimals.reduce((sum, { num, den }) => sum + (product / BigInt(num)) * BigInt(den), 0n);
  if (implied <= product) return null;
  const chances = decimals.map(({ num, den }) => den / num);
  const sumAt = (power: number) => chances.reduce((sum, chance) => sum + chance ** power, 0);
  let [low, high] = [1, 2];
  while (sumAt(high) > 1) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (sumAt(middle) > 1) low = middle;
    else high = middle;
  }
  const own = chances[prices.findIndex((price) => price.side === side)]!;
  return own ** high / sumAt(high);
}

function medianOf(chances: readonly number[], method: EdgeMethod): FairClose {
  const sorted = chances.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1]!;
  const median = sorted.length % 2 === 1 ? upper : (sorted[(sorted.length >> 1) - 1]! + upper) / 2;
  return { chanceE9: Math.round(median * 1e9), method, books: chances.length };
}

/**
 * Returns how far the line moved from posting to closing, in points, positive for the bettor: +3.5 posted against +2.5 closing is 1, and
 * over 8.5 against 9 is 0.5.
 *
 * `null` without both lines, and if the better direction is unknown. In an undeclared market only `over` and `under` have one.
 *
 * @param postedE3 the side's line at posting, in thousandths
 * @param closingE3 the same side's closing line, in thousandths
 */
export function lineMove(
  market: string,
  side: string,
  postedE3: number | null,
  closingE3: number | null,
): number | null {
  if (postedE3 === null || closingE3 === null) return null;
  switch (betterLine(market, side)) {
    case 1:
      return lineFromE3(postedE3 - closingE3);
    case -1:
      return lineFromE3(closingE3 - postedE3);
    default:
      return null;
  }
}

function betterLine(market: string, side: string): 1 | -1 | null {
  if (marketSides(market, 3)?.includes(side) === true) return marketNamed(market)?.line?.better(side) ?? null;
  if (side === 'over') return -1;
  return side === 'under' ? 1 : null;
}
