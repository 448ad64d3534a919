import {
  type ConsensusPick,
  compareGroups,
  consensusGroups,
  consensusWindowMs,
  type Group,
  groupId,
  withoutHedges,
} from './consensus.ts';
import { isSharp, type Result } from './vocabulary.ts';

/** A sharp pick with its settlement; both `null` while it is pending. */
export interface MemberPick extends ConsensusPick {
  result: Result | null;
  settledAt: number | null;
}

/** The result of a resolved group; `mixed` if picks at different lines had different results. */
export type GroupResult = Result | 'mixed';

export type ResolvedGroup = ReturnType<typeof resolve>[number];

/**
 * Reports whether a side was ever an active group: when a sharp pick on it was posted, another sharp capper's pick, at most 6 hours old,
 * was still pending.
 *
 * @param picks on one game, market, and side, in any order
 */
export function wasEverActive(picks: readonly MemberPick[]): boolean {
  const members = picks
    .filter(({ capperTier }) => isSharp(capperTier))
    .sort((a, b) => a.postedAt - b.postedAt);
  return members.some((later, index) => {
    for (let before = index - 1; before >= 0; before -= 1) {
      const earlier = members[before]!;
      if (later.postedAt - earlier.postedAt > consensusWindowMs) return false;
      const pending = earlier.settledAt === null || earlier.settledAt > later.postedAt;
      if (pending && earlier.capperHandle !== later.capperHandle) return true;
    }
    return false;
  });
}

/**
 * Returns the resolved groups among picks: sides that were once active and whose sharp picks have all settled. Ignores cappers on several
 * sides. The latest resolved comes first; ties are ordered as by {@link compareGroups}.
 *
 * @param picks all picks on these games and markets, so that opposing sides can be counted; in any order
 */
export function resolvedGroups(picks: readonly MemberPick[]): ResolvedGroup[] {
  const sharp = picks.filter(({ capperTier }) => isSharp(capperTier));
  const members = Map.groupBy(withoutHedges(sharp), groupId);
  return consensusGroups(sharp)
    .flatMap((group) => resolve(group, members.get(group.groupId) ?? []))
    .sort((a, b) => {
      if (a.resolvedAt !== b.resolvedAt) return a.resolvedAt < b.resolvedAt ? 1 : -1;
      return compareGroups(a, b);
    });
}

function resolve(group: Group, members: readonly MemberPick[]) {
  const settled = members.flatMap(({ result, settledAt }) =>
    result === null || settledAt === null ? [] : [{ result, settledAt }],
  );
  if (settled.length < members.length || !wasEverActive(members)) return [];
  const counts = { win: 0, loss: 0, push: 0, void: 0 };
  for (const { result } of settled) counts[result] += 1;
  return [
    {
      ...group,
      result: sideResult(settled.map(({ result }) => result)),
      /** When its last pick settled. */
      resolvedAt: new Date(Math.max(...settled.map(({ settledAt }) => settledAt))).toISOString(),
      /** Results of all of its picks, including several by one capper. */
      wins: counts.win,
      losses: counts.loss,
      pushes: counts.push,
      voids: counts.void,
    },
  ];
}

/** Returns the common result of at least one pick, or `mixed`. */
export function sideResult(results: readonly Result[]): GroupResult {
  const [first] = results;
  if (first === undefined) throw new RangeError('a resolved group has at least one pick');
  return results.every((result) => result === first) ? first : 'mixed';
}
