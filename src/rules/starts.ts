/** A move of a game's start. Instants in epoch milliseconds, here and below. */
export interface StartMove {
  from: number | null;
  to: number | null;
  at: number;
}

/** What is known of the starts that a game had. */
export interface KnownStarts {
  announcedStart: number | null;
  /** When the game became known. */
  announcedAt: number;
  /** In order. */
  moves: readonly StartMove[];
}

/** A start that passed while it was the game's start. */
export interface PassedStart {
  start: number;
  /** The instant from which the game counts as started: the start, or when it became known if that was later. */
  at: number;
}

/** How long a game without a final result keeps later games of its opponents from taking live picks. */
export const undecidedMs = 48 * 3_600_000;

/**
 * The starts of a game that have passed by an instant, in order. A start that was moved before it came has not passed; one that has passed
 * stays passed, wherever the game is moved: docs/rules/games.md#a-start-that-has-passed.
 */
export function passedStarts({ announcedStart, announcedAt, moves }: KnownStarts, by: number): PassedStart[] {
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
 * The start of a game that keeps another game of the same opponents from taking picks at an instant: it passed within the 48 hours before,
 * and the other game was not announced before it (docs/rules/games.md#games-of-one-pair).
 * @param game without a final result at that instant
 */
export function blockingStart(
  game: KnownStarts,
  other: Pick<KnownStarts, 'announcedAt'>,
  by: number,
): PassedStart | undefined {
  return passedStarts(game, by).find(({ at }) => at > by - undecidedMs && at <= other.announcedAt);
}
