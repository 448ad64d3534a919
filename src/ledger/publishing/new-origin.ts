import { takeLock } from '../../../migrations/locks.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { sealAll } from '../sealing/seal.ts';
import { subjectSql } from '../sealing/stored-events.ts';
import { storedOrigin } from './identity.ts';
import { PublisherRefusal } from './refusals.ts';
import { coveringTimes, timesBound, timesSql } from './signed-checkpoints.ts';

/** Tables of the log. A new origin moves their contents to a separate schema. */
export const logTables = [
  'ledger_entries',
  'ledger_nodes',
  'checkpoints',
  'ledger_origin',
  'signing_keys',
  'data_indexes',
  'witness_keys',
];

/** Columns that hold a `seq`, except those of subscriptions. */
const cursors = [
  { table: 'reader_cursors', column: 'next_seq' },
  { table: 'webhook_filters', column: 'head_seq' },
];

export interface NewOrigin {
  origin: string;
  /** The text of the new log's first entry, which says why it began. */
  notice: string;
  at: EpochMs;
}

/**
 * Begins a new log under a new origin over the remaining events. It is the documented recovery after a restore that lost sealed entries.
 * The first entry is a notice. The sealed events follow in their former order with their former hashes, then the unsealed ones. The old
 * log's tables are copied to a separate schema.
 * @param owner a pool whose role owns the tables
 * @returns the schema, and the number of entries in the new log
 * @throws PublisherRefusal if the log already has that origin
 */
export function startNewOrigin(
  owner: Database,
  { origin, notice, at }: NewOrigin,
): Promise<{ schema: string; entries: number }> {
  return owner.transaction(async (transaction) => {
    await takeLock(transaction, 'sealing');
    await takeLock(transaction, 'publishing');
    if ((await storedOrigin(transaction)) === origin)
      throw new PublisherRefusal(`The log already has the origin ${origin}: choose another.`);
    const schema = await setAside(transaction);
    await moveCursors(transaction, schema);
    await begin(transaction, schema, { origin, notice, at });
    return { schema, entries: await sealAll(transaction, { earlier: schema }) };
  });
}

async function setAside(transaction: Transaction): Promise<string> {
  const { rows }: { rows: { n: number }[] } = await transaction.raw(
    `select count(*)::int + 1 as n from pg_namespace where nspname ~ '^log_[0-9]+$'`,
  );
  const schema = `log_${rows[0]!.n}`;
  await transaction.raw(`create schema ${schema}`);
  for (const table of logTables) {
    await transaction.raw(`create table ${schema}.${table} as table public.${table}`);
    await transaction.raw(`alter table ${table} disable trigger ${table}_append_only`);
  }
  await transaction.raw(`create index on ${schema}.ledger_entries (pick_id, kind)`);
  await keepSeals(transaction);
  await transaction.raw(`truncate ${logTables.join(', ')}, checkpoint_times`);
  for (const table of logTables)
    await transaction.raw(`alter table ${table} enable always trigger ${table}_append_only`);
  return schema;
}

/** Stores, for each pick, the times of the first checkpoint that covered it in the old log. They stay valid in the new one. */
async function keepSeals(transaction: Transaction): Promise<void> {
  const times = await coveringTimes(transaction, 0, Number.MAX_SAFE_INTEGER);
  await transaction.raw(
    `with times as materialized (${timesSql})
     insert into earlier_seals (pick_id, signed_at, witnessed_at)
     select e.pick_id, t.signed_at, t.witnessed_at from ledger_entries e
     cross join lateral (select signed_at, witnessed_at from times where size > e.seq order by size limit 1) t
     where e.kind = 'posted' on conflict do nothing`,
    { times: timesBound(times) },
  );
}

/** Kinds of entries that the old log's key signed, and that stay in it. */
const ofOldLog = `'key', 'data'`;

/** An offset above every `seq`. Rows pass through it, so that no two rows ever share a number. */
const beyondAnyLog = 2 ** 52;

/** Moves each reader's cursor to the same event in the new log. The notice comes first, and the old log's keys and indexes of data files are gone. */
async function moveCursors(transaction: Transaction, schema: string): Promise<void> {
  const moved = (column: string) =>
    `1 + (select count(*) from ${schema}.ledger_entries e where e.seq < ${column} and e.kind not in (${ofOldLog}))`;
  for (const { table, column } of cursors)
    await transaction.raw(
      `update ${table} t set ${column} = ${moved(`t.${column}`)} where ${column} > ${column === 'head_seq' ? -1 : 0}`,
    );
  // The new generation keeps a delivery that began under the old numbers from committing.
  await transaction.raw(
    `update webhook_subscriptions s
     set cursor_seq = m.seq, generation = generation + 1, lease_until = null
     from (select id, case when t.cursor_seq > 0 then ${moved('t.cursor_seq')} else 0 end as seq from webhook_subscriptions t) m
     where m.id = s.id`,
  );
  await transaction.raw(`update webhook_events t set seq = ${beyondAnyLog} + ${moved('t.seq')}`);
  await transaction.raw(`update webhook_events set seq = seq - ${beyondAnyLog}`);
}

async function begin(
  transaction: Transaction,
  schema: string,
  { origin, notice, at }: NewOrigin,
): Promise<void> {
  const waiting: { kind: string; subject_id: number }[] = await transaction('unsealed_events')
    .whereRaw(`kind not in (${ofOldLog})`)
    .orderBy('id')
    .select('kind', 'subject_id');
  // Both inserts below restore every row.
  await transaction.raw('alter table unsealed_events disable trigger check_unsealed_removed');
  await transaction('unsealed_events').delete();
  await transaction.raw('alter table unsealed_events enable always trigger check_unsealed_removed');
  await transaction('notices').insert({ at: new Date(at), topic: 'new-origin', text: notice });
  await transaction.raw(
    `insert into unsealed_events (kind, subject_id)
     select kind, ${subjectSql} from ${schema}.ledger_entries where kind not in (${ofOldLog}) order by seq`,
  );
  if (waiting.length > 0)
    await transaction.raw(
      `insert into unsealed_events (kind, subject_id)
       select kind, subject_id from json_to_recordset(?) as r (kind text, subject_id bigint)`,
      [JSON.stringify(waiting)],
    );
  await transaction.raw(
    `insert into ledger_origin (id, origin, continues)
     select 1, ?, coalesce(
       (select array_prepend(coalesce((select vkey from ${schema}.signing_keys order by id desc limit 1), o.origin), o.continues)
        from ${schema}.ledger_origin o), '{}')`,
    [origin],
  );
}
