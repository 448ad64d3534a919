import { iso } from './days.ts';
import { atDelay } from './follow.ts';
import { compare, decimals, type Fraction, fraction } from './fraction.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { bounded, type Query } from './query.ts';
import type { CapperRow, Tier } from './read.ts';
import {
  chanceOf,
  clvsOf,
  counting,
  decided,
  netE4,
  recordOf,
  settledIn,
  shownChance,
  stakedE4,
  wilson,
  withResult,
  yieldOf,
} from './record.ts';
import { hasNoRank, verdictOf } from './verdict.ts';

interface Entry {
  capper: CapperRow;
  picks: LedgerPick[];
}

/** Returns cappers, by their tier today, with at least one settled pick in the window and sport. */
function entries(state: LedgerState, params: Query = {}): Entry[] {
  return state.cappers
    .filter((capper) => params.tier === undefined || capper.tier === params.tier)
    .map((capper) => {
      const all = state.byCapper.get(capper.handle) ?? [];
      const taken = settledIn(state, all, params.window ?? 'all');
      const settled = params.delay === undefined ? taken : atDelay(taken, Number(params.delay));
      return {
        capper,
        picks: settled.filter((pick) => params.sport === undefined || pick.sport === params.sport),
      };
    })
    .filter((entry) => counting(entry.picks).length > 0);
}

const bound = ({ picks }: Entry): number | null =>
  wilson(withResult(picks, 'win'), withResult(picks, 'loss'));

/** Puts cappers without a rank last, in their order. */
function calledOffLast(state: LedgerState, inOrder: Entry[], ofBoard = (_entry: Entry) => true): Entry[] {
  const isLast = (entry: Entry) => !ofBoard(entry) || hasNoRank(state, entry.capper.handle);
  return [...inOrder.filter((entry) => !isLast(entry)), ...inOrder.filter(isLast)];
}

/** Ranks in order. Equal measures share a rank. */
function ranked(
  state: LedgerState,
  inOrder: Entry[],
  params: Query,
  measure: (entry: Entry) => number,
  ofBoard = (_entry: Entry) => true,
) {
  const isRanked = (entry: Entry) => ofBoard(entry) && !hasNoRank(state, entry.capper.handle);
  const sorted = calledOffLast(state, inOrder, ofBoard);
  const cappers = sorted.slice(0, bounded(params.limit, 50, 200)).map((entry) => {
    const lower = bound(entry);
    const found = yieldOf(entry.picks);
    const pct = (share: number) => nearestShown(100 * share);
    return {
      rank: isRanked(entry)
        ? 1 + sorted.findIndex((other) => isRanked(other) && measure(other) === measure(entry))
        : null,
      handle: entry.capper.handle,
      tier: entry.capper.tier,
      verified: entry.capper.verified,
      verdict: verdictOf(state, entry.capper.handle, params),
      ...recordOf(entry.picks),
      wilsonPct: lower === null ? null : Math.round(lower * 10_000) / 100,
      shrunkPct: found && pct(found.believed),
      shrunkLowPct: found && pct(found.believedLow),
      shrunkHighPct: found && pct(found.believedHigh),
      chancePct: shownChance(chanceOf(entry.picks)),
    };
  });
  return { count: cappers.length, cappers };
}

function nearestShown(value: number): number {
  const size = Math.round(Math.abs(value) * 100) / 100;
  return size === 0 ? 0 : Math.sign(value) * size;
}

const byHandle = (a: Entry, b: Entry): number => byText(a.capper.handle, b.capper.handle);

/** Drops the last bits, in which equal bounds may differ by the way they were computed. */
const measure = ({ picks }: Entry): number => Math.round((yieldOf(picks)?.believedLow ?? -9) * 1e8);

/** `/api/leaderboard`. */
export function leaderboard(state: LedgerState, params: Query = {}) {
  const sorted = entries(state, params).sort(
    (a, b) => measure(b) - measure(a) || decided(b.picks).length - decided(a.picks).length || byHandle(a, b),
  );
  const isLong = ['90d', 'all'].includes(params.window ?? 'all');
  const isRanked = ({ picks }: Entry) => !isLong || decided(picks).length >= 20;
  return ranked(state, sorted, params, measure, isRanked);
}

/** Returns the best cappers of some settled picks, without the figures of luck. */
export function leaders(state: LedgerState, ofCapper: (handle: string) => LedgerPick[], sport: string) {
  const list = state.cappers
    .map((capper) => ({ capper, picks: ofCapper(capper.handle) }))
    .filter(({ picks }) => decided(picks).length > 0)
    .sort(
      (a, b) =>
        measure(b) - measure(a) || decided(b.picks).length - decided(a.picks).length || byHandle(a, b),
    );
  return ranked(
    state,
    list,
    { sport, limit: 10 },
    measure,
    ({ picks }) => decided(picks).length >= 20,
  ).cappers.map(({ wilsonPct, shrunkPct, shrunkLowPct, shrunkHighPct, chancePct, ...shown }) => shown);
}

const meanClv = ({ picks }: Entry): Fraction => {
  const clvs = clvsOf(picks);
  return fraction(
    clvs.reduce((a, b) => a + b, 0),
    clvs.length,
  );
};

/** `/api/leaderboard/clv`. */
export function clvLeaderboard(state: LedgerState, params: Query = {}) {
  const least = params.min_n ?? 25;
  const all = entries(state, params).filter((entry) => clvsOf(entry.picks).length >= least);
  const hasClv = ({ picks }: Entry) => clvsOf(picks).length > 0;
  const sorted = all
    .filter(hasClv)
    .sort(
      (a, b) =>
        compare(meanClv(b), meanClv(a)) || clvsOf(b.picks).length - clvsOf(a.picks).length || byHandle(a, b),
    );
  const without = all.filter((entry) => !hasClv(entry)).sort(byHandle);
  return ranked(state, [...sorted, ...without], params, (entry) => decimals(meanClv(entry), 12), hasClv);
}

/** Net units per unit staked. Cappers without a stake come last. */
const returned = ({ picks }: Entry): number =>
  stakedE4(decided(picks)) === 0 ? Number.NEGATIVE_INFINITY : netE4(picks) / stakedE4(decided(picks));

/** `/api/leaderboard/units`. */
export function unitsLeaderboard(state: LedgerState, params: Query = {}) {
  const least = params.min_n ?? 10;
  const inOrder = entries(state, params)
    .filter((entry) => entry.picks.length >= least)
    .sort((a, b) => netE4(b.picks) - netE4(a.picks) || returned(b) - returned(a) || byHandle(a, b));
  const sorted = calledOffLast(state, inOrder);
  const { count, cappers } = ranked(state, sorted, params, ({ picks }) => netE4(picks));
  return {
    count,
    cappers: cappers.map((row, index) => {
      const [{ picks }, next] = [sorted[index]!, sorted[index + 1]];
      const lead = next === undefined ? Infinity : netE4(picks) - netE4(next.picks);
      const best = Math.max(...decided(picks).map((pick) => pick.netUnitsE4!));
      return { ...row, onePick: lead > 0 && lead <= best };
    }),
  };
}

/** Returns a capper as a row of a roster. */
export function rosterRow(state: LedgerState, { handle, tier, verified }: CapperRow, params: Query = {}) {
  const picks = state.byCapper.get(handle) ?? [];
  return {
    id: state.ids.capperIdOf(handle),
    handle,
    tier,
    verified,
    sports: [...new Set(picks.map((pick) => pick.sport))].sort(byText),
    picks: picks.length,
    lastPostedAt: iso(picks.at(-1)?.postedAt ?? null),
    verdict: verdictOf(state, handle, params),
  };
}

function roster(state: LedgerState, params: Query = {}) {
  return state.cappers
    .map((capper) => rosterRow(state, capper, { sport: params.sport }))
    .filter((capper) => params.tier === undefined || capper.tier === params.tier)
    .filter((capper) => params.sport === undefined || capper.sports.includes(params.sport))
    .sort((a, b) => a.id - b.id);
}

/** `/api/cappers`: 100 per page. */
export function cappers(state: LedgerState, params: Query = {}) {
  const rest = roster(state, params).filter((capper) => capper.id > Number(params.cursor ?? 0));
  const page = rest.slice(0, 100);
  return { count: page.length, cappers: page, nextCursor: rest.length > 100 ? page.at(-1)!.id : null };
}

/** `/api/cappers/by-tier/:tier`. */
export function cappersByTier(state: LedgerState, params: Query & { tier: Tier }) {
  const page = roster(state, params).slice(0, bounded(params.limit, 100, 500));
  return { count: page.length, cappers: page };
}
