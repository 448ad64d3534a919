import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { Difference, differencesIn } from '../difference.ts';
import type { CheckpointTimes } from '../publishing/signed-checkpoints.ts';

/** A row of `checkpoint_times`; all fields but `size` are null if it is missing. */
interface StoredTimes {
  size: number;
  signedAt: EpochMs | null;
  cosignatures: number | null;
  witnessedAt: EpochMs | null;
}

/** @param given null if the note names no time */
export function timesFault(stored: StoredTimes, given: CheckpointTimes | null): Difference | undefined {
  const differs = (column: string | null, sentence: string) =>
    new Difference('checkpoint_times', `size ${stored.size}`, column, sentence);
  if (given === null)
    return stored.cosignatures === null ? undefined : differs(null, 'its checkpoint names no time');
  if (stored.cosignatures === null) return differs(null, 'it is missing');
  if (stored.signedAt !== given.signedAt) return differs('signed_at', `the note says ${iso(given.signedAt)}`);
  if (stored.cosignatures !== given.cosignatures)
    return differs('cosignatures', `the note has ${given.cosignatures}`);
  if (stored.witnessedAt !== given.witnessedAt)
    return differs(
      'witnessed_at',
      given.witnessedAt === null
        ? 'the cosignatures of the note make no quorum'
        : `the cosignatures of the note make it ${iso(given.witnessedAt)}`,
    );
  return undefined;
}

/** Tolerated clock difference between machines, and maximum wait for sealing in a running service. */
const clocksApartSeconds = 60;
const sealedWithinSeconds = 15 * 60;

/**
 * Finds times that contradict signed checkpoints: a row without its checkpoint, or a checkpoint signed before its predecessor. In a live
 * log, also finds events dated after the first checkpoint that covers them, or long before a checkpoint that does not.
 */
export function auditTimes(database: Database): AsyncGenerator<Difference> {
  return differencesIn(
    database,
    `select 'checkpoint_times' as table, 'size ' || t.size as row, null as column, 'there is no such checkpoint' as sentence
       from checkpoint_times t where not exists (select from checkpoints c where c.size = t.size)
       union all
       select 'checkpoint_times', 'size ' || t.size, 'signed_at', 'it is before that of the checkpoint that it follows'
       from (select size, signed_at, max(signed_at) over (order by size rows between unbounded preceding and 1 preceding) as before
         from checkpoint_times) t
       where t.signed_at < t.before - make_interval(secs => :apart)
       union all
       select e.table, e.row, e.column, case when e.at > c.signed_at then 'the checkpoint that covers it was signed before it'
         else 'it is not in a checkpoint that was signed long after it' end
       from log_kind k
       cross join lateral (
         select 'notices' as table, 'id ' || n.id as row, 'at' as column, n.at, l.seq
         from notices n join ledger_entries l on l.notice_id = n.id
         union all
         select 'start_moves', 'id ' || m.id, 'at', m.at, l.seq from start_moves m join ledger_entries l on l.move_id = m.id
         union all
         select 'picks', 'pick ' || p.uuid, 'posted_at', p.posted_at, l.seq
         from picks p join ledger_entries l on l.pick_id = p.id and l.kind = 'posted' where p.provenance = 'live') e
       cross join lateral (select
         (select signed_at from checkpoint_times t where t.size > e.seq order by t.size limit 1) as signed_at,
         (select signed_at from checkpoint_times t where t.size <= e.seq order by t.size desc limit 1) as not_yet) c
       where k.kind = 'live'
         and (e.at > c.signed_at + make_interval(secs => :apart)
           -- A new log seals the events of an earlier one again.
           or (e.table <> 'picks' and e.at < c.not_yet - make_interval(secs => :within) and not exists (select from earlier_seals)))
       order by 1, 2`,
    { apart: clocksApartSeconds, within: sealedWithinSeconds },
  );
}
