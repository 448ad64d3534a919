import type { Database, Transaction } from '../../platform/database.ts';
import { consistencyRanges } from '../../proof/consistency.ts';
import { inclusionRanges } from '../../proof/inclusion.ts';
import { hashesOfNode, rootOfHashes, TILE_HEIGHT, TILE_WIDTH } from '../../proof/tiles.ts';
import {
  append,
  type Frontier,
  type Node,
  proofHashes,
  type Range,
  rootOf,
  subtrees,
} from '../../proof/tree.ts';
import { sha256 } from './log-entry.ts';

/**
 * The stored tree: the leaf hashes of the entries, and in `ledger_nodes` the roots of full tiles, which are the nodes at levels 8, 16, ...
 * All other nodes are computed from at most 128 of these (ARCHITECTURE.md#an-entry-to-a-receipt).
 */

/** A range of hashes within one tile, read together. */
interface Run {
  /** Level of the tile: 0 for leaf hashes. */
  level: number;
  begin: number;
  end: number;
}

/**
 * In one query, at most one tile's hashes per tile.
 * @returns a function that computes the hash of any of the nodes
 * @throws Error if the stored tree lacks a hash
 */
export async function readNodes(
  database: Database,
  nodes: readonly Node[],
): Promise<(node: Node) => Uint8Array> {
  const runs = new Map<string, Run>();
  for (const node of nodes) {
    const { level, begin, end } = hashesOfNode(node);
    const run = runs.get(tileKey(node));
    runs.set(tileKey(node), {
      level,
      begin: Math.min(begin, run?.begin ?? begin),
      end: Math.max(end, run?.end ?? end),
    });
  }
  const hashes = await readRuns(database, [...runs.values()]);
  const bytes = new Map([...runs].map(([key, run], index) => [key, { ...run, bytes: hashes[index]! }]));
  const computed = new Map<string, Uint8Array>();
  return (node) => {
    const key = `${node.level}/${node.index}`;
    const known = computed.get(key);
    if (known !== undefined) return known;
    const run = bytes.get(tileKey(node))!;
    const { begin, end } = hashesOfNode(node);
    const hash = rootOfHashes(run.bytes, begin - run.begin, end - run.begin, sha256);
    computed.set(key, hash);
    return hash;
  };
}

function tileKey(node: Node): string {
  const { level, begin } = hashesOfNode(node);
  return `${level}/${Math.floor(begin / TILE_WIDTH)}`;
}

async function readRuns(database: Database, runs: readonly Run[]): Promise<Buffer[]> {
  if (runs.length === 0) return [];
  const { rows }: { rows: { hashes: Buffer | null }[] } = await database.raw(
    `select case r.level
       when 0 then (select string_agg(leaf_hash, '' order by seq) from ledger_entries where seq >= r.first and seq < r.past)
       else (select string_agg(hash, '' order by index) from ledger_nodes
         where level = r.level * ${TILE_HEIGHT} and index >= r.first and index < r.past)
       end as hashes
     from unnest(?::smallint[], ?::bigint[], ?::bigint[]) with ordinality as r (level, first, past, position) order by r.position`,
    [runs.map(({ level }) => level), runs.map(({ begin }) => begin), runs.map(({ end }) => end)],
  );
  return rows.map(({ hashes }, index) => {
    const { level, begin, end } = runs[index]!;
    if (hashes?.length !== (end - begin) * 32)
      throw new Error(
        `the stored tree lacks nodes of level ${level * TILE_HEIGHT} from ${begin} to ${end - 1}`,
      );
    return hashes;
  });
}

export async function rootAt(database: Database, size: number): Promise<Uint8Array> {
  const [root] = await rootsAt(database, [size]);
  return root!;
}

/** Returns the roots of several sizes, like {@link rootAt}, in one query. */
export async function rootsAt(database: Database, sizes: readonly number[]): Promise<Uint8Array[]> {
  const nodes = sizes.map((size) => subtrees({ begin: 0, end: size }));
  const read = await readNodes(database, nodes.flat());
  return sizes.map((size, index) => rootOf({ size, hashes: nodes[index]!.map(read) }, sha256));
}

/** Reads the hashes of O(log n) tiles in one query. @throws RangeError if the entry does not exist */
export function inclusionHashes(database: Database, index: number, size: number): Promise<Uint8Array[]> {
  return hashesOf(database, inclusionRanges(index, size));
}

/** @throws RangeError unless 1 <= `from` <= `to` */
export function consistencyHashes(database: Database, from: number, to: number): Promise<Uint8Array[]> {
  return hashesOf(database, consistencyRanges(from, to));
}

async function hashesOf(database: Database, ranges: readonly Range[]): Promise<Uint8Array[]> {
  return proofHashes(ranges, await readNodes(database, ranges.flatMap(subtrees)), sha256);
}

export async function frontierAt(database: Database, size: number): Promise<Frontier> {
  const nodes = subtrees({ begin: 0, end: size });
  const read = await readNodes(database, nodes);
  return { size, hashes: nodes.map(read) };
}

/** Appends leaves to the stored tree, which has `size` entries. The cost depends only on the new leaves. */
export async function growTree(
  transaction: Transaction,
  size: number,
  leaves: readonly Uint8Array[],
): Promise<void> {
  const fullTiles = (entries: number) => Math.floor(entries / TILE_WIDTH);
  if (fullTiles(size) === fullTiles(size + leaves.length)) return;
  const frontier = await frontierAt(transaction, size);
  const rows: { level: number; index: number; hash: string }[] = [];
  leaves.forEach((leaf, offset) => {
    append(frontier, leaf, sha256).forEach((hash, level) => {
      if (level > 0 && level % TILE_HEIGHT === 0)
        rows.push({
          level,
          index: Math.floor((size + offset) / 2 ** level),
          hash: Buffer.from(hash).toString('hex'),
        });
    });
  });
  await transaction.raw(
    `insert into ledger_nodes (level, index, hash)
     select level, index, decode(hash, 'hex') from json_to_recordset(?) as r (level smallint, index bigint, hash text)`,
    [JSON.stringify(rows)],
  );
}
