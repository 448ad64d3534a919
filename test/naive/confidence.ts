import { snapshotsOf } from './closing.ts';
import { isHedged } from './consensus.ts';
import { DAY, etDay, etHour } from './days.ts';
import {
  add,
  clamp,
  compare,
  decimalOdds,
  decimals,
  divide,
  type Fraction,
  fraction,
  HALF,
  multiply,
  ONE,
  subtract,
  sum,
} from './fraction.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { sameContest } from './markets.ts';
import { counting, decided, edgesOf, netE4, stakedE4, weight } from './record.ts';
import { hasNoRank } from './verdict.ts';

interface Component {
  name: string;
  weight: number;
  value: Fraction;
  sample: number;
}

export interface Confidence {
  /** With one decimal. */
  index: number;
  components: Component[];
}

const TIER_VALUE = { elite: ONE, verified_sharp: fraction(3, 4), listed: fraction(2, 5) };
const TIER_ORDER = ['elite', 'verified_sharp', 'listed'];

/** Returns the weight of picks in sums, in halves: 1 for a half result, else 2. */
const halvesOf = (picks: LedgerPick[]): number => 2 * picks.reduce((a, pick) => a + weight(pick), 0);

/** `1/2 + gain`, clamped to [0, 1]. */
const aroundHalf = (gain: Fraction): Fraction => clamp(add(HALF, gain));

/** Returns the capper's picks that settled before this one was posted, and at most `days` before. */
function history(state: LedgerState, pick: LedgerPick, days: number): LedgerPick[] {
  return state.byCapper
    .get(pick.capperHandle)!
    .filter(
      (one) =>
        one.settledAt !== null &&
        one.settledAt < pick.postedAt &&
        one.settledAt >= pick.postedAt - days * DAY,
    );
}

function record(state: LedgerState, pick: LedgerPick): Component {
  const played = decided(history(state, pick, 90));
  const won = halvesOf(played.filter((one) => one.result === 'win'));
  const countByOdds = new Map<number, number>();
  for (const one of played)
    countByOdds.set(one.counted, (countByOdds.get(one.counted) ?? 0) + halvesOf([one]));
  const breakEven = sum(
    [...countByOdds].map(([odds, count]) => divide(fraction(count, 2), decimalOdds(odds))),
  );
  const above = subtract(fraction(won, 2), breakEven);
  const gain = subtract(above, fraction(40, 100));
  const value = aroundHalf(divide(multiply(fraction(5), gain), fraction(halvesOf(played) + 40, 2)));
  return { name: 'record', weight: 25, value, sample: played.length };
}

function clv(state: LedgerState, pick: LedgerPick): Component {
  const all = counting(history(state, pick, 90)).filter((one) => edgesOf([one]).length > 0);
  const total = all.reduce((a, one) => a + halvesOf([one]) * edgesOf([one])[0]!, 0);
  const gain = subtract(fraction(total, 20_000), fraction(2));
  const value = aroundHalf(divide(multiply(fraction(10), gain), fraction(halvesOf(all) + 100, 2)));
  return { name: 'clv', weight: 25, value, sample: all.length };
}

function form(state: LedgerState, pick: LedgerPick): Component {
  const played = decided(history(state, pick, 30));
  const n = halvesOf(played);
  const roi = n === 0 ? fraction(0) : fraction(netE4(played), stakedE4(played));
  const gain = subtract(multiply(roi, fraction(n, 2)), fraction(8, 10));
  const value = aroundHalf(divide(multiply(fraction(5, 4), gain), fraction(n + 40, 2)));
  return { name: 'form', weight: 10, value, sample: played.length };
}

function consensus(state: LedgerState, pick: LedgerPick, at: number): Component {
  const sharp = state.byMarket
    .get(pick.marketKey)!
    .filter((one) => one.sharp && one.counts && one.capperHandle !== pick.capperHandle && one.postedAt <= at);
  const others = sharp
    .filter((one) => !isHedged(one, sharp))
    .filter((one) => sameContest(pick.market, one.side, pick.side));
  const cappers = (sameSide: boolean): number =>
    new Set(others.filter((one) => (one.side === pick.side) === sameSide).map((one) => one.capperHandle))
      .size;
  const [withIt, against] = [cappers(true), cappers(false)];
  const value = aroundHalf(fraction(withIt - against, 8));
  return { name: 'consensus', weight: 15, value, sample: withIt + against };
}

function price(pick: LedgerPick, at: number): Component {
  const known = pick.prices.filter((one) => one.capturedAt <= at);
  const offers = [...new Set(known.map((one) => one.book))].flatMap((book) => {
    const latest = snapshotsOf(known, book).at(-1)!;
    const here = latest.filter((one) => one.side === pick.side && one.lineE3 === pick.lineE3);
    const lowest = here.map((one) => decimalOdds(one.oddsAmerican)).sort(compare)[0];
    return lowest ? [lowest] : [];
  });
  const best = offers.sort(compare).at(-1);
  const value = best
    ? aroundHalf(multiply(fraction(10), subtract(divide(decimalOdds(pick.counted), best), ONE)))
    : HALF;
  return { name: 'price', weight: 5, value, sample: offers.length };
}

/** Returns the Confidence Index at `at` (docs/rules/confidence.md). */
export function confidenceOf(state: LedgerState, pick: LedgerPick, at: number): Confidence {
  const frozen = Math.min(at, pick.start ?? Number.POSITIVE_INFINITY);
  const components = [
    { name: 'tier', weight: 20, value: TIER_VALUE[pick.capperTier], sample: 0 },
    record(state, pick),
    clv(state, pick),
    form(state, pick),
    consensus(state, pick, frozen),
    price(pick, frozen),
  ];
  const index = sum(components.map((one) => multiply(fraction(one.weight), one.value)));
  return { index: decimals(index, 1), components };
}

/** Returns the body of `/api/picks/:uuid/confidence`, without its sentences (`note`). */
export function confidenceBody(state: LedgerState, pick: LedgerPick, at = state.now) {
  const { index, components } = confidenceOf(state, pick, at);
  return {
    pickUuid: pick.uuid,
    version: 'R24',
    index,
    components: components.map(({ name, weight, value, sample }) => ({
      name,
      value: decimals(value, 4),
      weight,
      contribution: decimals(multiply(fraction(weight), value), 2),
      sample,
    })),
  };
}

const candidatesAt = (state: LedgerState, at: number): LedgerPick[] =>
  state.picks.filter(
    (pick) =>
      pick.counts &&
      !hasNoRank(state, pick.capperHandle, at) &&
      pick.slate === etDay(at) &&
      pick.postedAt <= at &&
      (pick.settledAt === null || pick.settledAt > at) &&
      (pick.start === null || pick.start > at),
  );

/** Returns today's Pick of the Day and the instant it was chosen, or null before that. */
export function pickOfTheDay(state: LedgerState): { pick: LedgerPick; chosenAt: number } | null {
  const earliest = Math.max(etHour(state.today, 9), state.runningSince);
  const posted = state.picks.map((pick) => pick.postedAt).filter((at) => at > earliest);
  const moments = [earliest, ...posted].filter((at) => at <= state.now);
  const chosenAt = moments.find((at) => candidatesAt(state, at).length > 0);
  if (chosenAt === undefined) return null;
  const ranked = candidatesAt(state, chosenAt)
    .map((pick) => ({ pick, index: confidenceOf(state, pick, chosenAt).index }))
    .sort(
      (a, b) =>
        b.index - a.index ||
        TIER_ORDER.indexOf(a.pick.capperTier) - TIER_ORDER.indexOf(b.pick.capperTier) ||
        a.pick.postedAt - b.pick.postedAt ||
        byText(a.pick.uuid, b.pick.uuid),
    );
  return { pick: ranked[0]!.pick, chosenAt };
}
