import type { Database } from '../../platform/database.ts';
import { matching } from '../subscriptions/filters.ts';

/** Health of the fanout. Instants in epoch milliseconds of the service's clock. */
export interface FanoutHealth {
  /** When the last cycle began; null before the first. */
  lastCycleAt: number | null;
  /** When the oldest event that waits for a healthy subscription was announced; null if none waits. */
  oldestUndeliveredAt: number | null;
  /** Whether anyone is subscribed. */
  subscribed: boolean;
}

/** Subscriptions furthest behind that are inspected. Most waiting subscriptions are alike, so more would not change the answer. */
const maxInspected = 100;

const furthestBehind = (lane: string) => `
  select s.cursor_seq from webhook_subscriptions s
  where s.filter_id = f.id and s.status = 'active' and s.cursor_seq <= f.head_seq
    and ${lane} and s.consecutive_failures = 0 and (s.retry_at is null or s.retry_at <= :now)
  order by s.cursor_seq limit 1`;

/**
 * Measures the fanout. Events that a receiver postponed (Retry-After) or failed to accept do not count as waiting.
 * @param now epoch milliseconds
 */
export async function fanoutHealth(database: Database, now: number): Promise<FanoutHealth> {
  const { rows }: { rows: FanoutHealth[] } = await database.raw(
    `select
       (select started_at from webhook_cycles) as "lastCycleAt",
       exists (select from webhook_subscriptions where status = 'active') as subscribed,
       (select min(e.at) from (
          select f.*, s.cursor_seq from webhook_filters f cross join lateral (
            -- Each lane has its own index.
            (${furthestBehind('s.platform is null')}) union all (${furthestBehind("s.platform <> 'push'")})
            union all (${furthestBehind("s.platform = 'push'")})) s
          where f.head_seq >= 0 order by s.cursor_seq limit :maxInspected) f
        cross join lateral (
          select e.at from webhook_events e
          where e.seq >= f.cursor_seq and ${matching}
          order by e.seq limit 1) e) as "oldestUndeliveredAt"`,
    { now: new Date(now), maxInspected },
  );
  return rows[0]!;
}
