import type { Static } from 'typebox';
import { instant as readInstant } from '../platform/clock.ts';
import { columnsOf } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { instant, slug } from '../platform/fields.ts';
import { Type } from '../platform/type.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import type { SeenPrice } from '../rules/price-check.ts';
import { keptWholeMs, repeatedPrices } from '../rules/repeated-prices.ts';
import { subjectFault } from '../rules/selection.ts';
import { americanOdds, gameFields, lineField, subject } from './fields.ts';
import { findGames, type Game, gameKey, noGame } from './game.ts';
import { added, type Intake, leftOut, type RowOutcome, refused, unchanged } from './row-outcome.ts';
import { selectionChecker } from './selection-checker.ts';
import { knownSubjects } from './subjects.ts';

/** A price at an instant, as files, operators, and providers give it. */
export const lineRow = Type.Object({
  ...gameFields,
  market: slug,
  subject,
  side: slug,
  line: lineField,
  oddsAmerican: americanOdds,
  capturedAt: instant,
  closing: Type.Optional(Type.Boolean()),
  book: slug,
});

export type LineRow = Static<typeof lineRow>;
export const checkLine = selectionChecker(lineRow);

/**
 * Stores prices of known games. Repeating a price changes nothing. Leaves out prices captured after the service's clock, and prices that
 * repeat their neighbors in a game that ended long ago, because they would be removed again.
 * @param by the origin: with a provider's prices, prices by hand set no reference (docs/rules/prices.md)
 */
export async function applyLines(
  database: Database,
  rows: readonly LineRow[],
  { now }: Intake,
  by: 'hand' | 'provider' = 'hand',
): Promise<RowOutcome[]> {
  const games = await findGames(database, rows);
  const outcomes: RowOutcome[] = [];
  const taken: (NewLine & { sport: string })[] = [];
  rows.forEach((row, index) => {
    const game = games.get(gameKey(row));
    if (game === undefined) {
      outcomes[index] = refused(noGame(row));
      return;
    }
    if (readInstant(row.capturedAt) > now) {
      outcomes[index] = leftOut(`captured after ${new Date(now).toISOString()}`);
      return;
    }
    const about = { market: row.market, subject: row.subject ?? null };
    const fault = subjectFault(about);
    if (fault !== undefined) {
      outcomes[index] = refused(fault);
      return;
    }
    outcomes[index] = unchanged;
    taken.push({
      sport: row.sport,
      i: index,
      game_id: game.id,
      ...about,
      side: row.side,
      line_e3: lineToE3(row.line),
      odds_american: row.oddsAmerican,
      captured_at: row.capturedAt,
      closing: row.closing ?? false,
      book: row.book,
    });
  });
  const subjects = await knownSubjects(
    database,
    taken.map(({ game_id, ...about }) => ({ ...about, gameId: game_id })),
  );
  const fresh = taken.map(({ sport: _, ...line }, at) => ({ ...line, subject: subjects[at]! }));
  const byHand = by === 'hand';
  const lines = await withoutRepeated(database, fresh, [...games.values()], byHand, now);
  if (lines.length === 0) return outcomes;
  const before: { i: number }[] = await insertLines(database, lines, byHand);
  for (const { i } of before) outcomes[i] = added;
  return outcomes;
}

/** A new row of `lines`. `i` is its index among the given rows. */
interface NewLine {
  i: number;
  game_id: number;
  market: string;
  subject: string | null;
  side: string;
  line_e3: number | null;
  odds_american: number;
  captured_at: string;
  closing: boolean;
  book: string;
}

const lineTypes = {
  i: 'int',
  game_id: 'bigint',
  market: 'text',
  subject: 'text',
  side: 'text',
  line_e3: 'int',
  odds_american: 'int',
  captured_at: 'timestamptz',
  closing: 'boolean',
  book: 'text',
} as const;

/** Leaves out prices that would be removed again. */
async function withoutRepeated(
  database: Database,
  lines: NewLine[],
  games: readonly Game[],
  byHand: boolean,
  now: number,
): Promise<NewLine[]> {
  const priced = new Set(lines.map(({ game_id }) => game_id));
  const ids = games
    .filter(({ id, finalAt }) => priced.has(id) && finalAt !== null && finalAt <= now - keptWholeMs)
    .map(({ id }) => id);
  if (ids.length === 0) return lines;
  const [stored, starts] = [await wholeMarkets(database, ids), await startsOf(database, ids)];
  const repeated = new Set<number>();
  for (const [key, rows] of Map.groupBy(lines, ({ game_id, market }) => `${game_id}/${market}`)) {
    const gameStarts = starts.get(rows[0]!.game_id);
    if (gameStarts === undefined) continue;
    const known = (stored.get(key) ?? []).map((row) => ({ ...row, i: -1 }));
    const given = rows.map((row) => ({
      i: row.i,
      id: Number.POSITIVE_INFINITY,
      subject: row.subject,
      side: row.side,
      lineE3: row.line_e3,
      oddsAmerican: row.odds_american,
      capturedAt: readInstant(row.captured_at),
      closing: row.closing,
      book: row.book,
      byHand,
    }));
    // No closing or settlement has used the new prices.
    const lookups = { starts: gameStarts, lastIds: [], postedAt: [], followed: [] };
    for (const { i } of repeatedPrices([...known, ...given], lookups)) repeated.add(i);
  }
  return lines.filter(({ i }) => !repeated.has(i));
}

/** Returns every start that games have had, in epoch milliseconds; an empty list for a game without one. */
export async function startsOf(
  database: Database,
  gameIds: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows }: { rows: { gameId: number; at: number | null }[] } = await database.raw(
    `select g.id as "gameId", s.at from games g cross join lateral (
       values (g.announced_start), (g.starts_at) union select m.from_start from start_moves m where m.game_id = g.id) s (at)
     where g.id = any(?::bigint[])`,
    [[...gameIds]],
  );
  const starts = new Map<number, number[]>(gameIds.map((id) => [id, []]));
  for (const { gameId, at } of rows) if (at !== null) starts.get(gameId)!.push(at);
  return starts;
}

/**
 * Stores prices. Locks each game before its prices get ids, so that no price is between reading and storing while grading holds the game's
 * lock. A price that a closing's `last_line_id` excludes was therefore not stored yet. The first price of a day takes a further lock before
 * that (`firstPrices`), because it counts for all games of its sport.
 * @returns the `i` of the new rows
 */
async function insertLines(
  database: Database,
  lines: readonly NewLine[],
  byHand: boolean,
): Promise<{ i: number }[]> {
  const { table, bindings } = columnsOf(lineTypes, lines);
  const { rows }: { rows: { i: number }[] } = await database.raw(
    `with given as (
       select i, game_id, market, subject, side, line_e3, odds_american, date_trunc('milliseconds', captured_at) as captured_at, closing, book
       from ${table} as r (${Object.keys(lineTypes).join(', ')})
     )${
       byHand
         ? ''
         : `, first as materialized (
       select name from price_locks where name = 'firstPrices' and exists (
         select from given join games g on g.id = given.game_id where not exists (
           select from priced_days d where d.sport = g.sport and d.day = (given.captured_at at time zone 'America/New_York')::date))
       for update
     )`
     }, locked as materialized (
       select id from games where id in (select game_id from given)${byHand ? '' : ' and (select count(*) from first) >= 0'}
       order by id for key share
     ), inserted as (
       insert into lines (game_id, market, subject, side, line_e3, odds_american, captured_at, closing, book${byHand ? '' : ', by_hand'})
       select game_id, market, subject, side, line_e3, odds_american, captured_at, closing, book${byHand ? '' : ', false'}
       from given join locked on locked.id = given.game_id
       on conflict do nothing
       returning game_id, market, subject, side, line_e3, odds_american, captured_at, closing, book
     )
     select min(given.i) as i from given join inserted
       using (game_id, market, side, odds_american, captured_at, closing, book)
     where given.line_e3 is not distinct from inserted.line_e3 and given.subject is not distinct from inserted.subject
     group by inserted.game_id, inserted.market, inserted.subject, inserted.side, inserted.line_e3, inserted.odds_american,
       inserted.captured_at, inserted.closing, inserted.book`,
    bindings,
  );
  return rows;
}

/** A stored price. Ids ascend in the order of storing. */
export type StoredPrice = SeenPrice & { id: number; gameId: number };

/** Reads all prices of some games, by {@link marketKey}. */
export async function pricesOf(
  database: Database,
  gameIds: readonly number[],
): Promise<Map<string, StoredPrice[]>> {
  return Map.groupBy(await allPrices(database, gameIds), marketKey);
}

/** A market of a game, about a subject. */
export type MarketName = Pick<StoredPrice, 'gameId' | 'market' | 'subject'>;

/**
 * Reads the prices of some markets, by {@link marketKey}.
 * @param since epoch milliseconds; leaves out earlier prices unless they are marked as closing
 */
export async function pricesOfMarkets(
  database: Database,
  markets: readonly MarketName[],
  since?: number,
): Promise<Map<string, StoredPrice[]>> {
  const wanted = new Map(
    markets.map(({ gameId, market, subject }) => {
      const one = { gameId, market, subject };
      return [marketKey(one), one];
    }),
  );
  if (wanted.size === 0) return new Map();
  const columns = Object.entries(priceColumns).map(([as, column]) => `l.${column} as "${as}"`);
  const { rows }: { rows: StoredPrice[] } = await database.raw(
    `select ${columns.join(', ')}
     from json_to_recordset(?) as w ("gameId" bigint, market text, subject text)
     join lines l on l.game_id = w."gameId" and l.market = w.market and l.subject is not distinct from w.subject
     where l.captured_at >= ? or l.closing`,
    [JSON.stringify([...wanted.values()]), since === undefined ? '-infinity' : new Date(since)],
  );
  return Map.groupBy(rows, marketKey);
}

/** Reads all prices of some games, by `<game id>/<market>`. All subjects of a market are together, as in a book's snapshots. */
export async function wholeMarkets(
  database: Database,
  gameIds: readonly number[],
): Promise<Map<string, StoredPrice[]>> {
  return Map.groupBy(await allPrices(database, gameIds), ({ gameId, market }) => `${gameId}/${market}`);
}

function allPrices(database: Database, gameIds: readonly number[]): Promise<StoredPrice[]> {
  return database('lines')
    .whereIn('game_id', [...gameIds])
    .select(priceColumns);
}

/** The columns of a {@link StoredPrice} in `lines`. */
export const priceColumns = {
  id: 'id',
  gameId: 'game_id',
  market: 'market',
  subject: 'subject',
  side: 'side',
  lineE3: 'line_e3',
  oddsAmerican: 'odds_american',
  capturedAt: 'captured_at',
  closing: 'closing',
  book: 'book',
  byHand: 'by_hand',
} as const;

/** Returns a key for a market of a game about a subject, for maps. */
export function marketKey({ gameId, market, subject }: MarketName): string {
  return JSON.stringify([gameId, market, subject]);
}
