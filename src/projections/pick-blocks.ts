import type { Database, Transaction } from '../platform/database.ts';

/** Ids per row of `pick_blocks`; block 0 contains 1 to 1,000. */
export const blockLength = 1000;

/** Returns a query of the rows of `pick_blocks` for some picks. @param picks a condition on `board_picks b` */
export function blocksOf(picks: string): string {
  return `select (b.pick_id - 1) / ${blockLength} as block, max(b.posted_at) as last_posted_at
    from board_picks b where ${picks} group by 1`;
}

/** Adds the entries from `from` up to, not including, `to`. */
export async function extendBlocks(transaction: Transaction, from: number, to: number): Promise<void> {
  const posted = `select pick_id from ledger_entries where seq >= :from and seq < :to and kind = 'posted'`;
  await transaction.raw(
    `insert into pick_blocks as r (block, last_posted_at) ${blocksOf(`b.pick_id in (${posted})`)}
     on conflict (block) do update set last_posted_at = greatest(r.last_posted_at, excluded.last_posted_at)`,
    { from, to },
  );
}

/**
 * Returns the id before the first block with a pick posted at or after an instant. A scan by id for such picks can begin there.
 * @param afterId considers only blocks with larger ids
 * @returns null if there is no such block
 */
export async function idBefore(database: Database, since: number, afterId: number): Promise<number | null> {
  const first: { block: number } | undefined = await database('pick_blocks')
    .where('last_posted_at', '>=', new Date(since))
    .where('block', '>=', Math.floor(afterId / blockLength))
    .orderBy('block')
    .first('block');
  return first === undefined ? null : Math.max(afterId, first.block * blockLength);
}
