import { takeLock } from '../../../migrations/locks.ts';
import { iso, isoOrNull } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { sealAll } from '../sealing/seal.ts';
import { keptOrigin } from './identity.ts';
import { PublisherRefusal } from './refusals.ts';
import { coveringTimes } from './signed-checkpoints.ts';

/** The tables of the log itself: they are emptied, and what they held is kept in a schema of its own. */
export const logTables = [
  'ledger_entries',
  'ledger_nodes',
  'checkpoints',
  'ledger_origin',
  'signing_keys',
  'witness_keys',
];

/** What counts in `seq`, beside subscriptions: the first one not read, or the one of an event. */
const cursors = [
  { table: 'reader_cursors', column: 'next_seq' },
  { table: 'webhook_filters', column: 'head_seq' },
];

export interface NewOrigin {
  origin: string;
  /** The first entry of the new log: why it begins. */
  notice: string;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Begins a new log, under a new name, over the events that are left: the documented way on after a restore that lost sealed entries
 *. Its first entry is a notice that says so; then come all events in the order in which they were sealed, with the
 * hashes that they had, and those that wait. What the old log's tables held stays in a schema of its own.
 * @param owner a pool under the role that owns the tables
 * @returns the schema, and the number of entries of the new log
 * @throws PublisherRefusal when the log has that name already
 */
export function startNewOrigin(
  owner: Database,
  { origin, notice, at }: NewOrigin,
): Promise<{ schema: string; entries: number }> {
  return owner.transaction(async (transaction) => {
    await takeLock(transaction, 'sealing');
    await takeLock(transaction, 'publishing');
    if ((await keptOrigin(transaction)) === origin)
      throw new PublisherRefusal(`The log is called ${origin} already.`);
    const schema = await setAside(transaction);
    await moveCursors(transaction, schema);
    await begin(transaction, schema, { origin, notice, at });
    return { schema, entries: await sealAll(transaction) };
  });
}

/** Copies the log's tables into a new schema, and empties them. */
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
  await keepSeals(transaction);
  await transaction.raw(`truncate ${logTables.join(', ')}, checkpoint_times`);
  for (const table of logTables)
    await transaction.raw(`alter table ${table} enable always trigger ${table}_append_only`);
  return schema;
}

/** The first checkpoint over a pick counts for good: its times, from the signed notes of the log that ends, are kept for each pick. */
async function keepSeals(transaction: Transaction): Promise<void> {
  const times = await coveringTimes(transaction, 0, Number.MAX_SAFE_INTEGER);
  await transaction.raw(
    `with times as materialized (
       select * from jsonb_to_recordset(cast(? as jsonb)) as t (size bigint, signed_at timestamptz, witnessed_at timestamptz))
     insert into earlier_seals (pick_id, signed_at, witnessed_at)
     select e.pick_id, t.signed_at, t.witnessed_at from ledger_entries e
     cross join lateral (select signed_at, witnessed_at from times where size > e.seq order by size limit 1) t
     where e.kind = 'posted' on conflict do nothing`,
    [
      JSON.stringify(
        times.map(({ size, signedAt, witnessedAt }) => ({
          size,
          signed_at: iso(signedAt),
          witnessed_at: isoOrNull(witnessedAt),
        })),
      ),
    ],
  );
}

/** Numbers beyond those of any log: rows pass through them, so that no two ever have the same one. */
const elsewhere = 2 ** 52;

/** Readers continue behind the same event: the notice comes before all, and announcements of the old log's keys are left out. */
async function moveCursors(transaction: Transaction, schema: string): Promise<void> {
  const moved = (column: string) =>
    `1 + (select count(*) from ${schema}.ledger_entries e where e.seq < ${column} and e.kind <> 'key')`;
  for (const { table, column } of cursors)
    await transaction.raw(
      `update ${table} t set ${column} = ${moved(`t.${column}`)} where ${column} > ${column === 'head_seq' ? -1 : 0}`,
    );
  // A delivery that began with the old log's numbers can no longer commit.
  await transaction.raw(
    `update webhook_subscriptions s
     set cursor_seq = m.seq, generation = generation + 1, lease_until = null
     from (select id, case when t.cursor_seq > 0 then ${moved('t.cursor_seq')} else 0 end as seq from webhook_subscriptions t) m
     where m.id = s.id`,
  );
  await transaction.raw(`update webhook_events t set seq = ${elsewhere} + ${moved('t.seq')}`);
  await transaction.raw(`update webhook_events set seq = seq - ${elsewhere}`);
}

async function begin(
  transaction: Transaction,
  schema: string,
  { origin, notice, at }: NewOrigin,
): Promise<void> {
  const waiting: { kind: string; subject_id: number }[] = await transaction('unsealed_events')
    .whereNot('kind', 'key')
    .orderBy('id')
    .select('kind', 'subject_id');
  // All of them come back below.
  await transaction.raw('alter table unsealed_events disable trigger check_unsealed_removed');
  await transaction('unsealed_events').delete();
  await transaction.raw('alter table unsealed_events enable always trigger check_unsealed_removed');
  await transaction('notices').insert({ at: new Date(at), topic: 'new-origin', text: notice });
  await transaction.raw(
    `insert into unsealed_events (kind, subject_id)
     select kind, coalesce(pick_id, notice_id, move_id) from ${schema}.ledger_entries where kind <> 'key' order by seq`,
  );
  if (waiting.length > 0)
    await transaction.raw(
      `insert into unsealed_events (kind, subject_id)
       select kind, subject_id from json_to_recordset(?) as r (kind text, subject_id bigint)`,
      [JSON.stringify(waiting)],
    );
  await transaction('ledger_origin').insert({ id: 1, origin });
}
