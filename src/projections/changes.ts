import type { Database, Transaction } from '../platform/database.ts';

/** Ids per row of `pick_blocks`; block 0 contains 1 to 1,000. */
export const blockLength = 1000;

const tables = {
  pick_blocks: {
    key: 'block',
    columns: {
      block: `(b.pick_id - 1) / ${blockLength}`,
      last_posted_at: 'max(b.posted_at)',
      changed_at: 'max(greatest(b.posted_at, b.closed_at, b.settled_at))',
    },
  },
  capper_changes: {
    key: 'capper_id',
    columns: {
      capper_id: 'b.capper_id',
      changed_at: 'max(greatest(b.posted_at, b.closed_at, b.settled_at))',
    },
  },
};

/** Returns a query of the rows of a table of changes for some picks. @param picks a condition on `board_picks b` */
export function changesOf(table: keyof typeof tables, picks: string): string {
  const columns = Object.entries(tables[table].columns).map(([column, source]) => `${source} as ${column}`);
  return `select ${columns.join(', ')} from board_picks b where ${picks} group by 1`;
}

/** Adds the entries from `from` up to, not including, `to` to `pick_blocks` and `capper_changes`. */
export async function extendChanges(transaction: Transaction, from: number, to: number): Promise<void> {
  const read = 'b.pick_id in (select pick_id from ledger_entries where seq >= :from and seq < :to)';
  for (const table of Object.keys(tables) as (keyof typeof tables)[]) {
    const { key, columns } = tables[table];
    const instants = Object.keys(columns).filter((column) => column !== key);
    await transaction.raw(
      `insert into ${table} as r (${Object.keys(columns).join(', ')}) ${changesOf(table, read)}
       on conflict (${key}) do update set
         ${instants.map((column) => `${column} = greatest(r.${column}, excluded.${column})`).join(', ')}`,
      { from, to },
    );
  }
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
