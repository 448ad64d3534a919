import { takeLock } from '../../migrations/locks.ts';
import { type Game, gameColumns, nameOf, startWords } from '../games/game.ts';
import { applyGames, type GameRow } from '../intake/game.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Database, Transaction } from '../platform/database.ts';

/** A full answer: it lists every event of the feed that starts within a span. Instants in epoch milliseconds. */
export interface FullAnswer {
  from: number;
  to: number;
  /** Ids of its events, including those without a start; `unchanged`: those of the previous answer. */
  eventIds: readonly string[] | 'unchanged';
}

/**
 * Notes events that a full answer omits, and postpones their games by {@link vanishedVerdict}. A remark in the log tells those whose
 * picks wait. An answer that omits most of them is at fault itself, and is ignored.
 * @param source name of the feed
 * @returns the number of postponed games
 */
export function noteVanished(
  database: Database,
  source: string,
  answer: FullAnswer,
  now: number,
): Promise<number> {
  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'sources');
    return postponeVanished(transaction, await missingGames(transaction, source, answer, now), now);
  });
}

/**
 * Like {@link noteVanished}, for games whose events now have other opponents or none: such an id lists another game.
 * @param known number of known games that the answer's ids belonged to
 * @returns the number of postponed games
 */
export async function noteReplaced(
  transaction: Transaction,
  source: string,
  replaced: readonly (Game & { eventId: string })[],
  known: number,
  now: number,
): Promise<number> {
  const open = replaced.filter(({ status }) => status === 'scheduled');
  if (open.length === 0 || isPoorAnswer(open.length, known)) return 0;
  await countMisses(
    transaction,
    source,
    open.map(({ id, eventId }) => ({ gameId: id, eventId })),
    now,
  );
  return postponeVanished(transaction, [...new Map(open.map((game) => [game.id, game])).values()], now);
}

/** Postpones those of the games that have vanished, with a remark if picks wait. @returns the number of postponed games */
async function postponeVanished(
  transaction: Transaction,
  games: readonly Game[],
  now: number,
): Promise<number> {
  if (games.length === 0) return 0;
  const rows: (Listing & { gameId: number })[] = await transaction('source_events')
    .whereRaw('game_id = any(?::bigint[])', [games.map(({ id }) => id)])
    .select(inCamelCase('game_id source missed missed_since seen_at'));
  const listings = Map.groupBy(rows, ({ gameId }) => gameId);
  const gone = games.filter(({ id }) => vanishedVerdict(listings.get(id) ?? [], now) === 'postponed');
  const postponed = gone.map((game): GameRow => ({ ...nameOf(game), status: 'postponed' }));
  const { outcomes } = await applyGames(transaction, postponed, { now, imported: false });
  const waiting = new Set<number>(
    await transaction('pending_picks')
      .whereRaw('game_id = any(?::bigint[])', [gone.map(({ id }) => id)])
      .distinct()
      .pluck('game_id'),
  );
  const remarks = gone.flatMap(({ id, sport, name, ...when }) =>
    waiting.has(id)
      ? `${sport}: ${name} (${startWords(when)}) counts as postponed: no source lists it any more.`
      : [],
  );
  await recordNotices(transaction, 'remark', remarks, now);
  return outcomes.filter(({ outcome }) => outcome === 'updated').length;
}

/** Counts a miss of each scheduled game that the answer should list under some id but does not. @returns those games */
async function missingGames(
  transaction: Transaction,
  source: string,
  { from, to, eventIds }: FullAnswer,
  now: number,
): Promise<Game[]> {
  const known: { eventId: string; missed: number; gameId: number }[] = await transaction('source_events as e')
    .join('games as g', 'g.id', 'e.game_id')
    .where({ 'e.source': source, 'g.status': 'scheduled' })
    .whereBetween('e.starts_at', [new Date(from), new Date(to)])
    .select({ eventId: 'e.event_id', missed: 'e.missed', gameId: 'e.game_id' });
  const listed = eventIds === 'unchanged' ? undefined : new Set(eventIds);
  // Some feeds give every event a new id in each answer.
  const again = new Set(known.filter(({ eventId }) => listed?.has(eventId)).map(({ gameId }) => gameId));
  const expected = known.filter(({ eventId, gameId }) => listed?.has(eventId) || !again.has(gameId));
  const missing = expected.filter(({ eventId, missed }) =>
    listed === undefined ? missed > 0 : !listed.has(eventId),
  );
  if (missing.length === 0 || isPoorAnswer(missing.length, expected.length)) return [];
  await countMisses(transaction, source, missing, now);
  return transaction('games as g')
    .whereIn(
      'g.id',
      missing.map(({ gameId }) => gameId),
    )
    .orderBy('g.id')
    .select(gameColumns);
}

async function countMisses(
  transaction: Transaction,
  source: string,
  events: readonly { eventId: string; gameId: number }[],
  now: number,
): Promise<void> {
  await transaction.raw(
    `update source_events e set missed = e.missed + 1, missed_since = coalesce(e.missed_since, :now)
     from json_to_recordset(:events) as m ("eventId" text, "gameId" bigint)
     where e.source = :source and e.event_id = m."eventId" and e.game_id = m."gameId"`,
    {
      source,
      now: new Date(now),
      events: JSON.stringify(events.map(({ eventId, gameId }) => ({ eventId, gameId }))),
    },
  );
}

const hour = 3_600_000;

/** How one feed lists a game. Instants in epoch milliseconds. */
export interface Listing {
  source: string;
  /** Consecutive full answers without it; 0: listed. */
  missed: number;
  missedSince: number | null;
  seenAt: number;
}

/** How often, and for how long in ms, a feed must omit a game. */
export const missesToVanish = 3;
const vanishMs = hour;

/** Silence after which a feed says nothing about a game, in ms. */
const staleMs = 24 * hour;

/**
 * Judges a game that a feed has stopped listing: docs/rules/games.md#games-that-disappear. The game is checked again until the feed has
 * omitted it three times and for an hour. If another feed lists it, it stays; otherwise it is postponed.
 */
export function vanishedVerdict(
  listings: readonly Listing[],
  now: number,
): 'check again' | 'listed elsewhere' | 'postponed' {
  const gone = ({ missed, missedSince }: Listing) =>
    missed >= missesToVanish && missedSince !== null && now - missedSince >= vanishMs;
  const heard = listings.filter((listing) => listing.missed > 0 || now - listing.seenAt <= staleMs);
  if (!heard.some(gone)) return 'check again';
  if (heard.some(({ missed }) => missed === 0)) return 'listed elsewhere';
  return heard.every(gone) ? 'postponed' : 'check again';
}

/** Reports whether an answer omits so many games that it must be faulty. */
export function isPoorAnswer(missing: number, expected: number): boolean {
  return missing > 3 && missing > expected / 2;
}
