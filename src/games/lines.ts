import type { Static } from 'typebox';
import { instant as readInstant } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { americanOdds, gameFields, instant, priceLine, slug } from '../platform/fields.ts';
import { added, type Intake, leftOut, type RowOutcome, refused, unchanged } from '../platform/row-outcome.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { PriceRow } from '../rules/closing-snapshot.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { findGames, gameKey } from './game.ts';

const lineRow = Type.Object({
  ...gameFields,
  market: slug,
  side: slug,
  line: priceLine,
  oddsAmerican: americanOdds,
  capturedAt: instant,
  closing: Type.Optional(Type.Boolean()),
  book: slug,
});

export type LineRow = Static<typeof lineRow>;
export const checkLine = checker(lineRow);

/** Adds prices of games that are known. The same price again changes nothing; one captured after the service's clock is left out. */
export async function applyLines(
  database: Database,
  rows: readonly LineRow[],
  { now }: Intake,
): Promise<RowOutcome[]> {
  const games = await findGames(database, rows);
  const outcomes: RowOutcome[] = [];
  const fresh: Record<string, unknown>[] = [];
  rows.forEach((row, index) => {
    const game = games.get(gameKey(row));
    if (game === undefined) {
      outcomes[index] = refused(
        `no game ${row.sport}: ${row.game} announced for ${row.startsAt ?? 'no start'}`,
      );
      return;
    }
    if (readInstant(row.capturedAt) > now) {
      outcomes[index] = leftOut(`captured after ${new Date(now).toISOString()}`);
      return;
    }
    outcomes[index] = unchanged;
    fresh.push({
      i: index,
      game_id: game.id,
      market: row.market,
      side: row.side,
      line_e3: lineToE3(row.line),
      odds_american: row.oddsAmerican,
      captured_at: row.capturedAt,
      closing: row.closing ?? false,
      book: row.book,
    });
  });
  if (fresh.length === 0) return outcomes;
  const before: { i: number }[] = await insertLines(database, fresh);
  for (const { i } of before) outcomes[i] = added;
  return outcomes;
}

/**
 * Locks each game before its prices get ids, so that none is between reading and storing while grading has the game locked: what
 * `last_line_id` of a closing excludes was not there yet.
 * @returns the `i` of the rows that were new
 */
async function insertLines(
  database: Database,
  lines: readonly Record<string, unknown>[],
): Promise<{ i: number }[]> {
  const { rows }: { rows: { i: number }[] } = await database.raw(
    `with given as (
       select i, game_id, market, side, line_e3, odds_american, date_trunc('milliseconds', captured_at) as captured_at, closing, book
       from json_to_recordset(?) as r (i int, game_id bigint, market text, side text, line_e3 int, odds_american int,
         captured_at timestamptz, closing boolean, book text)
     ), locked as materialized (
       select id from games where id in (select game_id from given) order by id for key share
     ), inserted as (
       insert into lines (game_id, market, side, line_e3, odds_american, captured_at, closing, book)
       select game_id, market, side, line_e3, odds_american, captured_at, closing, book
       from given join locked on locked.id = given.game_id
       on conflict do nothing
       returning game_id, market, side, line_e3, odds_american, captured_at, closing, book
     )
     select min(given.i) as i from given join inserted
       using (game_id, market, side, odds_american, captured_at, closing, book)
     where given.line_e3 is not distinct from inserted.line_e3
     group by inserted.game_id, inserted.market, inserted.side, inserted.line_e3, inserted.odds_american,
       inserted.captured_at, inserted.closing, inserted.book`,
    [JSON.stringify(lines)],
  );
  return rows;
}

/** All prices of some games, by game and market. */
export async function pricesOf(
  database: Database,
  gameIds: readonly number[],
): Promise<Map<string, PriceRow[]>> {
  const rows: (PriceRow & { gameId: number; market: string })[] = await database('lines')
    .whereIn('game_id', [...gameIds])
    .select({
      gameId: 'game_id',
      market: 'market',
      side: 'side',
      lineE3: 'line_e3',
      oddsAmerican: 'odds_american',
      capturedAt: 'captured_at',
      closing: 'closing',
      book: 'book',
    });
  const prices = new Map<string, PriceRow[]>();
  for (const { gameId, market, ...row } of rows) {
    const key = marketKey(gameId, market);
    const list = prices.get(key);
    if (list === undefined) prices.set(key, [row]);
    else list.push(row);
  }
  return prices;
}

/** One market of one game as a text, for maps. */
export function marketKey(gameId: number, market: string): string {
  return `${gameId}/${market}`;
}
