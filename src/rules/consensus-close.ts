import { marketLine, type Snapshot } from './closing-snapshot.ts';
import { type EdgePick, fairProbability } from './edge.ts';
import { marketIn } from './markets/index.ts';
import { decimalOf } from './odds.ts';
import { shownFloat } from './rounding.ts';

/** The consensus of several books about a pick at the close. */
export interface ConsensusClose {
  /** Number of books that priced every side at the pick's line. */
  books: number;
  /** The median of their fair probabilities, in percent with 2 decimals. */
  fairPct: number;
  /** The expected value of the posted odds at that probability, in percent with 2 decimals. */
  edgePct: number;
}

/**
 * Returns the consensus of closing snapshots: the median of the books' fair probabilities, each computed by the multiplicative method. The
 * median keeps a single outlier from counting (docs/rules/edge.md#consensus-close). `null` if no book priced every side at the pick's line,
 * and for undeclared markets.
 */
export function consensusClose(pick: EdgePick, snapshots: Iterable<Snapshot>): ConsensusClose | null {
  const contests = marketIn(pick.sport, pick.market)?.contests(pick.moneylineWays) ?? [];
  const sides = contests.find((contest) => contest.includes(pick.side));
  if (sides === undefined) return null;
  const line = marketLine(pick.market, pick.side, pick.lineE3);
  const chances = [...snapshots].flatMap(({ lines }) => {
    const prices = sides.flatMap((side) => {
      const oddsAmerican = lines.get(line)?.get(side);
      return oddsAmerican === undefined ? [] : { side, oddsAmerican };
    });
    const fair = prices.length === sides.length ? fairProbability(prices, pick.side) : null;
    return fair === null ? [] : Number(fair.num) / Number(fair.den);
  });
  if (chances.length === 0) return null;
  const chance = medianOf(chances);
  const { num, den } = decimalOf(pick.oddsAmerican);
  return {
    books: chances.length,
    fairPct: shownFloat(100 * chance, 2),
    edgePct: shownFloat(100 * ((num / den) * chance - 1), 2),
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1]!;
  return sorted.length % 2 === 1 ? upper : (sorted[(sorted.length >> 1) - 1]! + upper) / 2;
}
