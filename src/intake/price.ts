import { findGames, type Game, gameKey, moneylineWays, noGame } from '../games/game.ts';
import { startsOf, wholeMarkets } from '../games/lines.ts';
import { added, type Intake, leftOut, type RowOutcome, refused, unchanged } from '../games/row-outcome.ts';
import { selectionChecker } from '../games/selection-checker.ts';
import { knownSubjects, subjectFaultIn } from '../games/subjects.ts';
import { gradeDueJob } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import { iso, instant as readInstant } from '../platform/clock.ts';
import { columnsOf, columnTypes } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { instant, slug } from '../platform/fields.ts';
import { Type } from '../platform/type.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { keptWholeMs, repeatedPrices } from '../rules/repeated-prices.ts';
import { selectionFault, subjectFault } from '../rules/selection.ts';
import { booleanCell, instantCell } from './cells.ts';
import { type Fields, type RowKind, type RowOf, schemaOf } from './kind.ts';
import { aboutSubjects, bookOf, futureGame, gameFields, oddsField, selectionFields } from './of-games.ts';

const fields = {
  ...gameFields,
  ...selectionFields,
  oddsAmerican: oddsField,
  capturedAt: {
    schema: instant,
    about: 'Instant at which the price was on offer.',
    cell: instantCell,
  },
  closing: {
    schema: Type.Optional(Type.Boolean()),
    about: 'Whether it is the last price before the start, regardless of its capture time.',
    cell: booleanCell,
  },
  book: { schema: slug, about: 'The book that offered it.', ...bookOf },
} satisfies Fields;

const schema = schemaOf(fields);

/** A price at an instant, as files, operators, and providers give it. */
export type LineRow = RowOf<typeof fields>;
export const checkLine = selectionChecker(schema);

export const price: RowKind<LineRow> = {
  title: 'PriceRow',
  about: 'Adds prices, from which picks get their closing prices and price checks.',
  identity: 'all its fields',
  example: {
    ...futureGame,
    market: 'spread',
    side: 'home',
    line: -3.5,
    oddsAmerican: -110,
    capturedAt: '2024-10-06T15:00:00Z',
    book: 'draftkings',
  },
  fields,
  schema,
  check: checkLine,
  apply: aboutSubjects((transaction, rows, intake) => applyLines(transaction, rows, intake)),
  wakes: [gradeDueJob as Job],
};

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
  const ways = await moneylineWays(database);
  const taken: (NewLine & { sport: string; game: string })[] = [];
  const outcomes = rows.map((row, i): RowOutcome => {
    const game = games.get(gameKey(row));
    if (game === undefined) return refused(noGame(row));
    if (readInstant(row.capturedAt) > now) return leftOut(`captured after ${iso(now)}`);
    const about = { market: row.market, subject: row.subject ?? null };
    // Providers name some subjects in their own way. Their readers judge sides and lines.
    const fault =
      by === 'provider'
        ? subjectFault(about, row)
        : (selectionFault(
            { ...about, side: row.side, lineE3: lineToE3(row.line) },
            row,
            ways.get(row.sport) ?? 2,
          ) ?? subjectFaultIn(game, about));
    if (fault !== undefined) return refused(fault);
    taken.push({
      sport: row.sport,
      game: game.name,
      i,
      game_id: game.id,
      ...about,
      side: row.side,
      line_e3: lineToE3(row.line),
      odds_american: row.oddsAmerican,
      captured_at: row.capturedAt,
      closing: row.closing ?? false,
      book: row.book,
    });
    return unchanged;
  });
  const subjects = await knownSubjects(
    database,
    taken.map(({ game_id, ...about }) => ({ ...about, gameId: game_id })),
    by === 'provider' ? 'source' : 'post',
  );
  const fresh = taken.map(({ sport: _, game: _title, ...line }, at) => ({ ...line, subject: subjects[at]! }));
  const byHand = by === 'hand';
  const lines = await withoutRepeated(database, fresh, [...games.values()], byHand, now);
  if (lines.length === 0) return outcomes;
  for (const { i } of await insertLines(database, lines, byHand, now)) outcomes[i] = added;
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

const lineTypes = columnTypes(
  'i int, game_id bigint, market text, subject text, side text, line_e3 int, odds_american int, captured_at timestamptz, closing boolean, book text',
);

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
  // So long after the start, it changes nothing when a price was stored.
  const late = { storedAt: now };
  const repeated = new Set<number>();
  for (const [key, rows] of Map.groupBy(lines, ({ game_id, market }) => `${game_id}/${market}`)) {
    const gameStarts = starts.get(rows[0]!.game_id);
    if (gameStarts === undefined) continue;
    const known = (stored.get(key) ?? []).map((row) => ({ ...row, ...late, i: -1 }));
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
      ...late,
    }));
    // No closing or settlement has used the new prices.
    const lookups = { starts: gameStarts, lastIds: [], postedAt: [], followed: [] };
    for (const { i } of repeatedPrices([...known, ...given], lookups)) repeated.add(i);
  }
  return lines.filter(({ i }) => !repeated.has(i));
}

/**
 * Stores prices. Locks each game before its prices get ids, so that no price is between reading and storing while grading holds the game's
 * lock. A price that a closing's `last_line_id` excludes was therefore not stored yet. The first price of a day takes a further lock before
 * that (`firstPrices`), because it counts for all games of its sport.
 * @param now when the prices count as stored, except in a live log
 * @returns the `i` of the new rows
 */
async function insertLines(
  database: Database,
  lines: readonly NewLine[],
  byHand: boolean,
  now: number,
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
       insert into lines (game_id, market, subject, side, line_e3, odds_american, captured_at, closing, book, stored_at${byHand ? '' : ', by_hand'})
       select game_id, market, subject, side, line_e3, odds_american, captured_at, closing, book, cast(? as timestamptz)${byHand ? '' : ', false'}
       from given join locked on locked.id = given.game_id
       on conflict do nothing
       returning game_id, market, subject, side, line_e3, odds_american, captured_at, closing, book
     )
     select min(given.i) as i from given join inserted
       using (game_id, market, side, odds_american, captured_at, closing, book)
     where given.line_e3 is not distinct from inserted.line_e3 and given.subject is not distinct from inserted.subject
     group by inserted.game_id, inserted.market, inserted.subject, inserted.side, inserted.line_e3, inserted.odds_american,
       inserted.captured_at, inserted.closing, inserted.book`,
    [...bindings, new Date(now)],
  );
  return rows;
}
