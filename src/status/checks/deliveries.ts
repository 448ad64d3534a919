import type { Database } from '../../database.ts';
import { ageCheck, type Check, type Thresholds } from '../check.ts';
import { counted, span } from '../span.ts';

/** Subscriptions behind their head that are looked at. */
const most = 500;

/**
 * The oldest event that a webhook has not been sent. Receivers that fail or have asked for patience are left out: that is their trouble,
 * and it is theirs to see.
 */
export function deliveriesCheck(thresholds: Thresholds): Check {
  return ageCheck({
    name: 'deliveries',
    title: 'Webhook deliveries',
    about: 'How old the oldest event is that a healthy webhook has not been sent.',
    thresholds,
    restsOn: ['database', 'redis', 'workers-webhooks', 'fanout'],
    async look({ database, now }) {
      const { oldest, behind } = await read(database, now);
      if (oldest === null)
        return { seconds: 0, value: 0, message: 'Every healthy webhook has been sent everything.' };
      const seconds = (now - oldest) / 1000;
      return {
        seconds,
        value: behind,
        message: `${counted(behind, 'webhook')} behind, the oldest event is ${span(seconds)} old.`,
      };
    },
  });
}

async function read(database: Database, now: number): Promise<{ oldest: number | null; behind: number }> {
  const { rows }: { rows: { oldest: number | null; behind: number }[] } = await database.raw(
    `select min(e.at) as oldest, count(e.at)::int as behind from (
       select s.cursor_seq, f.capper_id, f.sport from webhook_subscriptions s join webhook_filters f on f.id = s.filter_id
       where s.status = 'active' and f.head_seq >= s.cursor_seq and s.consecutive_failures = 0
         and (s.retry_at is null or s.retry_at <= :now)
       order by s.cursor_seq limit :most
     ) s cross join lateral (
       select at from webhook_events w where w.seq >= s.cursor_seq
         and (s.capper_id is null or w.capper_id = s.capper_id) and (s.sport is null or w.sport = s.sport)
       order by w.seq limit 1
     ) e`,
    { now: new Date(now), most },
  );
  return rows[0]!;
}
