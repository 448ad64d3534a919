/** A move of a game's start. All instants of this file are in epoch milliseconds. */
export interface StartMove {
  from: number | null;
  to: number | null;
  at: number;
}

/** The known starts of a game. */
export interface KnownStarts {
  announcedStart: number | null;
  /** When the service first learned of the game. */
  announcedAt: number;
  /** When a source, a file, or the operator announced it; null while only an imported sheet names it. */
  vouchedAt: number | null;
  /** Ordered by `at`. */
  moves: readonly StartMove[];
}

/** A start that passed while it was the game's current start. */
export interface PassedStart {
  start: number;
  /** When the game counts as started: at the start, or when the start became known, whichever is later. */
  at: number;
}

/** Time for which a game without a final result keeps later games of its opponents closed to live picks. */
export const undecidedMs = 48 * 3_600_000;

/**
 * Returns the starts of a game that have passed by an instant, in order. A start that moved before it came has not passed. A start that has
 * passed stays passed, even if the game moves later (docs/rules/games.md#a-start-that-has-passed).
 */
export function passedStarts(
  { announcedStart, announcedAt, moves }: Omit<KnownStarts, 'vouchedAt'>,
  by: number,
): PassedStart[] {
  const starts = [{ start: announcedStart, since: announcedAt }];
  for (const { to, at } of moves) starts.push({ start: to, since: at });
  return starts.flatMap(({ start, since }, index) => {
    const until = moves[index]?.at ?? Number.POSITIVE_INFINITY;
    if (start === null || until < start) return [];
    const at = Math.max(start, since);
    return at <= by ? [{ start, at }] : [];
  });
}

/**
 * Returns the start of a game that closes another game of the same opponents to picks: it passed within the previous 48 hours, and the
 * other game was not announced before it (docs/rules/games.md#games-of-one-pair). A game that only a sheet names closes none.
 * @param game a game without a final result at that instant
 */
export function blockingStart(
  game: KnownStarts,
  other: Pick<KnownStarts, 'announcedAt'>,
  by: number,
): PassedStart | undefined {
  const announced = { ...game, announcedAt: game.vouchedAt ?? Number.POSITIVE_INFINITY };
  return passedStarts(announced, by).find(({ at }) => at > by - undecidedMs && at <= other.announcedAt);
}
