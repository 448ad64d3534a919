import { concat } from './encoding.ts';
import { sha256 as ownSha256, type Sha256 } from './sha256.ts';
import type { Node } from './subtrees.ts';
import { append, emptyFrontier, rootOf } from './tree.ts';

/**
 * How the tree is published, by C2SP tlog-tiles: files of up to 256 consecutive hashes. A tile at level 0 has
 * leaf hashes; at level `l`, each hash is that of a whole tile at level `l - 1`, so it is node level `8 * l`
 * of the tree. The entries themselves come in bundles that are numbered like the tiles of level 0.
 */
export interface Tile {
  level: number | 'entries';
  /** Which tile of its level, from 0. */
  index: number;
  /** How many hashes or entries it holds: 256, or fewer in the last one of a level, a partial tile. */
  width: number;
}

const WIDTH = 256;
/** Levels of the tree from one level of tiles to the next. */
const HEIGHT = 8;
const HASH_BYTES = 32;

/** The path of a tile below the log's address: `tile/0/x001/x234/067`, `tile/entries/000.p/15`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const groups = digits.padStart(3 * Math.ceil(digits.length / 3), '0').match(/\d{3}/g)!;
  const elements = groups.map((group, i) => (i === groups.length - 1 ? group : `x${group}`));
  return `tile/${level}/${elements.join('/')}${width === WIDTH ? '' : `.p/${width}`}`;
}

/** Reads a path made by {@link tilePath}; null for every other spelling. */
export function parseTilePath(path: string): Tile | null {
  const match = /^tile\/(entries|\d|[1-5]\d|6[0-3])\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (match === null) return null;
  const [, level = '', index = '', width] = match;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(index.replaceAll(/\D/g, '')),
    width: width === undefined ? WIDTH : Number(width),
  };
  return Number.isSafeInteger(tile.index) && tile.width > 0 && tilePath(tile) === path ? tile : null;
}

/** How many hashes (or entries) of a tile's level a tree of this size has in all. */
function hashesAt(level: Tile['level'], size: number): number {
  return level === 'entries' ? size : Math.floor(size / WIDTH ** level);
}

/**
 * Whether a tree of this size has this tile: a partial one may have been the last one of its level earlier
 * on.
 */
export function tileExists({ level, index, width }: Tile, size: number): boolean {
  return index * WIDTH + width <= hashesAt(level, size);
}

/**
 * The tiles of one level that a tree got, or that grew, while it went from `from` to `to` leaves, as wide as
 * they are then. From 0 these are all its tiles of that level.
 */
export function newTiles(level: Tile['level'], from: number, to: number): Tile[] {
  const before = hashesAt(level, from);
  const after = hashesAt(level, to);
  const tiles: Tile[] = [];
  if (before === after) return tiles;
  for (let index = Math.floor(before / WIDTH); index * WIDTH < after; index += 1) {
    tiles.push({ level, index, width: Math.min(WIDTH, after - index * WIDTH) });
  }
  return tiles;
}

/** The tile, in a tree of this size, from which a node of the tree can be read or computed. */
export function tileOfNode(node: Node, size: number): Tile {
  const level = Math.floor(node.level / HEIGHT);
  const index = Math.floor((node.index * 2 ** (node.level % HEIGHT)) / WIDTH);
  return { level, index, width: Math.min(WIDTH, hashesAt(level, size) - index * WIDTH) };
}

/**
 * The hash of a node out of the bytes of its tile: one of the tile's hashes, or the hash over up to 128 of
 * them.
 *
 * @throws RangeError when the tile is too short to hold it
 */
export function nodeFromTile(node: Node, tile: Uint8Array, sha256: Sha256 = ownSha256): Uint8Array {
  const count = 2 ** (node.level % HEIGHT);
  const first = (node.index * count) % WIDTH;
  if ((first + count) * HASH_BYTES > tile.length) throw new RangeError('the tile does not hold this node');
  const frontier = emptyFrontier();
  for (let i = first; i < first + count; i += 1) {
    append(frontier, tile.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES), sha256);
  }
  return rootOf(frontier, sha256);
}

/**
 * The bytes of an entry bundle: each entry behind its length in two bytes, big-endian.
 *
 * @throws RangeError when an entry is longer than 65,535 bytes
 */
export function formatBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concat(
    ...entries.flatMap((entry) => {
      if (entry.length > 0xffff) throw new RangeError('an entry must not be longer than 65,535 bytes');
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );
}

/** @throws SyntaxError when the bytes end within an entry */
export function parseBundle(bundle: Uint8Array): Uint8Array[] {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < bundle.length) {
    const start = at + 2;
    at = start + ((bundle[at]! << 8) | (bundle[at + 1] ?? 0));
    if (start > bundle.length || at > bundle.length) throw new SyntaxError('the bundle ends within an entry');
    entries.push(bundle.subarray(start, at));
  }
  return entries;
}
