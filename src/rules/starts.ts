import type { Provenance } from './vocabulary.ts';

/** A move of a game's start. All instants of this file are in epoch milliseconds. */
export interface StartMove {
  from: number | null;
  to: number | null;
  at: number;
}

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

/**
 * Returns the start that checks, closings, and grading of live picks take: the first one that has passed, or else the current one
 * (docs/rules/games.md#a-start-that-has-passed).
 */
export function holdingStart(
  { heldStart, startsAt }: { heldStart: number | null; startsAt: number | null },
  provenance: Provenance,
): number | null {
  return provenance === 'live' ? (heldStart ?? startsAt) : startsAt;
}

/**
 * Returns the starts that can have held for live picks when something was decided: that of {@link holdingStart}, and those that held by
 * clocks a little apart, or before a move that came later.
 * @param decidedAt when it was decided, at least
 * @param apartMs the difference between clocks that is tolerated
 */
export function startsThatHeld(
  { announcedStart, moves }: Pick<KnownStarts, 'announcedStart' | 'moves'>,
  decidedAt: number,
  apartMs: number,
): Set<number | null> {
  const heldFor = (known: readonly StartMove[], tolerance: number) => {
    const passed = known.find(({ from, at }) => from !== null && from <= at + tolerance);
    return passed === undefined ? (known.at(-1)?.to ?? announcedStart) : passed.from;
  };
  const before = moves.filter(({ at }) => at <= decidedAt);
  return new Set([heldFor(moves, 0), heldFor(moves, apartMs), heldFor(before, 0)]);
}

/** Time after a join of games from which the earlier start holds for picks on both: a pick may be stored while games are joined. */
export const joinTakesMs = 10_000;

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
