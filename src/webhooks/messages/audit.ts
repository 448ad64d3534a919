import { Difference } from '../../ledger/difference.ts';
import type { Database } from '../../platform/database.ts';
import { matching } from '../subscriptions/filters.ts';

/**
 * Compares announced events with the log entries that the fanout has read. Also compares each filter's head with its events, and each
 * subscription's cursor with the log.
 */
export async function* auditWebhookEvents(database: Database): AsyncGenerator<Difference> {
  const { rows }: { rows: { table: string; row: string; column: string | null; sentence: string }[] } =
    await database.raw(
      `with reader as (select coalesce((select next_seq from reader_cursors where reader = 'webhooks'), 0) as next),
       wanted as (
         select e.seq, e.pick_id, e.kind::text as kind, p.capper_id, g.sport, p.market, p.tier
         from ledger_entries e join picks p on p.id = e.pick_id join games g on g.id = p.game_id
         where e.seq < (select next from reader) and e.kind in ('posted', 'settled') and p.provenance = 'live'),
       differing as (
         select coalesce(w.seq, s.seq) as seq, w.seq is null as surplus, s.seq is null as missing
         from wanted w full join webhook_events s on s.seq = w.seq
         where (w.pick_id, w.kind, w.capper_id, w.sport, w.market, w.tier)
           is distinct from (s.pick_id, s.kind, s.capper_id, s.sport, s.market, s.tier)),
       heads as (
         select f.id, f.head_seq, coalesce((select max(seq) from webhook_events e where ${matching}), -1) as newest
         from webhook_filters f)
       select 'webhook_events' as table, format('seq %s', seq) as row, null as column,
         case when surplus then 'the log has no such event; delete it'
           when missing then 'it is missing, so no subscriber receives it; under the owner, insert it again, or set the cursor of webhooks back if no later event is stored'
           else 'it differs from its entry; delete it, and insert it as in the entry' end as sentence
       from differing
       union all
       select 'webhook_filters', format('id %s', id), 'head_seq', format('it is %s, and the newest event is %s; under the owner, set it', head_seq, newest)
       from heads where head_seq <> newest
       union all
       select 'webhook_subscriptions', format('id %s', s.id), 'cursor_seq',
         format('it is %s, and the log has %s entries: entries sealed next would not be sent; under the owner, set it back', s.cursor_seq, l.size)
       from webhook_subscriptions s cross join (select coalesce(max(seq) + 1, 0) as size from ledger_entries) l where s.cursor_seq > l.size
       order by 1, 2`,
    );
  for (const { table, row, column, sentence } of rows) yield new Difference(table, row, column, sentence);
}
