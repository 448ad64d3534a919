import type { Database } from '../../platform/database.ts';
import { hex } from '../../proof/encoding.ts';
import { TILE_HEIGHT } from '../../proof/tiles.ts';
import { append, type Frontier } from '../../proof/tree.ts';
import { Difference } from '../difference.ts';
import { sha256 } from '../sealing/log-entry.ts';

/**
 * Appends recomputed leaves to the frontier, and compares the completed subtrees with the stored nodes.
 * @param onSize called after each leaf
 * @throws Difference
 */
export async function auditNodes(
  database: Database,
  frontier: Frontier,
  leaves: readonly string[],
  onSize: (size: number) => void,
): Promise<void> {
  const from = frontier.size;
  const expected: string[][] = [];
  for (const leaf of leaves) {
    const nodes = append(frontier, Buffer.from(leaf, 'hex'), sha256);
    for (let level = 1; level < nodes.length; level += 1) {
      expected[level] ??= [];
      expected[level]!.push(hex(nodes[level]!));
    }
    onSize(frontier.size);
  }
  for (let level = TILE_HEIGHT; level < expected.length; level += TILE_HEIGHT) {
    const first = Math.floor(from / 2 ** level);
    await compareLevel(database, level, first, expected[level] ?? []);
  }
}

async function compareLevel(
  database: Database,
  level: number,
  first: number,
  expected: readonly string[],
): Promise<void> {
  const rows: { index: number; hash: Buffer }[] = await database('ledger_nodes')
    .where({ level })
    .whereBetween('index', [first, first + expected.length - 1])
    .orderBy('index')
    .select('index', 'hash');
  expected.forEach((hash, offset) => {
    const index = first + offset;
    const differs = (column: string | null, sentence: string) =>
      new Difference('ledger_nodes', `level ${level} index ${index}`, column, sentence);
    const row = rows[offset];
    if (row?.index !== index) throw differs(null, 'it is missing');
    if (row.hash.toString('hex') !== hash) throw differs('hash', `the entries below it give ${hash}`);
  });
}

/** Finds stored nodes that do not belong to a tree of this size. @throws Difference */
export async function auditOrphanNodes(database: Database, size: number): Promise<void> {
  const { rows }: { rows: { level: number; index: number }[] } = await database.raw(
    `select level, index from ledger_nodes
     where level < 1 or level > 52 or level % ? <> 0 or index < 0 or (index + 1) * power(2, level) > ?
     order by level, index limit 1`,
    [TILE_HEIGHT, size],
  );
  const [orphan] = rows;
  if (orphan !== undefined)
    throw new Difference(
      'ledger_nodes',
      `level ${orphan.level} index ${orphan.index}`,
      null,
      `a tree of ${size} entries has no such node`,
    );
}
