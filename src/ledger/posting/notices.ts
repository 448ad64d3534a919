import type { Intake, NotedOutcome } from '../../games/row-outcome.ts';
import type { Database } from '../../platform/database.ts';

/**
 * Records operator notices; they are sealed into the log like any other event and change nothing else. The same correction again
 * is passed over.
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

/** Records the corrections that rows made of stored scores and results. @returns the outcome of each row */
export async function withCorrections(
  database: Database,
  { outcomes, corrections }: { outcomes: NotedOutcome[]; corrections: string[] },
  { now }: Intake,
): Promise<NotedOutcome[]> {
  await recordNotices(database, 'correction', corrections, now);
  return outcomes;
}
