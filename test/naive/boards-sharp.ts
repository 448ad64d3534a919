import {
  activeGroups,
  type Group,
  groupBody,
  mostCappersFirst,
  resolvedAt,
  resolvedBody,
  resolvedGroups,
  todayGroups,
} from './consensus.ts';
import { DAY, HOUR, iso } from './days.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { oldestFirst } from './pick-body.ts';
import { bounded, type Query } from './query.ts';
import type { CapperRow } from './read.ts';
import { chanceToWin, type Streak, shownChance, streakBody, streakOf } from './record.ts';
import { verdictOf } from './verdict.ts';

const groupList = (state: LedgerState, groups: Group[]) => ({
  count: groups.length,
  groups: groups.map((group) => groupBody(state, group)),
});

const cappersIn = (groups: Group[]): number =>
  new Set(groups.flatMap((group) => group.members.map((pick) => pick.capperHandle))).size;

/** `/api/sharp/consensus`. */
export const consensus = (state: LedgerState) => groupList(state, activeGroups(state));

/** `/api/sharp/today`. */
export const today = (state: LedgerState, params: Query = {}) =>
  groupList(state, todayGroups(state, params.sport));

interface Breakdown {
  sport: string;
  market?: string;
  groupCount: number;
  capperCount: number;
}

function breakdown(
  groups: Group[],
  keyOf: (pick: LedgerPick) => { sport: string; market?: string },
): Breakdown[] {
  const kinds = new Map<string, { key: { sport: string; market?: string }; groups: Group[] }>();
  for (const group of groups) {
    const key = keyOf(group.members[0]!);
    const kind = kinds.get(JSON.stringify(key)) ?? { key, groups: [] };
    kind.groups.push(group);
    kinds.set(JSON.stringify(key), kind);
  }
  return [...kinds.values()]
    .map(({ key, groups: of }) => ({ ...key, groupCount: of.length, capperCount: cappersIn(of) }))
    .sort(
      (a, b) =>
        b.groupCount - a.groupCount ||
        b.capperCount - a.capperCount ||
        byText(a.sport, b.sport) ||
        byText(a.market ?? '', b.market ?? ''),
    );
}

/** `/api/sharp/sports`. */
export function sharpSports(state: LedgerState) {
  const sports = breakdown(activeGroups(state), ({ sport }) => ({ sport }));
  return { count: sports.length, sports };
}

/** `/api/sharp/markets`. */
export function sharpMarkets(state: LedgerState) {
  const markets = breakdown(activeGroups(state), ({ sport, market }) => ({ sport, market }));
  return { count: markets.length, markets };
}

export interface HotStreak {
  capper: CapperRow;
  streak: Streak;
  sports: string[];
}

/** Winning streaks of at least `min` by cappers with a pick settled in the last 30 days, longest first. */
export function hotStreaks(state: LedgerState, min = 3): HotStreak[] {
  return state.cappers
    .map((capper) => {
      const streak = streakOf(state.byCapper.get(capper.handle) ?? []);
      return { capper, streak, sports: [...new Set(streak.picks.map((pick) => pick.sport))].sort(byText) };
    })
    .filter(({ capper, streak }) => {
      const recent = (state.byCapper.get(capper.handle) ?? []).some(
        (pick) => pick.counts && pick.settledAt !== null && pick.settledAt >= state.now - 30 * DAY,
      );
      return streak.kind === 'W' && streak.length >= min && recent;
    })
    .sort(
      (a, b) =>
        b.streak.length - a.streak.length ||
        b.streak.lastSettledAt! - a.streak.lastSettledAt! ||
        byText(a.capper.handle, b.capper.handle),
    );
}

/** `/api/sharp/hot`; `streak` is the length. */
export function sharpHot(state: LedgerState) {
  const groups = activeGroups(state);
  const cappers = hotStreaks(state)
    .map(({ capper, streak }) => ({
      handle: capper.handle,
      tier: capper.tier,
      verified: capper.verified,
      streak: streak.length,
      groups: groups
        .filter((group) => group.members.some((pick) => pick.capperHandle === capper.handle))
        .map((group) => groupBody(state, group)),
    }))
    .filter((capper) => capper.groups.length > 0)
    .sort((a, b) => b.streak - a.streak || byText(a.handle, b.handle));
  return { count: cappers.length, cappers };
}

/** `/api/sharp/today/cappers`: the cappers listed in the groups of the today board. */
export function todayCappers(state: LedgerState, params: Query = {}) {
  const listed = todayGroups(state, params.sport).flatMap((group) => group.members);
  const cappers = state.cappers
    .map(({ handle, tier, verified }) => {
      const picks = listed.filter((pick) => pick.capperHandle === handle).sort(oldestFirst);
      return {
        handle,
        tier,
        verified,
        groupCount: picks.length,
        sports: [...new Set(picks.map((pick) => pick.sport))].sort(byText),
        picks: picks.map((pick) => pick.uuid),
      };
    })
    .filter((capper) => capper.groupCount > 0)
    .sort((a, b) => b.groupCount - a.groupCount || byText(a.handle, b.handle));
  return { count: cappers.length, cappers };
}

/** `/api/sharp/recent`. */
export function sharpRecent(state: LedgerState, params: Query = {}) {
  const earliest = state.now - bounded(params.hours, 24, 168) * HOUR;
  const all = resolvedGroups(state, params.sport)
    .filter((group) => resolvedAt(group) >= earliest)
    .sort((a, b) => resolvedAt(b) - resolvedAt(a) || mostCappersFirst(a, b))
    .map((group) => resolvedBody(state, group));
  // A group's position: the number of earlier groups that resolved at the same instant.
  const places = all.map(({ resolvedAt: at }, index) => [
    Date.parse(at),
    all.slice(0, index).filter((other) => other.resolvedAt === at).length,
  ]);
  const [from, passed] = String(params.cursor ?? `${Number.MAX_SAFE_INTEGER}-0`)
    .split('-')
    .map(Number);
  const start = places.findIndex(([at, n]) => at! < from! || (at === from && n! >= passed!));
  const rest = start < 0 ? [] : all.slice(start);
  const limit = bounded(params.limit, 100, 200);
  const last = places[start + limit - 1];
  return {
    count: Math.min(rest.length, limit),
    groups: rest.slice(0, limit),
    nextCursor: rest.length > limit ? `${last![0]}-${last![1]! + 1}` : null,
  };
}

/** `/api/cappers/streaks`. */
export function streaks(state: LedgerState, params: Query = {}) {
  const shown = hotStreaks(state, params.min ?? 3).slice(0, bounded(params.limit, 25, 100));
  return {
    count: shown.length,
    streaks: shown.map(({ capper, streak, sports }) => ({
      chancePct: shownChance(streak.picks.reduce((p, pick) => p * chanceToWin(pick), 1)),
      handle: capper.handle,
      tier: capper.tier,
      verified: capper.verified,
      ...streakBody(streak),
      verdict: verdictOf(state, capper.handle),
      sports,
    })),
  };
}

/** The digest that both snapshots share, for everything or for one sport. */
export function latestInstants(state: LedgerState, picks: LedgerPick[]) {
  const latest = (instants: number[]): number | null =>
    instants.length === 0 ? null : Math.max(...instants);
  const lastPick = latest(picks.map((pick) => pick.postedAt));
  const lastSettle = latest(picks.flatMap((pick) => (pick.settledAt === null ? [] : [pick.settledAt])));
  const ago = (at: number | null): number | null =>
    at === null ? null : Math.floor((state.now - at) / 1000);
  return {
    lastPickAt: iso(lastPick),
    lastPickAgoSeconds: ago(lastPick),
    lastSettleAt: iso(lastSettle),
    lastSettleAgoSeconds: ago(lastSettle),
  };
}
