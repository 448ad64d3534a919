import { type Price, snapshotsOf } from './closing.ts';
import { compare, decimalOdds } from './fraction.ts';

const MINUTE = 60_000;

export const DELAYS = [5, 15, 60];

interface Posted {
  side: string;
  lineE3: number | null;
  postedAt: number;
}

/** The best price of a bet in what each book showed first, from `delay` to `delay` + 15 minutes after posting and before the start. */
export function priceAfter(
  bet: Posted,
  start: number | null,
  prices: Price[],
  delay: number,
): { oddsAmerican: number; book: string; capturedAt: number } | null {
  if (start === null) return null;
  const found = [...new Set(prices.map((price) => price.book))].sort().flatMap((book) => {
    const since = bet.postedAt + delay * MINUTE;
    const seen = snapshotsOf(prices, book).find((snapshot) => snapshot[0]!.capturedAt >= since);
    if (!seen || seen[0]!.capturedAt > since + 15 * MINUTE || seen[0]!.capturedAt >= start) return [];
    return seen
      .filter((price) => price.side === bet.side && price.lineE3 === bet.lineE3)
      .sort(
        (a, b) =>
          compare(decimalOdds(a.oddsAmerican), decimalOdds(b.oddsAmerican)) ||
          a.oddsAmerican - b.oddsAmerican,
      )
      .slice(0, 1);
  });
  const best = found.sort((a, b) => compare(decimalOdds(b.oddsAmerican), decimalOdds(a.oddsAmerican)))[0];
  return best ? { oddsAmerican: best.oddsAmerican, book: best.book, capturedAt: best.capturedAt } : null;
}
