import type { LeftOut } from '../answer.ts';

const day = 86_400_000;

/** The number of games in earlier answers of a feed. */
export interface Usual {
  /** Number of games in an answer from about a day ago; null if there is none yet. */
  listed: number | null;
  /** Time of that answer, in epoch milliseconds. */
  at: number | null;
}

/** Reasons that do not count against a feed: such events belong in a schedule. */
const expected = new Set([
  'several days, no start yet',
  'opponent not known yet',
  'no game',
  'older version of an event',
  'another sport',
  'event not known before its start',
  'cancelled event not known',
  'start that a more trusted source contradicts',
]);

/**
 * Returns why a feed counts as degraded. It lists nothing, or less than half of what it listed a day before, or fewer than half of its
 * events are games. After its season, nothing is expected while no other source has an upcoming game of that sport.
 * @param listed games in the answer
 * @param past whether all listed games are over
 * @param awaited whether games of this sport are upcoming
 */
export function yieldFault(
  listed: number,
  leftOut: LeftOut,
  past: boolean,
  awaited: boolean,
  usual: Usual,
): string | undefined {
  const reasons = Object.entries(leftOut)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
  if (listed === 0 && past)
    return awaited ? 'all its games are over, and other games of this sport are upcoming' : undefined;
  if (listed === 0) return reasons === '' ? 'it lists nothing' : `it lists no game: ${reasons}`;
  const odd = Object.entries(leftOut).reduce(
    (sum, [reason, count]) => sum + (expected.has(reason) ? 0 : count),
    0,
  );
  if (odd > listed) return `fewer than half of its events are games: ${listed} games, ${reasons}`;
  if (usual.listed !== null && usual.listed >= fewest && listed < usual.listed / 2)
    return `it lists ${listed} games, after ${usual.listed} a day before`;
  return undefined;
}

/** Minimum number of games for a comparison: half of fewer proves nothing. */
const fewest = 8;

/** Returns the counts to compare later answers with: renewed once a day, and after a week of a lower yield, which is then usual. */
export function nextUsual(listed: number, isDegraded: boolean, usual: Usual, now: number): Usual {
  const age = usual.at === null ? Number.POSITIVE_INFINITY : now - usual.at;
  return age >= (isDegraded ? 7 * day : day) ? { listed, at: now } : usual;
}
