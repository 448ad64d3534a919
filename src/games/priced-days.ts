import type { Database } from '../platform/database.ts';
import { type PricedDay, sourceWindowMs } from '../rules/price-check.ts';

export interface PricedDays {
  get(sport: string): readonly PricedDay[] | undefined;
  /** The id of the first price that any provider had for any sport; null if none ever had one. */
  firstLineId: number | null;
}

/**
 * Reads the days on which providers had prices for sports, beginning 30 days before the earliest given instant.
 * @param asked sports, each with an instant in epoch milliseconds, such as the post time
 */
export async function pricedDays(
  database: Database,
  asked: readonly { sport: string; postedAt: number }[],
): Promise<PricedDays> {
  if (asked.length === 0) return Object.assign(new Map(), { firstLineId: null });
  const earliest = asked.reduce((at, { postedAt }) => Math.min(at, postedAt), Infinity);
  const rows: (PricedDay & { sport: string })[] = await database('priced_days')
    .whereRaw('sport = any(?::text[])', [[...new Set(asked.map(({ sport }) => sport))]])
    .where('captured_at', '>=', new Date(earliest - sourceWindowMs))
    .select({ sport: 'sport', capturedAt: 'captured_at', lineId: 'line_id' });
  const [first]: { id: number | null }[] = await database('priced_days').min({ id: 'line_id' });
  return Object.assign(
    Map.groupBy(rows, ({ sport }) => sport),
    { firstLineId: first!.id },
  );
}
