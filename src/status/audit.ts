import { Difference } from '../ledger/difference.ts';
import type { Database } from '../platform/database.ts';
import { historyDays } from './history.ts';

/**
 * Finds missing days of history. A day with signed checkpoints must have rounds of checks, and a day on which an incident opened must have
 * bad rounds of that check. Only a live log has real days.
 */
export async function* auditStatusDays(database: Database): AsyncGenerator<Difference> {
  const { rows }: { rows: { row: string; sentence: string }[] } = await database.raw(
    `with et as (
       select day::date as today, day::date - :days::int as since from (select clock_timestamp() at time zone 'America/New_York' as day) n
       where exists (select from log_kind where kind = 'live')),
     signed as (select distinct (signed_at at time zone 'America/New_York')::date as day from checkpoint_times),
     opened as (
       select check_name as name, (opened_at at time zone 'America/New_York')::date as day from status_incidents
       where opened_at < clock_timestamp() - interval '1 hour')
     select format('day %s', s.day) as row, 'no round of checks is stored, although checkpoints were signed on that day' as sentence
     from signed s join et on s.day > since and s.day < today and s.day > (select min(day) from signed)
     where not exists (select from status_days d where d.day = s.day)
     union
     select format('day %s of %s', o.day, o.name), 'no bad round is stored, although an incident opened on that day'
     from opened o join et on o.day > since
     where not exists (select from status_days d where d.day = o.day and d.name = o.name and d.degraded + d.down > 0)
     order by 1`,
    { days: historyDays },
  );
  for (const { row, sentence } of rows)
    yield new Difference(
      'status_days',
      row,
      null,
      `${sentence}; restore it from a backup, or name it in AUDIT_EXPECTED if the status worker did not run`,
    );
}
