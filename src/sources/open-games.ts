import type { Database } from '../platform/database.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A game that has started or starts soon, and has not ended here. Instants in epoch milliseconds. */
export interface OpenGame {
  startsAt: number;
  /** When four fifths of the sport's usual duration are over. */
  overAt: number;
  /** Whether picks wait for its end. */
  isAwaited: boolean;
}

/** How long after its end a game without picks is still requested, in ms. */
const unawaitedMs = 6 * hour;
/** How long any game is requested, in ms. After that, the operator settles it. */
const askedMs = 4 * 24 * hour;

/** Returns open games with an event of a feed whose name starts with a prefix, by feed. */
export async function openGamesOf(
  database: Database,
  prefix: string,
  now: number,
): Promise<Map<string, OpenGame[]>> {
  const rows: (OpenGame & { feed: string })[] = await openGames(database, now)
    .join('source_events as e', 'e.game_id', 'g.id')
    .whereRaw('starts_with(e.source, ?)', [prefix])
    .select({ feed: 'e.source' });
  return Map.groupBy(rows, ({ feed }) => feed);
}

/** Returns open games of a sport with pending picks. */
export async function awaitedGamesOf(database: Database, sport: string, now: number): Promise<OpenGame[]> {
  const rows: OpenGame[] = await openGames(database, now).where('g.sport', sport);
  return rows.filter(({ isAwaited }) => isAwaited);
}

function openGames(database: Database, now: number) {
  return database('games as g')
    .join('sports as s', 's.key', 'g.sport')
    .whereIn('g.status', ['scheduled', 'postponed'])
    .whereBetween('g.starts_at', [new Date(now - askedMs), new Date(now + hour)])
    .select({ startsAt: 'g.starts_at' })
    .select(
      database.raw(`g.starts_at + s.event_minutes * interval '48 seconds' as "overAt"`),
      database.raw(`exists (select from pending_picks p where p.game_id = g.id) as "isAwaited"`),
    );
}

/**
 * Plans requests for scores of open games: rarely while a game is on, often once it must be over, then with backoff while no result comes.
 * @param lastAt the last request; null for never
 * @param everyMs minimum interval between requests, in ms
 * @returns when the next one is due, and the games due now
 */
export function scoresDue(
  open: readonly OpenGame[],
  lastAt: number | null,
  everyMs: number,
  now: number,
): { dueAt: number | null; due: OpenGame[] } {
  const asked = open.filter(({ overAt, isAwaited }) => isAwaited || now - overAt < unawaitedMs);
  const dueAt = (game: OpenGame) =>
    lastAt === null ? game.startsAt : Math.max(game.startsAt, lastAt + intervalOf(game, everyMs, now));
  return {
    dueAt: asked.length === 0 ? null : Math.min(...asked.map(dueAt)),
    due: asked.filter((game) => dueAt(game) <= now),
  };
}

function intervalOf({ overAt }: OpenGame, everyMs: number, now: number): number {
  if (now < overAt) return Math.max(everyMs, 10 * minute);
  return Math.min(Math.max(everyMs, (now - overAt) / 15), hour);
}
