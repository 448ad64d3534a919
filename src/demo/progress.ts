// The clock of the demo's log. Separate from the generator, so that pages and `npm start` need not load that.

import type { Database, Transaction } from '../platform/database.ts';

const day = 86_400_000;

/** The length of the history that the demo starts with, in milliseconds. */
export const demoHistoryMs = 90 * day;

/**
 * Returns the share of the demo's history that has been played, from 0 to 1. It is 1 once all but the last day has been.
 * @param now epoch milliseconds
 */
export async function demoHistoryPlayed(database: Database, now: number): Promise<number> {
  const until = await readProgress(database);
  if (until === undefined) return 0;
  return Math.min(1, 1 - (now - until - day) / demoHistoryMs);
}

/** Up to when the demo has been played, epoch milliseconds; undefined where it has not begun. */
export async function readProgress(database: Database): Promise<number | undefined> {
  const row: { until: number } | undefined = await database('demo_progress').first('until');
  return row?.until;
}

/** Notes up to when the demo has been played, epoch milliseconds. */
export async function writeProgress(transaction: Transaction, until: number): Promise<void> {
  await transaction('demo_progress')
    .insert({ id: 1, until: new Date(until) })
    .onConflict('id')
    .merge();
}
