import type { Database } from '../platform/database.ts';

/** The publisher will not sign; the message says why, in a sentence that anyone may read. */
export class PublisherRefusal extends Error {
  override name = 'PublisherRefusal';
}

/**
 * Keeps a refusal, for the status to show. The same one again stays as old as it is.
 * @param now epoch milliseconds
 * @returns whether it is a new one
 */
export function recordRefusal(database: Database, reason: string, now: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const changed = transaction('publisher_refusals').whereNull('cleared_at').whereNot({ reason });
    await changed.update({ cleared_at: new Date(now) });
    const added = await transaction('publisher_refusals')
      .insert({ since: new Date(now), reason })
      .onConflict()
      .ignore()
      .returning('id');
    return added.length > 0;
  });
}

/**
 * Notes that the publisher signs again.
 * @param now epoch milliseconds
 */
export async function clearRefusals(database: Database, now: number): Promise<void> {
  await database('publisher_refusals')
    .whereNull('cleared_at')
    .update({ cleared_at: new Date(now) });
}
