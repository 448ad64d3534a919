// The clock of the demo's log. A file of its own, so that pages and `npm start` do not load the generator.

import type { Database, Transaction } from '../platform/database.ts';

const day = 86_400_000;

/** The length of the history that the demo starts with, in milliseconds. */
export const demoHistoryMs = 90 * day;

/** Returns the share of the demo's history that has been played, from 0 to 1. It is 1 once all but the last day has been. */
export async function demoHistoryPlayed(database: Database, now: EpochMs): Promise<number> {
  const until = await readProgress(database);
  if (until === undefined) return 0;
  return Math.min(1, 1 - (now - until - day) / demoHistoryMs);
}

/** Returns the instant up to which the demo has been played, in epoch milliseconds; undefined if it has not begun. */
export async function readProgress(database: Database): Promise<number | undefined> {
  const row: { until: number } | undefined = await database('demo_progress').first('until');
  return row?.until;
}

/** Stores the instant up to which the demo has been played, in epoch milliseconds. */
export async function writeProgress(transaction: Transaction, until: number): Promise<void> {
  await transaction('demo_progress')
    .insert({ id: 1, until: new Date(until) })
    .onConflict('id')
    .merge();
}
