import { applyCappers, type CapperRow } from '../../cappers/cappers.ts';
import type { Intake, NotedOutcome, RowOutcome } from '../../games/row-outcome.ts';
import type { Database } from '../../platform/database.ts';

/**
 * Records operator notices, which are sealed into the log and have no other effect. A repeated correction is skipped.
 * @param at epoch milliseconds
 */
export async function recordNotices(
  database: Database,
  topic: 'correction' | 'remark',
  texts: readonly string[],
  at: number,
): Promise<void> {
  for (const text of texts)
    await database('notices')
      .insert({ at: new Date(at), topic, text })
      .onConflict()
      .ignore();
}

/** Stores cappers, and records each change of a tier or verification as a notice. @returns the outcome of each row */
export async function storeCappers(
  database: Database,
  rows: readonly CapperRow[],
  intake: Intake,
): Promise<RowOutcome[]> {
  const { outcomes, changes } = await applyCappers(database, rows, intake);
  await recordNotices(database, 'remark', changes, intake.now);
  return outcomes;
}

/** Records corrections of stored scores and results as notices. @returns the outcome of each row */
export async function withCorrections(
  database: Database,
  { outcomes, corrections }: { outcomes: NotedOutcome[]; corrections: string[] },
  { now }: Intake,
): Promise<NotedOutcome[]> {
  await recordNotices(database, 'correction', corrections, now);
  return outcomes;
}
