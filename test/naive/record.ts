import { dayBefore, etDay, iso } from './days.ts';
import {
  decimalOdds,
  decimals,
  type Fraction,
  fraction,
  multiply,
  nearestAmerican,
  ONE,
  percentile,
  sum,
} from './fraction.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { units } from './pick-body.ts';
import type { Window } from './query.ts';
import type { Result } from './read.ts';

export const WINDOWS: Window[] = ['7d', '30d', '90d', 'all'];

export const settledOnly = (picks: LedgerPick[]): LedgerPick[] =>
  picks.filter((pick) => pick.status === 'settled');

export const counting = (picks: LedgerPick[]): LedgerPick[] => picks.filter((pick) => pick.counts);

// Figures include only picks that count.

export const withResult = (picks: LedgerPick[], result: Result): number =>
  counting(picks).filter((pick) => pick.result === result).length;

export const decided = (picks: LedgerPick[]): LedgerPick[] =>
  counting(picks).filter((pick) => pick.result === 'win' || pick.result === 'loss');

export const netE4 = (picks: LedgerPick[]): number =>
  counting(picks).reduce((total, pick) => total + (pick.netUnitsE4 ?? 0), 0);

export const stakedE4 = (picks: LedgerPick[]): number =>
  picks.reduce((total, pick) => total + pick.countedE4, 0);

/** Returns the CLV of picks that closed at their own line. */
export const clvsOf = (picks: LedgerPick[]): number[] =>
  counting(picks).flatMap((pick) => (pick.closing?.sameLine ? [pick.closing.clvCountedBps] : []));

export const edgesOf = (picks: LedgerPick[]): number[] =>
  picks.flatMap((pick) =>
    typeof pick.closing?.edgePct === 'number' ? [Math.round(pick.closing.edgePct * 100)] : [],
  );

const total = (values: number[]): number => values.reduce((a, b) => a + b, 0);

/** Returns the first Eastern day of a window that ends today; null for `all`. */
export function firstDay(state: LedgerState, window: Window): string | null {
  return window === 'all' ? null : dayBefore(state.today, Number.parseInt(window, 10) - 1);
}

/** Returns the settled picks of a window, by the Eastern day of `settledAt`. */
export function settledIn(state: LedgerState, picks: LedgerPick[], window: Window): LedgerPick[] {
  const first = firstDay(state, window);
  return settledOnly(picks).filter((pick) => first === null || etDay(pick.settledAt!) >= first);
}

/** Returns the part of a pick that a sum counts. */
export const weight = (pick: LedgerPick): number => (pick.half ? 0.5 : 1);

/** Returns the yield of one unit on each pick (docs/rules/records.md#yield), in fractions; null without a result. */
export function yieldOf(picks: LedgerPick[]) {
  const played = decided(picks);
  if (played.length === 0) return null;
  const odds = (pick: LedgerPick) => number(decimalOdds(pick.counted));
  // Rounded pick by pick.
  const added = (digits: number, of: (pick: LedgerPick) => number) =>
    played.reduce((total, pick) => total + nearest(of(pick) * 10 ** digits), 0) / 10 ** digits;
  const weights = played.reduce((total, pick) => total + weight(pick), 0);
  const flat = added(6, (pick) => weight(pick) * (pick.result === 'win' ? odds(pick) - 1 : -1));
  const error = Math.sqrt(added(6, (pick) => weight(pick) ** 2 * (odds(pick) - 1)) + 1) / weights;
  const mean = flat / weights;
  // The mean of two normal distributions, weighted by their precisions.
  const [prior, own] = [1 / 0.03 ** 2, 1 / error ** 2];
  const believed = (mean * own) / (prior + own);
  const doubt = 1 / Math.sqrt(prior + own);
  return {
    breakEven: added(9, (pick) => weight(pick) / odds(pick)) / weights,
    flat,
    mean,
    low: mean - 1.96 * error,
    high: mean + 1.96 * error,
    believed,
    believedLow: believed - 1.96 * doubt,
    believedHigh: believed + 1.96 * doubt,
  };
}

const nearest = (value: number): number => Math.sign(value) * Math.round(Math.abs(value) + 1e-7);

const known = new Map<string, number>();

/**
 * Returns how often somebody who wins each pick with probability `1 / decimal` has this yield or more: the distribution of the winnings,
 * pick by pick. The answers are remembered, because several boards ask for the same picks.
 */
export function chanceOf(picks: LedgerPick[]): number | null {
  const played = decided(picks);
  if (played.length === 0) return null;
  const key = played
    .map(({ counted, half, result }) => `${counted}${half ? ' half' : ''} ${result}`)
    .sort()
    .join();
  const found = known.get(key) ?? chanceOfReturns(played);
  known.set(key, found);
  return found;
}

export const chanceToWin = ({ counted }: LedgerPick): number => 1 / number(decimalOdds(counted));

function chanceOfReturns(picks: LedgerPick[]): number {
  const played = picks
    .map((pick) => ({ gain: weight(pick) * number(decimalOdds(pick.counted)), p: chanceToWin(pick), pick }))
    .sort((a, b) => a.gain - b.gain || a.p - b.p);
  const actual = total(played.map(({ gain, pick }) => (pick.result === 'win' ? gain : 0)));
  if (actual === 0) return 1;
  let exact: Sum[] = [{ value: 0, of: 1 }];
  let at = 0;
  for (; at < played.length && exact.length <= 20_000; at += 1) exact = withOne(exact, played[at]!);
  const isReached = (value: number) => value >= actual - 1e-6;
  if (at === played.length) return total(exact.map(({ value, of }) => (isReached(value) ? of : 0)));

  // Too many values. From here on they are thousandths: each goes to the two nearest ones, so that the mean stays.
  const most = total(played.map(({ gain }) => gain));
  const chances = new Float64Array(Math.ceil(most * 1000) + played.length + 2);
  const split = (value: number) => ({ below: Math.floor(value * 1000), part: (value * 1000) % 1 });
  for (const { value, of } of exact) {
    const { below, part } = split(value);
    chances[below]! += of * (1 - part);
    chances[below + 1]! += of * part;
  }
  let [low, high] = [0, chances.length - 1];
  for (const { gain, p } of played.slice(at)) {
    while (chances[low]! < 1e-13) chances[low++] = 0;
    while (chances[high]! < 1e-13) chances[high--] = 0;
    const { below, part } = split(gain);
    for (let from = high; from >= low; from -= 1) {
      const of = chances[from]!;
      chances[from] = of * (1 - p);
      chances[from + below]! += of * p * (1 - part);
      chances[from + below + 1]! += of * p * part;
    }
    high += below + 1;
  }
  return total(Array.from(chances, (of, at) => (isReached(at / 1000) ? of : 0)));
}

/** A sum of winnings with its probability. */
interface Sum {
  value: number;
  of: number;
}

/** Returns the sums, in order of value, after one more pick. */
function withOne(sums: Sum[], { gain, p }: { gain: number; p: number }): Sum[] {
  const next: Sum[] = [];
  const put = (value: number, of: number) => {
    if (of <= 1e-13) return;
    const last = next.at(-1);
    // The order of additions moves the last digits of equal sums.
    if (last !== undefined && value - last.value < 1e-7) last.of += of;
    else next.push({ value, of });
  };
  let [lost, won] = [0, 0];
  while (won < sums.length) {
    const [onLoss, onWin] = [sums[lost], sums[won]!];
    if (onLoss !== undefined && onLoss.value <= onWin.value + gain) {
      put(onLoss.value, onLoss.of * (1 - p));
      lost += 1;
    } else {
      put(onWin.value + gain, onWin.of * p);
      won += 1;
    }
  }
  return next;
}

/** Returns a chance as shown: in percent, 0 below 0.01. */
export const shownChance = (chance: number | null): number | null =>
  chance === null ? null : chance < 0.0001 ? 0 : percent(chance);

const number = ({ n, d }: Fraction): number => Number(n) / Number(d);
const percent = (value: number): number => {
  const size = Math.round(Math.abs(value) * 10_000) / 100;
  return size === 0 ? 0 : Math.sign(value) * size;
};

/** Returns the shared object Record (docs/rules/records.md) of the settled picks among `picks`. */
export function recordOf(picks: LedgerPick[]) {
  const settled = counting(settledOnly(picks));
  const leftOut = (verdict: string) =>
    settledOnly(picks).filter((pick) => pick.priceCheck?.verdict === verdict).length;
  const [wins, losses] = [withResult(settled, 'win'), withResult(settled, 'loss')];
  const [pushes, voids] = [withResult(settled, 'push'), withResult(settled, 'void')];
  const staked = stakedE4(decided(settled));
  const net = netE4(settled);
  const clvs = clvsOf(settled);
  const edges = edgesOf(settled);
  const price = yieldOf(settled);
  return {
    picks: settled.length,
    wins,
    losses,
    pushes,
    voids,
    record: `${wins}-${losses}-${pushes}`,
    hitRatePct: wins + losses === 0 ? null : decimals(fraction(100 * wins, wins + losses), 2),
    unitsNet: units(net),
    unitsStaked: units(staked),
    roiPct: staked === 0 ? null : decimals(fraction(100 * net, staked), 2),
    breakEvenPct: price && percent(price.breakEven),
    averageOddsAmerican: price && nearestAmerican(fraction(1e12, Math.round(price.breakEven * 1e12))),
    flatUnits: price && decimals(fraction(Math.round(price.flat * 1e6), 1_000_000), 2),
    yieldPct: price && percent(price.mean),
    yieldLowPct: price && percent(price.low),
    yieldHighPct: price && percent(price.high),
    clvMeanBps: clvs.length === 0 ? null : decimals(fraction(total(clvs), clvs.length), 1),
    clvSample: clvs.length,
    clvSameLineSample: clvs.length,
    clvMovedSample: settled.filter((pick) => pick.closing && !pick.closing.sameLine).length,
    edgeMeanPct: edges.length === 0 ? null : decimals(fraction(total(edges), 100 * edges.length), 2),
    edgeSample: edges.length,
    importedPicks: settled.filter((pick) => pick.provenance === 'imported').length,
    latePicks: settled.filter((pick) => pick.sealedInTime === 'late').length,
    unchecked: settled.filter((pick) => pick.priceCheck?.verdict === 'unchecked').length,
    aboveMarket: leftOut('above_market'),
    unseen: leftOut('unseen'),
  };
}

/** Returns the Wilson 95% lower bound of wins over wins and losses, as a proportion; null without any. */
export function wilson(wins: number, losses: number): number | null {
  const n = wins + losses;
  if (n === 0) return null;
  const z = 1.959963984540054;
  const p = wins / n;
  const middle = p + (z * z) / (2 * n);
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return Math.max(0, (middle - spread) / (1 + (z * z) / n));
}

/** Returns mean, median, and quartiles of CLV, with one decimal; all null without a sample. */
export function clvFigures(clvs: number[]) {
  const exact = clvs.map((bps) => fraction(bps));
  const at = (quarters: number): number | null =>
    exact.length === 0 ? null : decimals(percentile(exact, fraction(quarters, 4)), 1);
  return {
    sample: clvs.length,
    beatSample: clvs.filter((bps) => bps > 0).length,
    evenSample: clvs.filter((bps) => bps === 0).length,
    meanBps: exact.length === 0 ? null : decimals(multiply(sum(exact), fraction(ONE.n, clvs.length)), 1),
    medianBps: at(2),
    p25Bps: at(1),
    p75Bps: at(3),
  };
}

export interface Streak {
  kind: 'W' | 'L' | null;
  length: number;
  since: number | null;
  lastSettledAt: number | null;
  picks: LedgerPick[];
}

/** Returns the current streak of the settled picks among `picks` (docs/rules/records.md#streaks). */
export function streakOf(picks: LedgerPick[]): Streak {
  const order = decided(settledOnly(picks)).sort(
    (a, b) => a.settledAt! - b.settledAt! || a.postedAt - b.postedAt || byText(a.uuid, b.uuid),
  );
  const last = order.at(-1);
  if (!last) return { kind: null, length: 0, since: null, lastSettledAt: null, picks: [] };
  const breaker = order.findLastIndex((pick) => pick.result !== last.result);
  const run = order.slice(breaker + 1);
  return {
    kind: last.result === 'win' ? 'W' : 'L',
    length: run.length,
    since: run[0]!.settledAt,
    lastSettledAt: last.settledAt,
    picks: run,
  };
}

export const streakBody = (streak: Streak) => ({
  kind: streak.kind,
  length: streak.length,
  since: iso(streak.since),
  lastSettledAt: iso(streak.lastSettledAt),
});
