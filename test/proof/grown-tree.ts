import { hash } from 'node:crypto';
import { consistencyRanges } from '../../src/proof/consistency.ts';
import { inclusionRanges } from '../../src/proof/inclusion.ts';
import { hashesOfNode, rootOfHashes, TILE_WIDTH, tilePath } from '../../src/proof/tiles.ts';
import { append, emptyFrontier, leafHash, type Node, proofHashes, rootOf } from '../../src/proof/tree.ts';

export const nodeSha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/** Grows a tree leaf by leaf and keeps every node, as a service keeps its tiles. */
export function growTree(entries: readonly Uint8Array[]) {
  const frontier = emptyFrontier();
  const nodes: Uint8Array[][] = [];
  const roots = [rootOf(frontier, nodeSha256)];
  const frontiers: Uint8Array[][] = [[]];
  for (const entry of entries) {
    append(frontier, leafHash(entry, nodeSha256), nodeSha256).forEach((node, level) => {
      nodes[level] ??= [];
      nodes[level].push(node);
    });
    roots.push(rootOf(frontier, nodeSha256));
    frontiers.push([...frontier.hashes]);
  }
  const read = ({ level, index }: Node): Uint8Array => nodes[level]![index]!;
  return {
    nodes,
    roots,
    frontiers,
    read,
    inclusion: (index: number, size: number) => proofHashes(inclusionRanges(index, size), read, nodeSha256),
    consistency: (from: number, to: number) => proofHashes(consistencyRanges(from, to), read, nodeSha256),
  };
}

/** Returns the path of the tile, in a tree of this size, from which a node can be read or computed. */
export function tileOfNode(node: Node, size: number): string {
  const { level, begin } = hashesOfNode(node);
  const index = Math.floor(begin / TILE_WIDTH);
  const width = Math.min(TILE_WIDTH, Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH);
  return tilePath({ level, index, width });
}

/** Returns the hash of a node from the bytes of its tile. */
export function nodeFromTile(node: Node, tile: Uint8Array): Uint8Array {
  const { begin, end } = hashesOfNode(node);
  const first = begin % TILE_WIDTH;
  return rootOfHashes(tile, first, first + end - begin, nodeSha256);
}
