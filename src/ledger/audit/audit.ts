import type { Database, Transaction } from '../../platform/database.ts';
import { emptyFrontier, type Frontier, rootOf } from '../../proof/tree.ts';
import { Difference } from '../difference.ts';
import { CheckpointStoreError, openKeptCheckpoint } from '../publishing/checkpoint-store/open.ts';
import type { SigningConfig } from '../publishing/identity.ts';
import { whileNotPublishing } from '../publishing/publisher-lease.ts';
import { type Chains, sha256 } from '../sealing/log-entry.ts';
import { auditKeys } from '../sealing/recompute/keys.ts';
import { auditCatalog } from './catalog.ts';
import {
  auditCheckpoint,
  auditKept,
  auditLastCheckpoints,
  auditOwnKey,
  auditTimes,
  type CheckpointWalk,
  readCheckpoints,
} from './checkpoints.ts';
import {
  auditCapperKeys,
  auditDataFiles,
  auditDerived,
  auditJoins,
  auditOrphans,
  auditStarts,
  auditWorkLists,
} from './derived.ts';
import { auditNodes, auditOrphanNodes, auditRun, batch, type Run, readRun } from './entries.ts';
import { auditPicks } from './picks.ts';
import { auditPrices } from './prices.ts';

export interface AuditOptions extends Expectations {
  /** The log's signer. Absent: the signing key is not audited. */
  signing?: SigningConfig;
  /** `WITNESS_QUORUM`. With fewer cosignatures, the store's checkpoint is a draft. Default: 0. */
  witnessQuorum?: number;
  /** `DATA_FILES`. Absent: the files are not compared with their index. */
  dataFiles?: string | undefined;
  onProgress?: (done: number, total: number) => void;
}

export interface WholeAuditOptions extends AuditOptions {
  /** Called immediately with each difference outside the log. */
  onFinding: (difference: Difference) => void;
  further?: readonly ((snapshot: Database) => AsyncIterable<Difference>)[];
}

/** The checkpoint store's note: null if empty, undefined without a store. */
export type KeptNote = string | null | undefined;

export interface Audit {
  entries: number;
  checkpoints: number;
  /** The size of the store's checkpoint that the log was compared with; null if none. */
  comparedWith: number | null;
  /** The first difference in the log; null if it matches everything sealed, signed, and published. */
  difference: Difference | null;
}

/** The result of an audit of the log and of everything else that the rules and the schema determine. */
export interface WholeAudit extends Audit {
  picks: number;
  findings: number;
}

/**
 * Audits the whole database. Recomputes every body, hash, entry, chain, node, and root, verifies every checkpoint, and compares with the
 * checkpoint store. Then recomputes every closing and settlement, and checks pending work. Reads one snapshot, so it can run beside the
 * service. Memory grows only with the number of open picks.
 * @param database a pool of at least two connections
 * @param readKept reads the checkpoint store
 * @throws CheckpointStoreError if the store is unavailable
 */
export async function audit(
  database: Database,
  readKept: () => Promise<KeptNote>,
  options: WholeAuditOptions,
): Promise<WholeAudit> {
  const begun = await beginAudit(database, readKept);
  const { snapshot, kept } = begun;
  try {
    const whole = { ...(await auditSnapshot(snapshot, kept, options)), picks: 0, findings: 0 };
    const found = auditPicks(snapshot, (picks) => {
      whole.picks = picks;
    });
    const further = (options.further ?? []).map((of) => of(snapshot));
    for (const findings of [
      auditCatalog(snapshot, options.onRemark),
      auditWorkLists(snapshot),
      auditStarts(snapshot),
      auditJoins(snapshot),
      auditPrices(snapshot),
      auditCapperKeys(snapshot),
      auditDataFiles(snapshot, options.dataFiles),
      auditDerived(snapshot),
      auditTimes(snapshot),
      found,
      ...further,
    ])
      for await (const difference of unexpected(findings, options)) {
        whole.findings += 1;
        options.onFinding(difference);
      }
    return whole;
  } finally {
    await endAudit(begun);
  }
}

interface Begun {
  snapshot: Transaction;
  kept: KeptNote;
}

/** Opens the snapshot while nothing is being published, so that store and database agree. End it with {@link endAudit}. */
export function beginAudit(database: Database, readKept: () => Promise<KeptNote>): Promise<Begun> {
  return whileNotPublishing(database, () => begin(database, readKept), endAudit);
}

async function begin(database: Database, readKept: () => Promise<KeptNote>): Promise<Begun> {
  const snapshot = await database.transaction(undefined, {
    isolationLevel: 'repeatable read',
    readOnly: true,
  });
  try {
    // A transaction's snapshot is taken by its first statement.
    await snapshot.raw('select');
    return { snapshot, kept: await readKept() };
  } catch (error) {
    await snapshot.rollback();
    throw error;
  }
}

export async function endAudit({ snapshot }: Begun): Promise<void> {
  await snapshot.rollback();
}

/** Audits only the log, like {@link audit}, in a given transaction. */
export async function auditSnapshot(
  transaction: Transaction,
  kept: KeptNote,
  options: AuditOptions,
): Promise<Audit> {
  const result: Audit = { entries: 0, checkpoints: 0, comparedWith: null, difference: null };
  try {
    await auditAll(transaction, kept, options, result);
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    result.difference = error;
  }
  return result;
}

async function auditAll(
  transaction: Transaction,
  kept: KeptNote,
  options: AuditOptions,
  result: Audit,
): Promise<void> {
  const walked = await walkFrom(transaction, fromTheBeginning());
  const [counted]: { total: number }[] = await transaction('ledger_entries').count({ total: '*' });
  const total = Number(counted!.total);
  for (let isLast = false; !isLast; ) {
    const run = await readRun(transaction, walked.frontier.size);
    isLast = run.entries.length < batch;
    await auditNext(transaction, run, walked);
    result.entries = walked.frontier.size;
    result.checkpoints = walked.walk?.count ?? 0;
    options.onProgress?.(walked.frontier.size, total);
  }
  await auditOrphanNodes(transaction, walked.frontier.size);
  await auditOrphans(transaction);
  result.comparedWith = await auditEnd(transaction, walked, kept, options);
}

export interface Walked {
  frontier: Frontier;
  chains: Chains;
  /** Null if the log has no key. */
  walk: CheckpointWalk | null;
}

export type Passed = Omit<CheckpointWalk, 'keys'>;

export function fromTheBeginning(): Omit<Walked, 'walk'> & { passed: Passed } {
  return {
    frontier: emptyFrontier(),
    chains: { cappers: new Map(), picks: new Map() },
    passed: { last: null, signer: 0, witnessed: new Set(), count: 0 },
  };
}

/** @throws Difference */
export async function walkFrom(
  transaction: Transaction,
  { passed, ...walked }: ReturnType<typeof fromTheBeginning>,
): Promise<Walked> {
  const keys = await auditKeys(transaction);
  return { ...walked, walk: keys === null ? null : { ...passed, keys } };
}

/** Audits the next entries, the nodes they complete, and their checkpoints. @throws Difference */
export async function auditNext(
  transaction: Transaction,
  run: Run,
  { frontier, chains, walk }: Walked,
): Promise<void> {
  const seq = frontier.size;
  const leaves = await auditRun(transaction, run, seq, chains);
  const checkpoints = walk === null ? [] : await readCheckpoints(transaction, seq, seq + leaves.length);
  const sizes = new Set(checkpoints.map(({ size }) => size));
  const roots = new Map<number, Uint8Array>();
  await auditNodes(transaction, frontier, leaves, (size) => {
    if (sizes.has(size)) roots.set(size, rootOf(frontier, sha256));
  });
  for (const checkpoint of checkpoints)
    await auditCheckpoint(transaction, walk!, checkpoint, roots.get(checkpoint.size)!);
}

/**
 * @returns the size of the store's checkpoint that the log was compared with; null if none
 * @throws Difference
 */
export async function auditEnd(
  transaction: Transaction,
  { frontier, walk }: Walked,
  kept: KeptNote,
  { signing, witnessQuorum }: AuditOptions,
): Promise<number | null> {
  if (walk === null) return null;
  await auditLastCheckpoints(transaction, walk, frontier.size);
  if (signing !== undefined) await auditOwnKey(walk.keys, signing);
  return kept === undefined ? null : await compare(transaction, kept, walk, frontier.size, witnessQuorum);
}

/** @returns null if nothing was ever published */
async function compare(
  transaction: Transaction,
  note: string | null,
  { keys, last }: CheckpointWalk,
  size: number,
  quorum = 0,
): Promise<number | null> {
  if (note === null && last === null) return null;
  if (note === null) throw new Difference('CHECKPOINT_STORE', 'the checkpoint', null, 'it is missing');
  try {
    const kept = await openKeptCheckpoint(note, keys.origin, keys.own);
    await auditKept(transaction, kept, size, quorum);
    return kept.checkpoint.size;
  } catch (error) {
    if (!(error instanceof CheckpointStoreError)) throw error;
    throw new Difference('CHECKPOINT_STORE', 'the checkpoint', null, error.message);
  }
}

interface Expectations {
  /** `AUDIT_EXPECTED`: names of findings that the operator expects. `*` matches anything. */
  expected?: readonly string[];
  /** Called with each expected finding, and with a remark on each comparison that was not possible. */
  onRemark?(remark: string): void;
}

/** Filters out expected findings. Findings of the catalog are named by object, others by table and row. */
export async function* unexpected(
  findings: AsyncIterable<Difference>,
  { expected = [], onRemark = () => {} }: Expectations,
): AsyncGenerator<Difference> {
  const patterns = expected.map(
    (pattern) => new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`),
  );
  for await (const finding of findings) {
    const { table, row, message } = finding;
    const name = table === 'catalog' ? row : `${table} ${row}`;
    if (patterns.some((pattern) => pattern.test(name))) onRemark(message);
    else yield finding;
  }
}
