/** The results that count towards streaks: pushes and voids neither break a streak nor count. docs/rules/streaks.md */
export const decidedResults = ['win', 'loss'] as const;

/** A run of wins or of losses, and its picks, the latest first. */
export interface Streak<Pick> {
  kind: 'W' | 'L';
  picks: Pick[];
  /** Whether a decided pick of the other kind came before it. If not, earlier picks may belong to it. */
  ended: boolean;
}

/**
 * Returns the streak that runs at the end of some decided picks, or undefined without any.
 * @param picks ordered by `settledAt`, `postedAt`, and `pickUuid`, the latest first
 */
export function runningStreak<Pick extends { result: (typeof decidedResults)[number] }>(
  picks: readonly Pick[],
): Streak<Pick> | undefined {
  const [last] = picks;
  if (last === undefined) return undefined;
  const end = picks.findIndex(({ result }) => result !== last.result);
  return {
    kind: last.result === 'win' ? 'W' : 'L',
    picks: picks.slice(0, end === -1 ? undefined : end),
    ended: end !== -1,
  };
}
