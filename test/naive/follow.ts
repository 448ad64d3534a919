import { clvBps, edgeAt, type Price, snapshotsOf } from './closing.ts';
import { compare, decimalOdds, decimals, fraction } from './fraction.ts';
import { netUnitsE4 } from './grading.ts';
import type { LedgerPick, LedgerState } from './ledger.ts';
import type { Query } from './query.ts';
import { counting, recordOf, settledIn } from './record.ts';

const MINUTE = 60_000;

export const DELAYS = [5, 15, 60];

interface Posted {
  side: string;
  lineE3: number | null;
  postedAt: number;
}

export interface FoundPrice {
  oddsAmerican: number;
  book: string;
  capturedAt: number;
}

/** Returns the best price of a bet among each book's first from `delay` to `delay` + 15 minutes after posting and before the start. */
export function priceAfter(
  bet: Posted,
  start: number | null,
  prices: Price[],
  delay: number,
): FoundPrice | 'missed' | null {
  if (start === null) return null;
  const since = bet.postedAt + delay * MINUTE;
  if (since >= start) return 'missed';
  const inTime = prices.some(
    ({ capturedAt }) => capturedAt >= since && capturedAt <= since + 15 * MINUTE && capturedAt < start,
  );
  if (!inTime) return null;
  const found = [...new Set(prices.map((price) => price.book))].sort().flatMap((book) => {
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
  found.sort(
    (a, b) =>
      compare(decimalOdds(b.oddsAmerican), decimalOdds(a.oddsAmerican)) || b.oddsAmerican - a.oddsAmerican,
  );
  const best = found[Math.min(1, found.length - 1)];
  return best ? { oddsAmerican: best.oddsAmerican, book: best.book, capturedAt: best.capturedAt } : 'missed';
}

/** Returns settled live picks at the prices of followers `delay` minutes later. Leaves out picks without such a price. */
export function atDelay(picks: LedgerPick[], delay: number): LedgerPick[] {
  return picks.flatMap((pick) => {
    if (pick.status !== 'settled' || pick.provenance !== 'live') return [];
    const price = priceAfter(pick, pick.startHeld, pick.prices, delay);
    if (price === null || price === 'missed') return [];
    const { oddsAmerican } = price;
    const { closing } = pick;
    return {
      ...pick,
      oddsAmerican,
      decimal: decimalOdds(oddsAmerican),
      counted: oddsAmerican,
      netUnitsE4: netUnitsE4(pick.result!, pick.countedE4, oddsAmerican),
      closing: closing && {
        ...closing,
        clvBps: clvBps(oddsAmerican, decimalOdds(closing.oddsAmerican)),
        clvCountedBps: clvBps(oddsAmerican, decimalOdds(closing.oddsAmerican)),
        edgePct: edgeAt(oddsAmerican, closing.fair),
      },
    };
  });
}

/** `/api/cappers/:handle/follow`. */
export function follow(state: LedgerState, params: { handle: string } & Query) {
  const all = state.byCapper.get(params.handle.toLowerCase()) ?? [];
  const live = settledIn(state, all, params.window ?? 'all').filter(
    (pick) => pick.provenance === 'live' && (params.sport === undefined || pick.sport === params.sport),
  );
  const delays = DELAYS.map((delay) => {
    const followed = atDelay(live, delay);
    const [found, all] = [counting(followed).length, counting(live).length];
    const coveragePct = all === 0 ? null : decimals(fraction(100 * found, all), 2);
    const without = (reason: 'missed' | null) =>
      counting(live).filter((pick) => priceAfter(pick, pick.startHeld, pick.prices, delay) === reason).length;
    const uuids = new Set(followed.map(({ uuid }) => uuid));
    const same = recordOf(live.filter(({ uuid }) => uuids.has(uuid)));
    const own = {
      unitsNet: same.unitsNet,
      roiPct: same.roiPct,
      yieldPct: same.yieldPct,
      edgeMeanPct: same.edgeMeanPct,
    };
    const { picks, wins, losses, pushes, voids, unitsNet, unitsStaked, ...rates } = recordOf(followed);
    const { roiPct, yieldPct, yieldLowPct, yieldHighPct, edgeMeanPct, edgeSample } = rates;
    return {
      delay,
      coveragePct,
      missed: without('missed'),
      unknown: without(null),
      own,
      picks,
      wins,
      losses,
      pushes,
      voids,
      unitsNet,
      unitsStaked,
      roiPct,
      yieldPct,
      yieldLowPct,
      yieldHighPct,
      edgeMeanPct,
      edgeSample,
    };
  });
  const { picks, unitsNet, roiPct, edgeMeanPct } = recordOf(live);
  return { count: delays.length, live: { picks, unitsNet, roiPct, edgeMeanPct }, delays };
}
