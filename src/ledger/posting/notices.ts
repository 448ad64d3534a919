import type { Database } from '../../platform/database.ts';

/** Records operator notices, which are sealed into the log and have no other effect. A repeated correction is skipped. */
export async function recordNotices(
  database: Database,
  topic: 'correction' | 'remark' | 'void',
  texts: readonly string[],
  at: EpochMs,
): Promise<void> {
  for (const text of texts)
    await database('notices')
      .insert({ at: new Date(at), topic, text })
      .onConflict()
      .ignore();
}
