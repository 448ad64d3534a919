import { iso } from '../../platform/clock.ts';
import { inCamelCase } from '../../platform/columns.ts';
import type { Database } from '../../platform/database.ts';
import { type Checkpoint, openCheckpoint } from '../../proof/checkpoint.ts';
import { equalBytes, hex } from '../../proof/encoding.ts';
import { parseNote, type Verified } from '../../proof/signed-note.ts';
import { formatVerifierKey } from '../../proof/verifier-key.ts';
import { Difference, differencesIn, differing } from '../difference.ts';
import type { KeptCheckpoint } from '../publishing/checkpoint-store/open.ts';
import { openSigner, type SigningConfig } from '../publishing/identity.ts';
import type { StoredCheckpoint } from '../publishing/published.ts';
import { type CheckpointTimes, timesOf } from '../publishing/signed-checkpoints.ts';
import type { KnownKeys } from '../sealing/recompute/keys.ts';
import { rootAt } from '../sealing/tree.ts';

type CheckpointRow = StoredCheckpoint & {
  previous: number | null;
  /** Null if the row of `checkpoint_times` is missing. */
  cosignatures: number | null;
  signedAt: EpochMs | null;
  witnessedAt: number | null;
};

export interface CheckpointWalk {
  keys: KnownKeys;
  /** Size of the last audited checkpoint; null before the first. */
  last: number | null;
  signer: number;
  witnessed: Set<string>;
  count: number;
}

export function readCheckpoints(database: Database, from: number, to: number): Promise<CheckpointRow[]> {
  return withTimes(database).where('c.size', '>', from).where('c.size', '<=', to).orderBy('c.size');
}

function withTimes(database: Database) {
  return database('checkpoints as c')
    .leftJoin('checkpoint_times as t', 't.size', 'c.size')
    .select<CheckpointRow[]>({
      ...inCamelCase('c.size c.root c.note c.previous'),
      ...inCamelCase('t.cosignatures t.signed_at t.witnessed_at'),
    });
}

/**
 * @param root of the recomputed tree of the same size
 * @throws Difference
 */
export async function auditCheckpoint(
  database: Database,
  walk: CheckpointWalk,
  row: CheckpointRow,
  root: Uint8Array,
): Promise<void> {
  const differs = differsOf(row);
  const { signed, cosignedBy } = await opened(walk, row, differs);
  if (signed.size !== row.size) throw differs('size', `a tree of ${signed.size} entries was signed`);
  if (row.previous !== walk.last) throw await misplaced(database, walk, row);
  if (!equalBytes(signed.root, row.root)) throw differs('root', `${hex(signed.root)} was signed`);
  if (!equalBytes(signed.root, root))
    throw new Difference(
      'ledger_entries',
      `seq ${walk.last ?? 0} to ${row.size - 1}`,
      null,
      `these are not the entries that were signed: the tree's root is ${hex(root)}, but ${hex(signed.root)} was signed`,
    );
  const fault = timesFault(row, timesOf(signed, cosignedBy));
  if (fault !== undefined) throw fault;
  walk.last = row.size;
  walk.count += 1;
}

/** Either that checkpoint is missing, if its time is still stored, or this row was changed. */
async function misplaced(
  database: Database,
  { last }: CheckpointWalk,
  { size, previous }: CheckpointRow,
): Promise<Difference> {
  const gone = await database('checkpoint_times')
    .where('size', previous ?? -1)
    .first('size');
  return gone !== undefined && previous! > (last ?? 0) && previous! < size
    ? new Difference('checkpoints', `size ${previous}`, null, 'it is missing')
    : new Difference('checkpoints', `size ${size}`, 'previous', `${last ?? 'none'} comes before it`);
}

const differsOf = ({ size }: { size: number }) => differing('checkpoints', `size ${size}`);

async function opened(
  walk: CheckpointWalk,
  { note }: CheckpointRow,
  differs: ReturnType<typeof differsOf>,
): Promise<{ signed: Checkpoint; cosignedBy: Verified[] }> {
  const { origin, own, witnesses } = walk.keys;
  try {
    const { checkpoint, signedBy, cosignedBy } = await openCheckpoint(note, origin, own, witnesses);
    const { signatures } = parseNote(note);
    const known = [...signedBy, ...cosignedBy].map(({ key }) => key);
    for (const { name, id } of signatures) {
      if (known.some((key) => key.name === name && key.id === id)) continue;
      // A changed line still shares the name or id of a known key. Otherwise the key's row is missing.
      if ([...own, ...witnesses].some((key) => key.name === name || key.id === id))
        throw differs('note', 'it has a signature by an unknown key');
      throw new Difference('witness_keys', `${name}+${id}`, null, 'it is missing, but it has cosigned');
    }
    if (signatures.length !== known.length) throw differs('note', 'it has a duplicate signature');
    const signer = Math.max(...signedBy.map(({ key }) => own.indexOf(key)));
    if (signer < walk.signer) throw differs('note', 'a replaced key has signed it');
    walk.signer = signer;
    for (const { key } of cosignedBy) walk.witnessed.add(formatVerifierKey(key));
    return { signed: checkpoint, cosignedBy };
  } catch (error) {
    throw error instanceof Difference ? error : differs('note', (error as Error).message);
  }
}

/**
 * No checkpoint is beyond the log, and each witness's key has cosigned one.
 * @param size of the log
 * @throws Difference
 */
export async function auditLastCheckpoints(
  database: Database,
  walk: CheckpointWalk,
  size: number,
): Promise<void> {
  const [beyond]: CheckpointRow[] = await withTimes(database)
    .where((query) => query.where('c.size', '>', size).orWhere('c.size', '<', 1))
    .orderBy('c.size', 'desc')
    .limit(1);
  if (beyond !== undefined) {
    const differs = differsOf(beyond);
    // Its note shows whether entries are missing or the row was changed.
    const { signed } = await opened(walk, beyond, differs);
    if (signed.size !== beyond.size) throw differs('size', `a tree of ${signed.size} was signed`);
    throw missingEntries(size, beyond.size, 'were signed');
  }
  for (const key of walk.keys.witnesses) {
    const vkey = formatVerifierKey(key);
    if (!walk.witnessed.has(vkey))
      throw new Difference('witness_keys', vkey, 'vkey', 'it has cosigned no checkpoint');
  }
}

/** @param quorum cosignatures required before publication. @throws Difference */
export async function auditKept(
  database: Database,
  { checkpoint, note, cosignatures }: KeptCheckpoint,
  size: number,
  quorum: number,
): Promise<void> {
  if (size < checkpoint.size) throw missingEntries(size, checkpoint.size, 'were published');
  const root = await rootAt(database, checkpoint.size);
  if (!equalBytes(root, checkpoint.root))
    throw new Difference(
      'CHECKPOINT_STORE',
      `size ${checkpoint.size}`,
      null,
      `the first ${checkpoint.size} entries of the log differ from those that were published: the log was rewritten and signed again`,
    );
  const row: { note: string } | undefined = await database('checkpoints')
    .where('size', checkpoint.size)
    .first('note');
  if (row === undefined && cosignatures < quorum) return;
  const differs = differsOf(checkpoint);
  if (row === undefined) throw differs(null, 'it is missing, but was published');
  const stored = row.note.split('\n');
  if (note.split('\n').some((line) => !stored.includes(line)))
    throw differs('note', 'it differs from the published note');
}

function missingEntries(size: number, expected: number, how: string): Difference {
  return new Difference('ledger_entries', `seq ${size}`, null, `it is missing: ${expected} entries ${how}`);
}

/** @throws SignerError if the signer is unavailable; Difference */
export async function auditOwnKey({ origin, own }: KnownKeys, signing: SigningConfig): Promise<void> {
  const { key } = await openSigner(origin, signing);
  if (own.some((known) => formatVerifierKey(known) === formatVerifierKey(key))) return;
  throw new Difference(
    'signing_keys',
    `id ${own.length}`,
    'vkey',
    `the signing key, ${key.id}, does not belong to the log`,
  );
}

/** @param given null if the note names no time */
function timesFault(stored: CheckpointRow, given: CheckpointTimes | null): Difference | undefined {
  const differs = differing('checkpoint_times', `size ${stored.size}`);
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
