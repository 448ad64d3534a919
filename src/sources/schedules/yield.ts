import type { LeftOut } from '../answer.ts';

const day = 86_400_000;

/** What earlier answers of a feed listed. */
export interface Usual {
  /** Games in an answer of about a day before; null: there is none yet. */
  listed: number | null;
  /** When that answer came, in epoch milliseconds. */
  at: number | null;
}

/** Reasons that do not count against a feed: such events belong into a schedule. */
const expected = new Set([
  'all day, no exact start yet',
  'opponent not known yet',
  'no game',
  'older version of an event',
  'another sport',
  'event not known before its start',
  'cancelled event not known',
  'start that a more trusted source contradicts',
]);

/**
 * Why a feed counts as degraded: it lists nothing, fewer than half of its events are games, or it lists less than half of what it listed a day
 * before. Of a feed whose season is over nothing is expected while no other source has a game of that sport to come.
 * @param listed games in the answer
 * @param past whether it lists games that are over, and no others
 * @param awaited whether games of this sport are to come
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
    return awaited ? 'all its games are over, and others of this sport are to come' : undefined;
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

/** Below this many games half of them is no sign of anything. */
const fewest = 8;

/** What later answers are compared with: renewed once a day, and after a week of a lower yield, which is then the usual one. */
export function nextUsual(listed: number, isDegraded: boolean, usual: Usual, now: number): Usual {
  const age = usual.at === null ? Number.POSITIVE_INFINITY : now - usual.at;
  return age >= (isDegraded ? 7 * day : day) ? { listed, at: now } : usual;
}
