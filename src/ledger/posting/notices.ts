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
