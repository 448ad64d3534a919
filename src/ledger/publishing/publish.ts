import { randomUUID } from 'node:crypto';
import { takeLock } from '../../../migrations/locks.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Checkpoint, openCheckpoint, signCheckpoint } from '../../proof/checkpoint.ts';
import { equalBytes } from '../../proof/encoding.ts';
import type { Witness } from '../../proof/witness.ts';
import { recordRowsSetAside } from '../sealing/set-aside.ts';
import { rootsAt } from '../sealing/tree.ts';
import {
  type CheckpointStore,
  CheckpointStoreError,
  type KeptCheckpoint,
  openKeptCheckpoint,
} from './checkpoint-store/open.ts';
import {
  keysWithFirst,
  ledgerOrigin,
  maySign,
  type OriginConfig,
  openSigner,
  type SigningConfig,
  type SigningKey,
  signingKeys,
  storedOrigin,
} from './identity.ts';
import { latestCheckpoint, type StoredCheckpoint } from './published.ts';
import { claimLease, releaseLease } from './publisher-lease.ts';
import { clearRefusals, PublisherRefusal, recordRefusal } from './refusals.ts';
import { isSigned, storeCheckpoint } from './signed-checkpoints.ts';
import { SignerError } from './signer/remote-signer.ts';
import { cosign } from './witnesses.ts';

export interface Publisher extends OriginConfig, SigningConfig {
  /** `CHECKPOINT_STORE` */
  store?: CheckpointStore | undefined;
  witnesses?: readonly Witness[];
  /** Cosignatures required before a checkpoint is published. Default: 0. */
  witnessQuorum?: number;
}

/**
 * Signs a checkpoint over all sealed entries (C2SP tlog-checkpoint, Ed25519) if the log has grown, collects cosignatures, and publishes it.
 * Published checkpoints never change, because receipts depend on them.
 *
 * 1. Compare the log with the newest checkpoint of the database and of the store, and sign a draft.
 * 2. Swap the draft into the store.
 * 3. Ask the witnesses, and swap the cosigned note into the store.
 * 4. If the quorum is met, insert the note into `checkpoints`, which serves readers.
 *
 * No transaction is open before step 4.
 *
 * The log never forks. A note is durable in the store before a witness or reader sees it, and it entered the store by a swap from a note
 * that its tree extends. So all visible notes form one chain, even if databases diverge in a failover. A publisher that loses the swap
 * drops its draft. A publisher whose tree does not extend the stored note refuses to sign. Without a store, the same holds for a single
 * database, because its log only grows.
 *
 * The lease only avoids redundant cosignatures. Concurrent publishers are safe.
 *
 * A crash loses nothing that anyone has seen. After step 2 the store is ahead of the database, and the next publisher continues with the
 * stored draft at step 3. Without a store, a witness may know a size that was never published; the next checkpoint is at least as large.
 * @returns the size of the published tree; null if nothing was new, the quorum is not met, or another publisher is active
 * @throws PublisherRefusal, which is also stored for the status page
 */
export async function publishCheckpoint(
  database: Database,
  publisher: Publisher,
  now: EpochMs,
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
    // If the database is unavailable, the lease expires.
    if (attempt.claims) await releaseLease(database, holder).catch(() => {});
  }
}

interface Attempt {
  database: Database;
  publisher: Publisher;
  holder: string;
  claims: boolean;
  /** Whether a recorded refusal to sign is still open. */
  refused: boolean;
  now: number;
  log: Logger | undefined;
}

interface LogState {
  origin: string;
  keys: readonly SigningKey[];
  size: number;
  root: Uint8Array;
  last: StoredCheckpoint | undefined;
  /** Null if there is no store or it is empty. */
  kept: KeptCheckpoint | null;
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
 * Reads the store first, then the newest checkpoint and the log in one snapshot. Each only grows, so the log is never behind the others.
 * @throws PublisherRefusal if the log does not extend both checkpoints
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
      `The checkpoint store is empty, but ${last.size} entries have been signed: restore its contents, or verify the log and store its checkpoint with audit --keep.`,
    );
  const trusted = keys.map(({ key }) => key);
  const kept = note === null ? null : await openKeptCheckpoint(note, origin, trusted);
  const before: Earlier[] = [];
  if (last !== undefined) before.push({ ...last, what: 'the last checkpoint in the database' });
  if (kept !== null) before.push({ ...kept.checkpoint, what: 'the last checkpoint in the checkpoint store' });
  return { origin, keys, size, root: await extendedRoot(database, size, before), last, kept, refused };
}

/** A signed tree, and its description for refusals. */
interface Earlier extends Pick<Checkpoint, 'size' | 'root'> {
  what: string;
}

/** Returns the root of the stored tree. @throws PublisherRefusal if the tree does not extend every signed one */
async function extendedRoot(
  database: Database,
  size: number,
  signed: readonly Earlier[],
): Promise<Uint8Array> {
  const remedy = 'Restore the missing entries, or begin a new log with new-origin.';
  for (const earlier of signed)
    if (size < earlier.size)
      throw new PublisherRefusal(
        `The log has ${size} entries, fewer than the ${earlier.size} of ${earlier.what}. ${remedy}`,
      );
  const [root, ...roots] = await rootsAt(database, [size, ...signed.map((earlier) => earlier.size)]);
  for (const [index, earlier] of signed.entries())
    if (earlier.size > 0 && !equalBytes(roots[index]!, earlier.root))
      throw new PublisherRefusal(
        `The first ${earlier.size} entries of the log differ from those of ${earlier.what}. ${remedy}`,
      );
  return root!;
}

/** If a store is configured, it holds the note. */
interface Draft {
  checkpoint: Checkpoint;
  note: string;
}

/** Does steps 1 and 2. @returns null if the key may not sign yet, or another publisher won the swap */
async function draftCheckpoint(
  { publisher, log, now }: Attempt,
  { origin, keys, size, root, last, kept }: LogState,
): Promise<Draft | null> {
  const signer = await openSigner(origin, publisher);
  if (!maySign(keys, signer, last?.note)) return null;
  const { witnessQuorum = 0 } = publisher;
  const checkpoint = {
    origin,
    size,
    root,
    time: iso(now),
    ...(witnessQuorum > 0 && { quorum: witnessQuorum }),
  };
  const note = await signCheckpoint(checkpoint, [signer]);
  const { store } = publisher;
  if (store !== undefined && !(await store.compareAndSwap(kept?.note ?? null, note))) {
    log?.info({ size }, 'dropped a checkpoint: another publisher signed one first');
    return null;
  }
  return { checkpoint, note };
}

/** Does steps 3 and 4. */
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
    log?.warn({ size: checkpoint.size }, 'dropped a checkpoint: another publisher replaced it');
    return 'dropped';
  }
  const cosigners = witnesses.map(({ key }) => key);
  const { cosignedBy: cosigned } = await openCheckpoint(note, checkpoint.origin, own, cosigners);
  const withheld =
    cosigned.length < quorum
      ? `${cosigned.length} of ${witnesses.length} witnesses have cosigned the checkpoint of ${checkpoint.size} entries, but ${quorum} are required.`
      : null;
  await updateRefusal(database, 'conflict', conflict, now);
  await updateRefusal(database, 'withheld', withheld, now);
  if (withheld !== null || (conflict !== null && quorum === 0)) return 'withheld';

  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'publishing');
    const newest = await latestCheckpoint(transaction);
    const isNext = newest?.size === last?.size && (await storedOrigin(transaction)) === checkpoint.origin;
    if (!isNext) return 'dropped';
    return (await storeCheckpoint(transaction, checkpoint, note, cosigned)) ? 'published' : 'dropped';
  });
}

/** Reads the newest checkpoint, the number of entries, and whether a refusal is open, in one snapshot. */
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
  await recordRowsSetAside(database, [{ table: 'checkpoints', row: `size ${newest.size}`, reason }]);
  return { last: await latestCheckpoint(database), size: entries, refused };
}

async function updateRefusal(
  database: Database,
  kind: 'conflict' | 'withheld',
  reason: string | null,
  now: number,
): Promise<void> {
  if (reason === null) await clearRefusals(database, [kind], now);
  else await recordRefusal(database, kind, reason, now);
}
