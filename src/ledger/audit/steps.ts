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

/** How far an audit in steps has come: all that it has to remember. */
export type AuditState = ReturnType<typeof fromTheBeginning>;

/** Entries of a step, each of which is a snapshot of its own. */
const stepEntries = 20_000;

export interface Step {
  /** Where the next step begins: where this one did, when it found something. */
  state: AuditState;
  /** What was found, at most one of it about the log itself. */
  found: Difference[];
  /** Whether the end of the log was reached. */
  ended: boolean;
  /** Of the end: the size of the checkpoint outside the database that it was compared with. */
  comparedWith: number | null;
}

/**
 * Audits the entries that follow those of a state: their hashes, chains, nodes and checkpoints, and how the picks that they are of closed
 * and settled. The tree before them must still be the one that was audited. At the end of the log also what {@link auditEnd} says, the
 * catalog, the work lists, and what {@link auditDerived} compares. Not seen: rows that no entry stands for, changes of projections, and changes of the past that leave the
 * tree as it was; those need an audit of everything.
 * @param state is not changed
 * @param size entries at most
 * @throws CheckpointStoreError when the store is unavailable
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

/** The stored tree must begin with what was audited: a log that was made again differs there, however well it is signed. */
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
    throw differs(`their root was ${hex(audited)} when they were audited, and is ${hex(root)}`);
}
