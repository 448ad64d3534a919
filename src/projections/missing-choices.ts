import { Difference } from '../ledger/difference.ts';
import type { Database } from '../platform/database.ts';

/**
 * Finds past days of a live log that lack a Pick of the Day, although one was possible: a pick at an available price was sealed an hour
 * before its start, and checkpoints were signed between 09:00 Eastern time and that start (docs/rules/confidence.md#pick-of-the-day).
 * Ignores moved starts, which prove nothing.
 */
export async function* auditMissingChoices(database: Database): AsyncGenerator<Difference> {
  const { rows }: { rows: { day: string; uuid: string }[] } = await database.raw(
    `select distinct on (c.day) c.day::text as day, b.uuid
     from board_picks b join games g on g.id = b.game_id
     cross join lateral (select (g.starts_at at time zone 'America/New_York')::date as day) c
     cross join lateral (select (c.day + time '09:00') at time zone 'America/New_York' as nine) n
     where exists (select from log_kind where kind = 'live')
       and c.day < (clock_timestamp() at time zone 'America/New_York')::date
       and b.provenance = 'live' and b.price_verdict = 'available'
       and g.starts_at = g.announced_start and not exists (select from start_moves m where m.game_id = g.id)
       and b.sealed_at < g.starts_at - interval '1 hour' and n.nine < g.starts_at - interval '1 hour'
       and exists (select from checkpoint_times t where t.signed_at > n.nine and t.signed_at < g.starts_at)
       and not exists (select from picks_of_the_day d where d.day = c.day)
     order by c.day, b.uuid`,
  );
  for (const { day, uuid } of rows)
    yield new Difference(
      'picks_of_the_day',
      `day ${day}`,
      null,
      `it is missing, but pick ${uuid} was eligible; restore it from a backup, or name it in AUDIT_EXPECTED if the boards worker did not run`,
    );
}
