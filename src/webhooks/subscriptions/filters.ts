import { takeLock } from '../../../migrations/locks.ts';
import type { Database, Transaction } from '../../platform/database.ts';

/**
 * Finds or creates the filter of a capper and a sport; null matches all. A creation locks out the log's reader, so that no event is missed
 * between the filter's first head and the reader's next batch.
 * @returns the filter's id
 */
export async function filterFor(
  transaction: Transaction,
  capperId: number | null,
  sport: string | null,
): Promise<number> {
  const known = await find(transaction, capperId, sport);
  if (known !== undefined) return known;
  await takeLock(transaction, 'announcing');
  await transaction.raw(
    `insert into webhook_filters (capper_id, sport, head_seq)
     select :capperId::int, :sport::text, coalesce(max(seq), -1) from webhook_events
     where (:capperId::int is null or capper_id = :capperId) and (:sport::text is null or sport = :sport)
     on conflict do nothing`,
    { capperId, sport },
  );
  return (await find(transaction, capperId, sport))!;
}

async function find(
  transaction: Transaction,
  capperId: number | null,
  sport: string | null,
): Promise<number | undefined> {
  const found: { id: number }[] = await transaction('webhook_filters')
    .whereRaw('capper_id is not distinct from ?::int and sport is not distinct from ?::text', [
      capperId,
      sport,
    ])
    .select('id');
  return found[0]?.id;
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
