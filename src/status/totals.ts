import type { Database } from '../platform/database.ts';

/** Row counts for `/api/status`. */
export interface Totals {
  picks: number;
  settled: number;
  pending: number;
  cappers: number;
  /** Active subscriptions. */
  subscriptions: number;
  /** Events that receivers accepted within the last 24 hours. */
  deliveries24h: number;
}

/** How far the log and the deliveries are counted; the next count continues from there. */
export interface CountProgress {
  /** The first uncounted `seq`. */
  nextSeq: number;
  posted: number;
  settled: number;
  /** Deliveries per quarter of an hour: its start in epoch milliseconds, and their number. */
  deliveries: [from: number, count: number][];
  /** Deliveries before this instant are counted. */
  deliveriesUntil: EpochMs;
}

const stepEntries = 100_000;
const quarterMs = 900_000;
const dayMs = 86_400_000;
/** How long after its instant an attempt may be stored, in ms. */
const lateMs = 30_000;

/** Continues the count from `before`, at a cost that grows with new rows. Without `before`, it counts from the start. */
export async function countTotals(
  database: Database,
  before: CountProgress | undefined,
  now: EpochMs,
): Promise<{ counted: CountProgress; totals: Totals }> {
  const { log, picks, settled } = await countLog(database, before);
  const deliveries = await countDeliveries(database, before, now);
  const { rows }: { rows: Pick<Totals, 'cappers' | 'subscriptions'>[] } = await database.raw(
    `select (select count(*) from cappers)::int as cappers,
       (select count(*) from webhook_subscriptions where status = 'active')::int as subscriptions`,
  );
  return {
    counted: { ...log, ...deliveries },
    totals: {
      picks,
      settled,
      pending: picks - settled,
      ...rows[0]!,
      deliveries24h: deliveries.deliveries.reduce((sum, [, count]) => sum + count, 0),
    },
  };
}

async function countLog(database: Database, before: CountProgress | undefined) {
  let { nextSeq, posted, settled } = before ?? { nextSeq: 0, posted: 0, settled: 0 };
  for (;;) {
    // Unsealed events are counted in the same snapshot, so every event counts exactly once.
    const { rows }: { rows: Record<'entries' | 'posted' | 'settled' | 'unposted' | 'unsettled', number>[] } =
      await database.raw(
        `select count(*)::int as entries, count(*) filter (where kind = 'posted')::int as posted,
           count(*) filter (where kind = 'settled')::int as settled,
           (select count(*) from unsealed_events where kind = 'posted')::int as unposted,
           (select count(*) from unsealed_events where kind = 'settled')::int as unsettled
         from ledger_entries where seq >= ? and seq < ?`,
        [nextSeq, nextSeq + stepEntries],
      );
    const step = rows[0]!;
    nextSeq += step.entries;
    posted += step.posted;
    settled += step.settled;
    if (step.entries < stepEntries)
      return {
        log: { nextSeq, posted, settled },
        picks: posted + step.unposted,
        settled: settled + step.unsettled,
      };
  }
}

async function countDeliveries(database: Database, before: CountProgress | undefined, now: number) {
  const oldest = now - dayMs;
  const until = Math.max(before?.deliveriesUntil ?? 0, now - lateMs);
  const from = Math.max(before?.deliveriesUntil ?? 0, oldest);
  const counts = new Map(before?.deliveries.filter(([start]) => start + quarterMs > oldest));
  if (from < until) {
    const { rows }: { rows: { quarter: number; count: number }[] } = await database.raw(
      `select floor(extract(epoch from at) * 1000 / :quarterMs)::bigint as quarter, sum(picks)::bigint as count
       from webhook_attempts where at >= :from and at < :until and status between 200 and 299 and event <> 'ping'
       group by 1`,
      { quarterMs, from: new Date(from), until: new Date(until) },
    );
    for (const { quarter, count } of rows)
      counts.set(quarter * quarterMs, (counts.get(quarter * quarterMs) ?? 0) + count);
  }
  return { deliveries: [...counts], deliveriesUntil: until };
}
