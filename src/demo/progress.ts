// The clock of the demo's log. A file of its own, so that pages and `npm start` do not load the generator.

import type { Database, Transaction } from '../platform/database.ts';

const day = 86_400_000;

export const demoHistoryMs = 90 * day;

/** Returns the share of the demo's history that has been played, from 0 to 1. It is 1 once all but the last day has been. */
export async function demoHistoryPlayed(database: Database, now: EpochMs): Promise<number> {
  const until = await readProgress(database);
  if (until === undefined) return 0;
  return Math.min(1, 1 - (now - until - day) / demoHistoryMs);
}

/** Returns the instant up to which the demo has been played; undefined if it has not begun. */
export async function readProgress(database: Database): Promise<EpochMs | undefined> {
  const row: { until: number } | undefined = await database('demo_progress').first('until');
  return row?.until;
}

export async function writeProgress(transaction: Transaction, until: EpochMs): Promise<void> {
  await transaction('demo_progress')
    .insert({ id: 1, until: new Date(until) })
    .onConflict('id')
    .merge();
}
