import { randomUUID } from 'node:crypto';
import { takeLock } from '../../../migrations/locks.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Checkpoint, signCheckpoint } from '../../proof/checkpoint.ts';
import { equalBytes } from '../../proof/encoding.ts';
import type { Witness } from '../../proof/witness-list.ts';
import { noteRows } from '../sealing/set-aside.ts';
import { rootsAt } from '../sealing/tree.ts';
import { type KeptCheckpoint, openKeptCheckpoint } from './checkpoint-store/open.ts';
import { type CheckpointStore, CheckpointStoreError } from './checkpoint-store/store.ts';
import {
  keptOrigin,
  keysWithFirst,
  ledgerOrigin,
  maySign,
  type OriginConfig,
  openSigner,
  type SigningConfig,
  type SigningKey,
  signingKeys,
} from './identity.ts';
import { latestCheckpoint, type StoredCheckpoint } from './published.ts';
import { claimLease, releaseLease } from './publisher-lease.ts';
import { clearRefusals, PublisherRefusal, recordRefusal } from './refusals.ts';
import { isSigned, storeCheckpoint } from './signed-checkpoints.ts';
import { SignerError } from './signer/remote-signer.ts';
import { cosign, cosignaturesOf } from './witnesses.ts';

export interface Publisher extends OriginConfig, SigningConfig {
  /** What all publishers of the log share (`CHECKPOINT_STORE`). */
  store?: CheckpointStore | undefined;
  witnesses?: readonly Witness[];
  /** Cosignatures that a checkpoint needs before it is published; default 0. */
  witnessQuorum?: number;
}

/**
 * Signs a checkpoint over all that is sealed (C2SP tlog-checkpoint, Ed25519), where the log has grown since the last one, has it
 * cosigned and publishes it. Checkpoints are kept for ever with the cosignatures that they had when they were published: receipts rest on
 * them, so they never change afterwards.
 *
 * 1. Compare the log with the newest checkpoint of the database and of the store, and sign.
 * 2. Swap the store from what it held to the draft.
 * 3. Ask the witnesses, and swap the store to the draft with their cosignatures.
 * 4. If the quorum is met, insert it into `checkpoints`, from which readers are served.
 *
 * No transaction is open before step 4.
 *
 * Nothing forks. A note is in the store, durably, before a witness or a reader sees it, and it got there by a swap from a note that its
 * tree extends. So everything that anyone sees extends one chain, even from databases that have diverged in a failover: the publisher
 * that loses the swap drops its draft, and one whose tree does not extend what the store holds refuses. Without a store the same holds on
 * one database, whose log only grows.
 *
 * The lease only saves cosignatures: two publishers at once are safe.
 *
 * A crash loses nothing that anyone has seen. After step 2 the store is ahead of the database, and the next publisher takes its draft on
 * from step 3. Without a store a witness may know a size that was never published: the next checkpoint is no smaller.
 * @param now epoch milliseconds
 * @returns the size of the tree that was signed and published, or null when there was nothing new, the quorum is not met, or another
 * publisher is at it
 * @throws PublisherRefusal, which is also kept for the status to show
 */
export async function publishCheckpoint(
  database: Database,
  publisher: Publisher,
  now: number,
  log?: Logger,
): Promise<number | null> {
  const holder = randomUUID();
  const attempt: Attempt = { database, publisher, holder, claims: false, refused: false, now, log };
  try {
    const size = await publishNext(attempt);
    if (attempt.refused) await clearRefusals(database, ['refused'], now);
    return size;
  } catch (error) {
    const refusal =
      error instanceof CheckpointStoreError || error instanceof SignerError
        ? new PublisherRefusal(error.message, { cause: error })
        : error;
    if (
      refusal instanceof PublisherRefusal &&
      (await recordRefusal(database, 'refused', refusal.message, now))
    )
      log?.error({ reason: refusal.message }, 'refused to publish a checkpoint');
    throw refusal;
  } finally {
    // If the database is away, the lease runs out.
    if (attempt.claims) await releaseLease(database, holder).catch(() => {});
  }
}

/** One call of {@link publishCheckpoint}. */
interface Attempt {
  database: Database;
  publisher: Publisher;
  /** Of the lease. */
  holder: string;
  /** Whether it was asked for. */
  claims: boolean;
  /** Whether a refusal to sign was recorded and is not over. */
  refused: boolean;
  now: number;
  log: Logger | undefined;
}

/** The log, and the newest checkpoints of it, as a publisher compares them. */
interface LogState {
  origin: string;
  keys: readonly SigningKey[];
  /** Entries in the log. */
  size: number;
  /** Of these. */
  root: Uint8Array;
  last: StoredCheckpoint | undefined;
  /** Null without a store, or if it is empty. */
  kept: KeptCheckpoint | null;
  /** See {@link Attempt}. */
  refused: boolean;
}

async function publishNext(attempt: Attempt): Promise<number | null> {
  const { database, publisher, holder } = attempt;
  const claim = () => {
    attempt.claims = true;
    return claimLease(database, holder);
  };
  let state = await readState(database, publisher);
  attempt.refused = state.refused;
  const isAhead = ({ kept, last }: LogState) => (kept?.checkpoint.size ?? 0) > (last?.size ?? 0);
  if (!isAhead(state) && state.size === (state.last?.size ?? 0)) return null;
  if (!(await claim())) return null;
  if (isAhead(state)) {
    if ((await finish(attempt, state, state.kept!)) !== 'published') return null;
    state = await readState(database, publisher);
    if (isAhead(state) || state.size === (state.last?.size ?? 0)) return null;
    if (!(await claim())) return null;
  }
  const draft = await draftCheckpoint(attempt, state);
  if (draft === null || (await finish(attempt, state, draft)) !== 'published') return null;
  return draft.checkpoint.size;
}

/**
 * Reads the store, then the newest checkpoint and the log at once, each of which only grows: so the log is never behind the others.
 * @throws PublisherRefusal when the log does not extend both
 */
async function readState(database: Database, { store, ...publisher }: Publisher): Promise<LogState> {
  const note = (await store?.read()) ?? null;
  const origin = await ledgerOrigin(database, publisher);
  const { last, size, refused } = await newest(database);
  let keys = await signingKeys(database);
  if (keys.length === 0 && (size > 0 || note !== null))
    keys = await keysWithFirst(database, (await openSigner(origin, publisher)).key);
  if (store !== undefined && note === null && last !== undefined)
    throw new PublisherRefusal(
      `The checkpoint store is empty, though ${last.size} entries have been signed: restore what it held, or see to it with audit --keep.`,
    );
  const trusted = keys.map(({ key }) => key);
  const kept = note === null ? null : await openKeptCheckpoint(note, origin, trusted);
  const before: Earlier[] = [];
  if (last !== undefined) before.push({ ...last, what: 'the last checkpoint in the database' });
  if (kept !== null) before.push({ ...kept.checkpoint, what: 'the checkpoint published last' });
  return { origin, keys, size, root: await extendedRoot(database, size, before), last, kept, refused };
}

/** A tree that was signed, and what it is called in a refusal. */
interface Earlier extends Pick<Checkpoint, 'size' | 'root'> {
  what: string;
}

/**
 * The root of the stored tree.
 * @throws PublisherRefusal when it does not begin with each of those that were signed
 */
async function extendedRoot(
  database: Database,
  size: number,
  signed: readonly Earlier[],
): Promise<Uint8Array> {
  const wayOn = 'Restore the missing entries, or begin a new log with new-origin.';
  for (const earlier of signed)
    if (size < earlier.size)
      throw new PublisherRefusal(
        `The log has ${size} entries, fewer than the ${earlier.size} of ${earlier.what}. ${wayOn}`,
      );
  const [root, ...roots] = await rootsAt(database, [size, ...signed.map((earlier) => earlier.size)]);
  for (const [index, earlier] of signed.entries())
    if (earlier.size > 0 && !equalBytes(roots[index]!, earlier.root))
      throw new PublisherRefusal(
        `The first ${earlier.size} entries of the log are not those of ${earlier.what}. ${wayOn}`,
      );
  return root!;
}

/** A signed checkpoint that is not published. If there is a store, it is in it. */
interface Draft {
  checkpoint: Checkpoint;
  note: string;
}

/** Steps 1 and 2. @returns null when the key may not sign yet, or the swap was lost */
async function draftCheckpoint(
  { publisher, log, now }: Attempt,
  { origin, keys, size, root, last, kept }: LogState,
): Promise<Draft | null> {
  const signer = await openSigner(origin, publisher);
  if (!maySign(keys, signer, last?.note)) return null;
  const { witnessQuorum = 0 } = publisher;
  const checkpoint = {
    ...{ origin, size, root, time: iso(now) },
    ...(witnessQuorum > 0 && { quorum: witnessQuorum }),
  };
  const note = await signCheckpoint(checkpoint, [signer]);
  const { store } = publisher;
  if (store !== undefined && !(await store.compareAndSwap(kept?.note ?? null, note))) {
    log?.info({ size }, 'dropped a checkpoint: another publisher was first');
    return null;
  }
  return { checkpoint, note };
}

/** Steps 3 and 4. */
async function finish(
  attempt: Attempt,
  { keys, last }: LogState,
  { checkpoint, note: drafted }: Draft,
): Promise<'published' | 'withheld' | 'dropped'> {
  const { database, publisher, now, log } = attempt;
  const { store, witnesses = [], witnessQuorum: quorum = 0 } = publisher;
  const own = keys.map(({ key }) => key);
  const { note, conflict } = await cosign(
    database,
    { checkpoint, note: drafted, keys: own },
    { witnesses, quorum },
    log,
  );
  const isCurrent =
    store === undefined ||
    (note === drafted ? (await store.read()) === drafted : await store.compareAndSwap(drafted, note));
  if (!isCurrent) {
    log?.warn({ size: checkpoint.size }, 'dropped a checkpoint: another publisher went on');
    return 'dropped';
  }
  const cosigned = await cosignaturesOf(note, checkpoint, own, witnesses);
  const withheld =
    cosigned.length < quorum
      ? `${cosigned.length} of ${witnesses.length} witnesses have cosigned the checkpoint of ${checkpoint.size} entries, and ${quorum} must.`
      : null;
  await keepRefusal(database, 'conflict', conflict, now);
  await keepRefusal(database, 'withheld', withheld, now);
  if (withheld !== null || (conflict !== null && quorum === 0)) return 'withheld';

  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'publishing');
    const newest = await latestCheckpoint(transaction);
    const isNext = newest?.size === last?.size && (await keptOrigin(transaction)) === checkpoint.origin;
    if (!isNext) return 'dropped';
    return (await storeCheckpoint(transaction, checkpoint, note, cosigned)) ? 'published' : 'dropped';
  });
}

/** The newest checkpoint, the number of entries, and whether a refusal is open, at one instant. */
async function newest(database: Database): Promise<Pick<LogState, 'last' | 'size' | 'refused'>> {
  type Row = { entries: number; refused: boolean } & (StoredCheckpoint | { size: null });
  const { rows }: { rows: [Row] } = await database.raw(
    `select e.size as entries, r.refused, c.size, c.root, c.note
     from (select coalesce(max(seq) + 1, 0) as size from ledger_entries) e
     cross join (select exists (select from publisher_refusals where kind = 'refused' and cleared_at is null) as refused) r
     left join (select size, root, note from checkpoints order by size desc limit 1) c on true`,
  );
  const [{ entries, refused, ...newest }] = rows;
  if (newest.size === null) return { last: undefined, size: entries, refused };
  if (await isSigned(database, newest)) return { last: newest, size: entries, refused };
  const reason = 'no key of the log has signed it';
  await noteRows(database, [{ table: 'checkpoints', row: `size ${newest.size}`, reason }]);
  return { last: await latestCheckpoint(database), size: entries, refused };
}

/** Records a refusal, or that it is over. */
async function keepRefusal(
  database: Database,
  kind: 'conflict' | 'withheld',
  reason: string | null,
  now: number,
): Promise<void> {
  if (reason === null) await clearRefusals(database, [kind], now);
  else await recordRefusal(database, kind, reason, now);
}
