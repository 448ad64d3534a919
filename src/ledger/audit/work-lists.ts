import type { Database } from '../../platform/database.ts';
import { Difference } from '../difference.ts';
import { eventsSetAside } from '../sealing/set-aside.ts';

/** Finds events that were set aside, and unsealed events that are not stored or are already in the log. */
export async function* auditWorkLists(database: Database): AsyncGenerator<Difference> {
  const { rows }: { rows: { id: number; kind: string; subjectId: number; isSealed: boolean }[] } =
    await database.raw(
      `select u.id, u.kind, u.subject_id as "subjectId", s.sealed as "isSealed" from unsealed_events u
       cross join lateral (select
         case u.kind
           when 'posted' then exists (select from picks where id = u.subject_id)
           when 'closed' then exists (select from closings where pick_id = u.subject_id)
           when 'settled' then exists (select from settlements where pick_id = u.subject_id)
           when 'notice' then exists (select from notices where id = u.subject_id)
           when 'start_moved' then exists (select from start_moves where id = u.subject_id)
           when 'game_joined' then exists (select from game_joins where id = u.subject_id)
           when 'prices' then exists (select from price_batches where id = u.subject_id)
           when 'capper_key' then exists (select from capper_keys where id = u.subject_id)
           when 'key' then exists (select from signing_keys where id = u.subject_id and note is not null)
         end as stored,
         case u.kind
           when 'notice' then exists (select from ledger_entries where notice_id = u.subject_id)
           when 'start_moved' then exists (select from ledger_entries where move_id = u.subject_id)
           when 'game_joined' then exists (select from ledger_entries where join_id = u.subject_id)
           when 'prices' then exists (select from ledger_entries where prices_id = u.subject_id)
           when 'capper_key' then exists (select from ledger_entries where capper_key_id = u.subject_id)
           when 'key' then exists (select from ledger_entries where key_id = u.subject_id)
           else exists (select from ledger_entries where pick_id = u.subject_id and kind = u.kind)
         end as sealed) s
       where s.sealed or not s.stored order by u.id`,
    );
  for (const { id, kind, subjectId, isSealed } of rows) {
    const sentence = isSealed ? 'is in the log already' : 'is not stored';
    yield new Difference(
      'unsealed_events',
      `id ${id}`,
      null,
      `the ${kind} event of ${subjectId} ${sentence}`,
    );
  }
  for (const { id, kind, subjectId, reason } of await eventsSetAside(database))
    yield new Difference(
      'events_set_aside',
      `id ${id}`,
      null,
      `the ${kind} event of ${subjectId} was set aside: ${reason}`,
    );
}
