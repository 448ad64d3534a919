import { existsSync, readFileSync } from 'node:fs';
import type { Database, Transaction } from '../../platform/database.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { equalBytes, hex } from '../../proof/encoding.ts';
import { rootOf } from '../../proof/tree.ts';
import { Difference } from '../difference.ts';
import { writeDurably } from '../publishing/durable-file.ts';
import { sha256 } from '../sealing/log-entry.ts';
import { rootAt } from '../sealing/tree.ts';
import {
  type AuditOptions,
  auditEnd,
  auditNext,
  beginAudit,
  endAudit,
  fromTheBeginning,
  type KeptNote,
  unexpected,
  walkFrom,
} from './audit.ts';
import { auditCatalog } from './catalog.ts';
import { auditTimes } from './checkpoints.ts';
import { auditDerived, auditWorkLists } from './derived.ts';
import { batch, readRun } from './entries.ts';
import { auditPicks } from './picks.ts';

export type AuditState = ReturnType<typeof fromTheBeginning>;

/** Entries per step. Each step has its own snapshot. */
const stepEntries = 20_000;

export interface Step {
  /** The state for the next step; unchanged if this step found a difference. */
  state: AuditState;
  /** At most one of them in the log. */
  found: Difference[];
  ended: boolean;
  /** After the last step, the size of the store's checkpoint that the log was compared with; null if none. */
  comparedWith: number | null;
}

/**
 * Audits the entries after a state: hashes, chains, nodes, checkpoints, and the closings and settlements of their picks. The tree before
 * them must still be the audited one. At the end of the log, also runs {@link auditEnd}, {@link auditDerived}, and the audits of the
 * catalog and the work lists.
 *
 * Only a full audit finds rows without an entry, changed projections, and changes of old rows that leave the tree unchanged.
 * @param state is not modified
 * @param size maximum number of entries
 * @throws CheckpointStoreError if the store is unavailable
 */
export async function auditStep(
  database: Database,
  readKept: () => Promise<KeptNote>,
  state: AuditState,
  options: AuditOptions,
  size = stepEntries,
): Promise<Step> {
  const begun = await beginAudit(database, readKept);
  try {
    return await stepIn(begun.snapshot, begun.kept, state, options, size);
  } finally {
    await endAudit(begun);
  }
}

async function stepIn(
  snapshot: Transaction,
  kept: KeptNote,
  state: AuditState,
  options: AuditOptions,
  size: number,
): Promise<Step> {
  const found: Difference[] = [];
  const next = structuredClone(state);
  const picks = new Set<number>();
  let ended = false;
  let comparedWith: number | null = null;
  try {
    const walked = await walkFrom(snapshot, next);
    await compareTree(snapshot, state);
    for (let left = size; left > 0 && !ended; left -= batch) {
      const limit = Math.min(batch, left);
      const run = await readRun(snapshot, walked.frontier.size, limit);
      await auditNext(snapshot, run, walked);
      for (const { pick_id } of run.entries) if (pick_id !== null) picks.add(pick_id);
      ended = run.entries.length < limit;
    }
    if (ended) comparedWith = await auditEnd(snapshot, walked, kept, options);
    if (walked.walk !== null) {
      const { keys: _, ...passed } = walked.walk;
      next.passed = passed;
    }
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    found.push(error);
  }
  const others = [auditPicks(snapshot, () => {}, [...picks])];
  if (ended)
    others.push(
      auditCatalog(snapshot, options.onRemark),
      auditWorkLists(snapshot),
      auditDerived(snapshot),
      auditTimes(snapshot),
    );
  for (const differences of others)
    for await (const difference of unexpected(differences, options)) found.push(difference);
  return { state: found.length > 0 ? state : next, found, ended, comparedWith };
}

/** Checks that the stored tree extends the audited one. A rebuilt log differs, even if its signatures are valid. */
async function compareTree(snapshot: Transaction, { frontier }: AuditState): Promise<void> {
  if (frontier.size === 0) return;
  const differs = (sentence: string) =>
    new Difference('ledger_nodes', `the first ${frontier.size} entries`, null, sentence);
  const audited = rootOf(frontier, sha256);
  let root: Uint8Array;
  try {
    root = await rootAt(snapshot, frontier.size);
  } catch (error) {
    throw differs((error as Error).message);
  }
  if (!equalBytes(root, audited))
    throw differs(`their root was ${hex(audited)} when they were audited, and is now ${hex(root)}`);
}

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const count = Type.Integer({ minimum: 0 });
const check = checker(
  Type.Object({
    version: Type.Literal(1),
    size: count,
    frontier: Type.Array(hash),
    /** By handle: number and hash of the last pick. */
    cappers: Type.Record(Type.String(), Type.Object({ seq: count, hash: Type.Union([hash, Type.Null()]) })),
    /** Unsettled picks by id: hash of the last event, and the pick's number among its capper's. */
    picks: Type.Record(Type.String(), Type.Object({ hash, capperSeq: count })),
    checkpoints: Type.Object({
      last: Type.Union([count, Type.Null()]),
      signer: count,
      witnessed: Type.Array(Type.String()),
      count,
    }),
  }),
);

/** Without the file, the audit starts at the beginning. @throws Error if it holds anything else, so that it is never overwritten */
export function readAuditState(file: string): AuditState {
  if (!existsSync(file)) return fromTheBeginning();
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(
      `${file} cannot be read as the state of an audit: ${(error as Error).message}. Name another file`,
    );
  }
  const checked = check(given);
  if (!checked.ok)
    throw new Error(`${file} is not the state of an audit: ${faultsText(checked.faults)}. Name another file`);
  const { size, frontier, cappers, picks, checkpoints } = checked.value;
  return {
    frontier: { size, hashes: frontier.map((text) => Buffer.from(text, 'hex')) },
    chains: {
      cappers: new Map(Object.entries(cappers)),
      picks: new Map(Object.entries(picks).map(([id, last]) => [Number(id), last])),
    },
    passed: { ...checkpoints, witnessed: new Set(checkpoints.witnessed) },
  };
}

export function writeAuditState(file: string, { frontier, chains, passed }: AuditState): void {
  const text = JSON.stringify({
    version: 1,
    size: frontier.size,
    frontier: frontier.hashes.map(hex),
    cappers: Object.fromEntries(chains.cappers),
    picks: Object.fromEntries(chains.picks),
    checkpoints: { ...passed, witnessed: [...passed.witnessed] },
  });
  writeDurably(file, `${text}\n`);
}
