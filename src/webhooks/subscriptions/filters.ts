import { takeLock } from '../../../migrations/locks.ts';
import type { Database, Transaction } from '../../platform/database.ts';

/** The events that a subscription receives. Null matches all. */
export interface Filter {
  capperId: number | null;
  sport: string | null;
  market: string | null;
  /** Of the capper when the pick was posted. */
  tier: string | null;
  kind: 'posted' | 'settled' | null;
}

/** Columns of filters, and of the events that they match. */
const columns = {
  capperId: 'capper_id',
  sport: 'sport',
  market: 'market',
  tier: 'tier',
  kind: 'kind',
} as const;
export const filterColumns = Object.values(columns);

/** SQL: the fields of a {@link Filter}, `f`. */
export const filterFields = Object.entries(columns)
  .map(([field, column]) => `f.${column} as "${field}"`)
  .join(', ');

/** SQL condition: a filter, `f`, matches an event, `e`. */
export const matching = filterColumns
  .map((column) => `(f.${column} is null or e.${column} = f.${column})`)
  .join(' and ');

/** Returns only the filter of a row. */
export function filterOf({ capperId, sport, market, tier, kind }: Filter): Filter {
  return { capperId, sport, market, tier, kind };
}

/** Returns a filter as columns. */
export function columnsOf({ capperId, sport, market, tier, kind }: Filter) {
  return { capper_id: capperId, sport, market, tier, kind };
}

/**
 * Finds or creates a filter. A creation locks out the log's reader, so that no event is missed between the filter's first head and the
 * reader's next batch.
 * @returns the filter's id
 */
export async function filterFor(transaction: Transaction, filter: Filter): Promise<number> {
  const wanted = columnsOf(filter);
  const find = async (): Promise<number | undefined> =>
    (await transaction('webhook_filters').where(wanted).select('id'))[0]?.id;
  const known = await find();
  if (known !== undefined) return known;
  await takeLock(transaction, 'announcing');
  await transaction.raw(
    `insert into webhook_filters (${filterColumns.join(', ')}, head_seq)
     select f.*, coalesce((select max(e.seq) from webhook_events e where ${matching}), -1)
     from (select cast(:capper_id as int) as capper_id, cast(:sport as text) as sport, cast(:market as text) as market,
       cast(:tier as text) as tier, cast(:kind as text) as kind) f
     on conflict do nothing`,
    wanted,
  );
  return (await find())!;
}

/** Choices that the subscription form offers. */
export interface FilterChoices {
  /** Handles of verified cappers, sorted; others may be typed. */
  cappers: readonly string[];
  sports: readonly { key: string; label: string }[];
}

/** Limit on the offered handles, which keeps the page small. */
const maxCappers = 200;

export async function filterChoices(database: Database): Promise<FilterChoices> {
  const [cappers, sports] = await Promise.all([
    database('cappers').where('verified', true).orderBy('handle').limit(maxCappers).pluck('handle'),
    database('sports').orderBy('position').select('key', 'label'),
  ]);
  return { cappers, sports };
}
