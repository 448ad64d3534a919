import type { Database } from '../../platform/database.ts';
import { type Checkpoint, openCheckpoint } from '../../proof/checkpoint.ts';
import { equalBytes, hex } from '../../proof/encoding.ts';
import { parseNote, type Verified } from '../../proof/signed-note.ts';
import { formatVerifierKey } from '../../proof/verifier-key.ts';
import { Difference } from '../difference.ts';
import type { KeptCheckpoint } from '../publishing/checkpoint-store/open.ts';
import { openSigner, type SigningConfig } from '../publishing/identity.ts';
import type { StoredCheckpoint } from '../publishing/published.ts';
import { timesOf } from '../publishing/signed-checkpoints.ts';
import type { KnownKeys } from '../sealing/recompute/keys.ts';
import { rootAt } from '../sealing/tree.ts';
import { timesFault } from './witnessed-times.ts';

/** A row of `checkpoints`, with its row of `checkpoint_times`. */
export type CheckpointRow = StoredCheckpoint & {
  previous: number | null;
  /** Null where that row is missing. */
  cosignatures: number | null;
  /** Epoch milliseconds. */
  signedAt: number | null;
  witnessedAt: number | null;
};

/** How far the checkpoints have been audited. */
export interface CheckpointWalk {
  keys: KnownKeys;
  /** The size of the last one; null before the first. */
  last: number | null;
  /** The newest of the log's keys that has signed so far, by its place. */
  signer: number;
  /** Witness keys whose cosignatures were found. */
  witnessed: Set<string>;
  count: number;
}

/** The checkpoints of sizes above `from` and up to `to`, in order. */
export function readCheckpoints(database: Database, from: number, to: number): Promise<CheckpointRow[]> {
  return withTimes(database).where('c.size', '>', from).where('c.size', '<=', to).orderBy('c.size');
}

function withTimes(database: Database) {
  return database('checkpoints as c')
    .leftJoin('checkpoint_times as t', 't.size', 'c.size')
    .select<CheckpointRow[]>({
      size: 'c.size',
      root: 'c.root',
      note: 'c.note',
      previous: 'c.previous',
      cosignatures: 't.cosignatures',
      signedAt: 't.signed_at',
      witnessedAt: 't.witnessed_at',
    });
}

/**
 * Checks a checkpoint: its place after the one before, its signatures, and that the recomputed tree is the one that was signed.
 * @param root of the recomputed tree of as many entries
 * @throws Difference
 */
export async function auditCheckpoint(
  database: Database,
  walk: CheckpointWalk,
  row: CheckpointRow,
  root: Uint8Array,
): Promise<void> {
  const differs = (column: string | null, sentence: string) =>
    new Difference('checkpoints', `size ${row.size}`, column, sentence);
  const { signed, cosignedBy } = await opened(walk, row, differs);
  if (signed.size !== row.size) throw differs('size', `a tree of ${signed.size} entries was signed`);
  if (row.previous !== walk.last) throw await misplaced(database, walk, row);
  if (!equalBytes(signed.root, row.root)) throw differs('root', `${hex(signed.root)} was signed`);
  if (!equalBytes(signed.root, root))
    throw new Difference(
      'ledger_entries',
      `seq ${walk.last ?? 0} to ${row.size - 1}`,
      null,
      `these are not the entries that were signed: the tree's root is ${hex(root)}, and ${hex(signed.root)} was signed`,
    );
  const fault = timesFault(row, timesOf(signed, cosignedBy));
  if (fault !== undefined) throw fault;
  walk.last = row.size;
  walk.count += 1;
}

/** The checkpoint before it is another than it names: that one is gone, where its time is still known, or this row was changed. */
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

type Differs = (column: string | null, sentence: string) => Difference;

async function opened(
  walk: CheckpointWalk,
  { note }: CheckpointRow,
  differs: Differs,
): Promise<{ signed: Checkpoint; cosignedBy: Verified[] }> {
  const { origin, own, witnesses } = walk.keys;
  try {
    const { checkpoint, signedBy, cosignedBy } = await openCheckpoint(note, origin, own, witnesses);
    const { signatures } = parseNote(note);
    const known = [...signedBy, ...cosignedBy].map(({ key }) => key);
    for (const { name, id } of signatures) {
      if (known.some((key) => key.name === name && key.id === id)) continue;
      // A line that was changed still resembles a key that is known; else it is the key that is gone.
      if ([...own, ...witnesses].some((key) => key.name === name || key.id === id))
        throw differs('note', 'it has a signature of a key that is not known');
      throw new Difference('witness_keys', `${name}+${id}`, null, 'it is missing, though it has cosigned');
    }
    if (signatures.length !== known.length) throw differs('note', 'it has a signature twice');
    const signer = Math.max(...signedBy.map(({ key }) => own.indexOf(key)));
    if (signer < walk.signer) throw differs('note', 'a key has signed it that was replaced before');
    walk.signer = signer;
    for (const { key } of cosignedBy) walk.witnessed.add(formatVerifierKey(key));
    return { signed: checkpoint, cosignedBy };
  } catch (error) {
    throw error instanceof Difference ? error : differs('note', (error as Error).message);
  }
}

/**
 * What can be said only when all checkpoints were seen: there is none beyond the log, and every witness's key stands under one.
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
    // Its note says whether entries are missing or the checkpoint's row was changed.
    const { signed } = await opened(walk, beyond, (column, sentence) => {
      return new Difference('checkpoints', `size ${beyond.size}`, column, sentence);
    });
    if (signed.size !== beyond.size)
      throw new Difference(
        'checkpoints',
        `size ${beyond.size}`,
        'size',
        `a tree of ${signed.size} was signed`,
      );
    throw missingEntries(size, beyond.size, 'were signed');
  }
  for (const key of walk.keys.witnesses) {
    const vkey = formatVerifierKey(key);
    if (!walk.witnessed.has(vkey))
      throw new Difference('witness_keys', vkey, 'vkey', 'it has cosigned no checkpoint');
  }
}

/**
 * Compares the audited log with the checkpoint that is kept outside the database.
 * @param quorum cosignatures that it needs before it is published
 * @throws Difference
 */
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
      `the first ${checkpoint.size} entries of the log are not those that were published: it was rewritten and signed anew`,
    );
  const row: { note: string } | undefined = await database('checkpoints')
    .where('size', checkpoint.size)
    .first('note');
  if (row === undefined && cosignatures < quorum) return;
  if (row === undefined)
    throw new Difference('checkpoints', `size ${checkpoint.size}`, null, 'it is missing, but was published');
  const stored = row.note.split('\n');
  if (note.split('\n').some((line) => !stored.includes(line)))
    throw new Difference('checkpoints', `size ${checkpoint.size}`, 'note', 'it was published otherwise');
}

function missingEntries(size: number, expected: number, how: string): Difference {
  return new Difference('ledger_entries', `seq ${size}`, null, `it is missing: ${expected} entries ${how}`);
}

/**
 * Checks that the key with which this service signs is one of the log's.
 * @throws SignerError when the signer is unavailable
 * @throws Difference
 */
export async function auditOwnKey({ origin, own }: KnownKeys, signing: SigningConfig): Promise<void> {
  const { key } = await openSigner(origin, signing);
  if (own.some((known) => formatVerifierKey(known) === formatVerifierKey(key))) return;
  throw new Difference(
    'signing_keys',
    `id ${own.length}`,
    'vkey',
    `the signing key, ${key.id}, is none of the log's`,
  );
}
