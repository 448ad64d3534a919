import type { Database } from '../platform/database.ts';
import type { StatusReport } from './report.ts';

export type Totals = NonNullable<StatusReport['totals']>;

const stepEntries = 100_000;
const quarterMs = 900_000;
const dayMs = 86_400_000;
/** How long after its instant an attempt may be stored, in ms. */
const lateMs = 30_000;

/** Each call continues from the last one, even one that was not awaited to its end, so its cost grows with new rows only. */
export function totalsCounter(database: Database): (now: number) => Promise<Totals> {
  /** Of the log's entries before `nextSeq`. */
  const log = { nextSeq: 0, posted: 0, settled: 0 };
  /** Deliveries before `countedUntil`, by the start of their quarter of an hour in epoch milliseconds. */
  const quarters = new Map<number, number>();
  let countedUntil = 0;

  async function countLog(): Promise<Pick<Totals, 'picks' | 'settled'>> {
    for (;;) {
      const { nextSeq } = log;
      // Unsealed events are counted in the same snapshot, so every event counts exactly once.
      const {
        rows,
      }: { rows: Record<'entries' | 'posted' | 'settled' | 'unposted' | 'unsettled', number>[] } =
        await database.raw(
          `select count(*)::int as entries, count(*) filter (where kind = 'posted')::int as posted,
             count(*) filter (where kind = 'settled')::int as settled,
             (select count(*) from unsealed_events where kind = 'posted')::int as unposted,
             (select count(*) from unsealed_events where kind = 'settled')::int as unsettled
           from ledger_entries where seq >= ? and seq < ?`,
          [nextSeq, nextSeq + stepEntries],
        );
      const { entries, posted, settled, unposted, unsettled } = rows[0]!;
      // Otherwise another call has counted these.
      if (log.nextSeq !== nextSeq) continue;
      log.nextSeq += entries;
      log.posted += posted;
      log.settled += settled;
      if (entries < stepEntries) return { picks: log.posted + unposted, settled: log.settled + unsettled };
    }
  }

  async function countDeliveries(now: number): Promise<number> {
    const from = Math.max(countedUntil, now - dayMs);
    const until = Math.max(countedUntil, now - lateMs);
    const { rows }: { rows: { quarter: number; count: number }[] } = await database.raw(
      `select floor(extract(epoch from at) * 1000 / :quarterMs)::bigint * :quarterMs as quarter, sum(picks)::bigint as count
       from webhook_attempts where at >= :from and at < :until and status between 200 and 299 and event <> 'ping'
       group by 1`,
      { quarterMs, from: new Date(from), until: new Date(until) },
    );
    if (countedUntil <= from) {
      countedUntil = until;
      for (const { quarter, count } of rows) quarters.set(quarter, (quarters.get(quarter) ?? 0) + count);
    }
    for (const quarter of quarters.keys()) if (quarter + quarterMs <= now - dayMs) quarters.delete(quarter);
    return quarters.values().reduce((sum, count) => sum + count, 0);
  }

  return async (now) => {
    const { picks, settled } = await countLog();
    const deliveries24h = await countDeliveries(now);
    const { rows }: { rows: Pick<Totals, 'cappers' | 'subscriptions'>[] } = await database.raw(
      `select (select count(*) from cappers)::int as cappers,
         (select count(*) from webhook_subscriptions where status = 'active')::int as subscriptions`,
    );
    return { picks, settled, pending: picks - settled, ...rows[0]!, deliveries24h };
  };
}
