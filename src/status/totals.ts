import type { Database } from '../platform/database.ts';
import type { StatusReport } from './report.ts';

export type Totals = NonNullable<StatusReport['totals']>;

/** How long totals are kept, in ms: each reading adds up a day of deliveries. */
const keptMs = 10_000;

/** Returns totals that follow the boards: a pick or result counts once they have read it. */
export function totalsReader(database: Database): (now: EpochMs) => Promise<Totals> {
  let kept: { until: number; totals: Promise<Totals> } | undefined;
  return (now) => {
    if (kept !== undefined && performance.now() < kept.until) return kept.totals;
    const totals = readTotals(database, now);
    kept = { until: performance.now() + keptMs, totals };
    totals.catch(() => {
      kept = undefined;
    });
    return totals;
  };
}

async function readTotals(database: Database, now: EpochMs): Promise<Totals> {
  const { rows }: { rows: Omit<Totals, 'pending'>[] } = await database.raw(
    `select coalesce(sum(posted), 0)::int as picks,
       coalesce(sum(wins + losses + pushes + voids + unseen), 0)::int as settled,
       (select count(*) from cappers)::int as cappers,
       (select count(*) from webhook_subscriptions where status = 'active')::int as subscriptions,
       (select coalesce(sum(picks), 0) from webhook_attempts
         where at > cast(:now as timestamptz) - interval '1 day' and at <= :now and status between 200 and 299
           and event <> 'ping')::int as "deliveries24h"
     from capper_totals`,
    { now: new Date(now) },
  );
  const { picks, settled, ...others } = rows[0]!;
  return { picks, settled, pending: picks - settled, ...others };
}
