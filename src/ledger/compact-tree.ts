import type { Database } from '../platform/database.ts';
import { takeLock } from '../platform/locks.ts';
import { TILE_HEIGHT } from '../proof/tiles.ts';

/**
 * Drops the nodes of the tree that are computed from others, 254 of 255, and gives their room on the disk back. From then on only roots of
 * full tiles are stored. Processes of releases that read all nodes can no longer seal or prove.
 *
 * One transaction, which writes as many rows as are kept: one for each 256 entries. Sealing and proofs wait for it.
 * @param owner a pool under the role that owns the tables
 * @returns how many bytes the table had, and has
 * @throws an error of code 55P03 where the table is in use for longer than a second, as by an audit of everything; nothing has changed then
 */
export async function compactTree(owner: Database): Promise<{ before: number; after: number }> {
  const before = await bytesOfNodes(owner);
  await owner.transaction(async (transaction) => {
    await transaction.raw(`set local lock_timeout = '1s'`);
    await takeLock(transaction, 'sealing');
    await transaction.raw('lock table ledger_nodes in access exclusive mode');
    await transaction.raw(
      `create temporary table kept_nodes on commit drop as
       select n.* from generate_series(${TILE_HEIGHT}, 48, ${TILE_HEIGHT}) as l cross join lateral
         (select * from ledger_nodes where level = l) n`,
    );
    await transaction.raw('alter table ledger_nodes disable trigger ledger_nodes_append_only');
    await transaction.raw('truncate ledger_nodes');
    await transaction.raw('insert into ledger_nodes select * from kept_nodes order by level, index');
    await transaction.raw('alter table ledger_nodes enable always trigger ledger_nodes_append_only');
  });
  return { before, after: await bytesOfNodes(owner) };
}

async function bytesOfNodes(database: Database): Promise<number> {
  const { rows }: { rows: { bytes: string }[] } = await database.raw(
    `select pg_total_relation_size('ledger_nodes') as bytes`,
  );
  return Number(rows[0]!.bytes);
}
