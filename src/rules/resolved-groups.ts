import {
  type ConsensusPick,
  compareGroups,
  consensusGroups,
  consensusWindowMs,
  type Group,
  withoutHedges,
} from './consensus.ts';
import { groupId } from './group-id.ts';
import { isSharp, type Result } from './vocabulary.ts';

/** A sharp pick with its settlement; both `null` while it is pending. */
export interface MemberPick extends ConsensusPick {
  result: Result | null;
  settledAt: number | null;
}

/** What a resolved group came to: `mixed` where its picks, having different lines, came to different results. */
export type GroupResult = Result | 'mixed';

export interface ResolvedGroup extends Group {
  result: GroupResult;
  /** When the last of its picks settled. */
  resolvedAt: string;
  /** Results of all its picks, several of one capper included. */
  wins: number;
  losses: number;
  pushes: number;
  voids: number;
}

/**
 * Was a side ever an active group? At the moment some sharp pick on it was posted, another sharp capper's pick, at most
 * 6 hours old, was still pending.
 *
 * @param picks the picks of one game, market and side, in any order
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
 * The resolved groups among some games' picks: ever active, and every sharp pick on the side settled, without those of cappers on
 * several sides. The latest resolved first, then as groups are ordered elsewhere.
 *
 * @param picks all picks of those games and markets, so that the other sides can be counted; in any order
 */
export function resolvedGroups(picks: readonly MemberPick[]): ResolvedGroup[] {
  const members = new Map<string, MemberPick[]>();
  const sharp = picks.filter(({ capperTier }) => isSharp(capperTier));
  for (const pick of withoutHedges(sharp)) {
    const id = groupId(pick);
    const known = members.get(id);
    if (known === undefined) members.set(id, [pick]);
    else known.push(pick);
  }
  return consensusGroups(sharp)
    .flatMap((group) => resolve(group, members.get(group.groupId) ?? []))
    .sort((a, b) => {
      if (a.resolvedAt !== b.resolvedAt) return a.resolvedAt < b.resolvedAt ? 1 : -1;
      return compareGroups(a, b);
    });
}

function resolve(group: Group, members: readonly MemberPick[]): ResolvedGroup[] {
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
      resolvedAt: new Date(Math.max(...settled.map(({ settledAt }) => settledAt))).toISOString(),
      wins: counts.win,
      losses: counts.loss,
      pushes: counts.push,
      voids: counts.void,
    },
  ];
}

/** The result of a side from the results of its picks, at least one: the one they share, else `mixed`. */
export function sideResult(results: readonly Result[]): GroupResult {
  const [first] = results;
  if (first === undefined) throw new RangeError('a resolved group has at least one pick');
  return results.every((result) => result === first) ? first : 'mixed';
}
