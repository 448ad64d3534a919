import { LRUCache } from 'lru-cache';
import { entriesIn } from '../../ledger/sealing/advance-cursor.ts';
import { type PickFilter, passing } from '../../projections/pick-filter.ts';
import { sumOfFollowerTallies, sumOfTallies } from '../../projections/rollups.ts';
import { etDay, windowFirstDay } from '../../rules/et-day.ts';
import type { Tally } from '../../rules/tally.ts';
import type { Window } from '../../rules/vocabulary.ts';
import type { BoardContext } from '../endpoint.ts';

type Database = BoardContext['database'];

/*
 * The order of all cappers on a leaderboard, kept in memory between answers. This is an optimization: every settlement makes every
 * leaderboard stale, and reading the sums of 100,000 cappers takes seconds. So only cappers with picks that settled since, or that left
 * the window, are read again: a leaderboard takes a tenth of the time. Measure: `npm run bench -- verdicts`. Alternative: `readPlaces` for all cappers,
 * each time.
 */

export interface StandingsFilter extends PickFilter {
  window: Window;
  /** Uses the odds this many minutes after posting. Default: the odds of the picks. */
  delay?: string | undefined;
}

/** The criteria of a leaderboard. Higher is better. */
export interface Order {
  name: 'yield' | 'clv' | 'units';
  /** The sums that it needs, beside the counts of results. */
  sums: readonly (keyof Tally)[];
  /** Cappers with equal scores share a rank. */
  score(tally: Tally): number;
  /** Orders equal scores, before the handle does. */
  tie(tally: Tally): number;
  /** The picks that count for a smallest sample. */
  sample(tally: Tally): number;
}

export interface Place {
  id: number;
  handle: string;
  score: number;
  tie: number;
  sample: number;
}

export function tableOf(firstDay: string | null, delay: string | undefined): string {
  if (delay === undefined) return firstDay === null ? 'capper_totals' : 'daily_rollups';
  return firstDay === null ? 'follower_totals' : 'follower_days';
}

/** Returns a query of the sums of cappers who settled a pick, with their ids. @param ids default: all cappers */
export function sumsOf(
  database: Database,
  firstDay: string | null,
  { delay, provenance = 'all', sport, market }: StandingsFilter,
  ids?: readonly number[],
) {
  return database({ r: tableOf(firstDay, delay) })
    .join('cappers as c', 'c.id', 'r.capper_id')
    .modify((query) => {
      if (ids !== undefined) query.whereRaw('r.capper_id = any(?::int[])', [[...ids]]);
      if (firstDay !== null) query.where('r.day', '>=', firstDay);
      if (delay === undefined) passing(query, 'r', { provenance, sport, market });
      else {
        // Imported picks cannot be followed.
        if (provenance === 'imported') query.whereRaw('false');
        passing(query.where('r.delay', delay), 'r', { sport, market });
      }
    })
    .groupBy('c.id')
    .havingRaw('sum(r.wins::bigint + r.losses + r.pushes + r.voids) > 0')
    .select({ id: 'c.id', handle: 'c.handle' });
}

export function tallyColumns(database: Database, delay: string | undefined) {
  return delay === undefined ? sumOfTallies(database) : sumOfFollowerTallies(database);
}

async function readPlaces(
  database: Database,
  order: Order,
  firstDay: string | null,
  filter: StandingsFilter,
  ids?: readonly number[],
): Promise<Place[]> {
  const columns = tallyColumns(database, filter.delay);
  const needed = new Set<keyof Tally>(['wins', 'losses', 'pushes', 'voids', ...order.sums]);
  const rows: (Tally & { id: number; handle: string })[] = await sumsOf(
    database,
    firstDay,
    filter,
    ids,
  ).select(Object.fromEntries(Object.entries(columns).filter(([name]) => needed.has(name as keyof Tally))));
  return rows.map((row) => placeOf(order, row));
}

export function placeOf(
  { score, tie, sample }: Order,
  { id, handle, ...tally }: Tally & { id: number; handle: string },
): Place {
  return { id, handle, score: score(tally), tie: tie(tally), sample: sample(tally) };
}

export function inOrder(places: readonly Place[]): Place[] {
  return places.toSorted((a, b) => {
    if (a.score !== b.score) return b.score - a.score;
    return b.tie - a.tie || (a.handle < b.handle ? -1 : 1);
  });
}

/** How far the sums that places come from follow the log. */
interface Mark {
  /** The first entry that they do not count. */
  next: number;
  /** The hash of the entry before it: a restored log is another one. */
  last: string | null;
  /** Repairs of projections, which no entry shows. */
  repairs: number;
}

interface Kept {
  mark: Mark;
  firstDay: string | null;
  places: readonly Place[];
}

/** Orders of at most this many places in all are kept, some 100 bytes each. */
const mostPlaces = 600_000;

const keptIn = new WeakMap<Database, LRUCache<string, Kept>>();

/** Best first. */
export async function placesOf(
  { database, now }: BoardContext,
  order: Order,
  filter: StandingsFilter,
): Promise<readonly Place[]> {
  const kept =
    keptIn.get(database) ??
    new LRUCache({ maxSize: mostPlaces, sizeCalculation: ({ places }) => places.length + 1 });
  keptIn.set(database, kept);
  const { window, sport, market, provenance = 'all', delay } = filter;
  const key = JSON.stringify([order.name, window, sport, market, provenance, delay]);
  const firstDay = windowFirstDay(window, etDay(now));
  const known = kept.get(key);
  // Read before the sums: an entry that both count is read again, and none is missed.
  const mark = await readMark(database, known?.mark.next);
  const changed =
    known === undefined ? undefined : await changedSince(database, known, mark, firstDay, delay);
  if (known !== undefined && changed?.size === 0) return known.places;
  const read = await readPlaces(database, order, firstDay, filter, changed && [...changed]);
  const unchanged = known?.places.filter(({ id }) => changed?.has(id) === false) ?? [];
  const places = inOrder([...unchanged, ...read]);
  kept.set(key, { mark: mark.now, firstDay, places });
  return places;
}

async function readMark(database: Database, keptNext = 0): Promise<{ now: Mark; lastKept: string | null }> {
  const { rows }: { rows: (Mark & { lastKept: string | null })[] } = await database.raw(
    `select c.next_seq as next, c.repairs,
       (select encode(hash, 'hex') from ledger_entries where seq = c.next_seq - 1) as last,
       (select encode(hash, 'hex') from ledger_entries where seq = :keptNext - 1) as "lastKept"
     from reader_cursors c where c.reader = 'boards'`,
    { keptNext },
  );
  const { lastKept, ...now } = rows[0] ?? { next: 0, last: null, repairs: 0, lastKept: null };
  return { now, lastKept };
}

/** Undefined if that is not known. */
async function changedSince(
  database: Database,
  { mark, firstDay: first }: Kept,
  { now, lastKept }: { now: Mark; lastKept: string | null },
  firstDay: string | null,
  delay: string | undefined,
): Promise<ReadonlySet<number> | undefined> {
  const isSameLog = mark.last === lastKept && mark.repairs === now.repairs && mark.next <= now.next;
  if (!isSameLog || (first !== null && firstDay !== null && firstDay < first)) return undefined;
  const rows: { id: number }[] = await entriesIn(database, mark.next, now.next)
    .join('board_picks as b', 'b.pick_id', 'e.pick_id')
    .where('e.kind', 'settled')
    .distinct({ id: 'b.capper_id' })
    .modify((query) => {
      if (firstDay === first) return;
      const left = database({ r: tableOf(firstDay, delay) }).where('r.day', '>=', first);
      query.union(left.where('r.day', '<', firstDay).select({ id: 'r.capper_id' }));
    });
  return new Set(rows.map(({ id }) => id));
}

/** A capper with a rank, which is equal for ties and null without one. */
export interface Ranked extends Place {
  rank: number | null;
}

/** Cappers without a rank follow all others. @param places in their order. @param fewest the sample that a rank needs */
export function ranked(
  places: readonly Place[],
  {
    fewest,
    limit = Infinity,
    isShown = () => true,
    isBarred = () => false,
  }: {
    fewest: number;
    limit?: number;
    isShown?: (place: Place) => boolean;
    isBarred?: (place: Place) => boolean;
  },
): Ranked[] {
  const [first, last]: [Ranked[], Ranked[]] = [[], []];
  for (const place of places) {
    if (first.length === limit) break;
    if (!isShown(place)) continue;
    if (place.sample < fewest || isBarred(place)) {
      if (last.length < limit) last.push({ ...place, rank: null });
      continue;
    }
    const before = first.at(-1);
    first.push({ ...place, rank: before?.score === place.score ? before.rank : first.length + 1 });
  }
  return [...first, ...last].slice(0, limit);
}
