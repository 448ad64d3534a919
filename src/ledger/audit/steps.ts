import type { Database, Transaction } from '../../platform/database.ts';
import { equalBytes, hex } from '../../proof/encoding.ts';
import { rootOf } from '../../proof/tree.ts';
import { Difference } from '../difference.ts';
import { sha256 } from '../sealing/log-entry.ts';
import { rootAt } from '../sealing/tree.ts';
import {
  type AuditOptions,
  auditEnd,
  auditNext,
  beginAudit,
  endAudit,
  type fromTheBeginning,
  type KeptNote,
  walkFrom,
} from './audit.ts';
import { auditCatalog } from './catalog.ts';
import { auditDerived } from './derived.ts';
import { batch, readRun } from './entries.ts';
import { unexpected } from './expected.ts';
import { auditPicks } from './picks.ts';
import { auditTimes } from './witnessed-times.ts';
import { auditWorkLists } from './work-lists.ts';

/** The complete state of an audit in steps. */
export type AuditState = ReturnType<typeof fromTheBeginning>;

/** Entries per step. Each step has its own snapshot. */
const stepEntries = 20_000;

export interface Step {
  /** The state for the next step; unchanged if this step found a difference. */
  state: AuditState;
  /** The differences found, at most one of them in the log. */
  found: Difference[];
  /** Whether the end of the log was reached. */
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
