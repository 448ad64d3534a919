import type { Database } from '../../platform/database.ts';
import { type Kind, kinds } from '../../proof/bodies.ts';
import { Difference } from '../difference.ts';
import { eventsSetAside } from '../sealing/set-aside.ts';
import { subjects } from '../sealing/stored-events.ts';

const ofEach = (rows: (subject: (typeof subjects)[Kind], kind: Kind) => string) =>
  kinds.map((kind) => `when '${kind}' then exists (select ${rows(subjects[kind], kind)})`).join(' ');

/** Finds events that were set aside, and unsealed events that are not stored or are already in the log. */
export async function* auditWorkLists(database: Database): AsyncGenerator<Difference> {
  const { rows }: { rows: { id: number; kind: string; subjectId: number; isSealed: boolean }[] } =
    await database.raw(
      `select u.id, u.kind, u.subject_id as "subjectId", s.sealed as "isSealed" from unsealed_events u
       cross join lateral (select
         case u.kind ${ofEach(({ table, key, onlyIf }) => `from ${table} where ${key} = u.subject_id and ${onlyIf}`)} end as stored,
         case u.kind ${ofEach(({ column }, kind) => `from ledger_entries where ${column} = u.subject_id and kind = '${kind}'`)} end as sealed) s
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
