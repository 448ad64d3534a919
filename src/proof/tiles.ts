import { concat } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import { type Node, nodeHash } from './tree.ts';

/**
 * A file of the published tree, by C2SP tlog-tiles: up to 256 consecutive hashes. Tiles at level 0 contain leaf hashes. A hash at level `l`
 * is the root of a full tile at level `l - 1`, that is, a node at level `8 * l` of the tree. Bundles contain the entries, and are numbered
 * like the tiles of level 0.
 */
export interface Tile {
  level: number | 'entries';
  index: number;
  /** Number of hashes or entries: 256, or fewer in a partial tile at the end of its level. */
  width: number;
}

/** Number of hashes or entries in a full tile. */
export const TILE_WIDTH = 256;
/** Number of levels of the tree per level of tiles. */
export const TILE_HEIGHT = 8;
const HASH_BYTES = 32;

/** Returns the path of a tile relative to the log's URL: `tile/0/x001/x234/067`, `tile/entries/000.p/15`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const groups = digits.padStart(3 * Math.ceil(digits.length / 3), '0').match(/\d{3}/g)!;
  const elements = groups.map((group, i) => (i === groups.length - 1 ? group : `x${group}`));
  return `tile/${level}/${elements.join('/')}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** Parses a path written by {@link tilePath}; null for any other spelling. */
export function parseTilePath(path: string): Tile | null {
  const match = /^tile\/(entries|\d|[1-5]\d|6[0-3])\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (match === null) return null;
  const [, level = '', index = '', width] = match;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(index.replaceAll(/\D/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  return Number.isSafeInteger(tile.index) && tile.width > 0 && tilePath(tile) === path ? tile : null;
}

function hashesAt(level: Tile['level'], size: number): number {
  return level === 'entries' ? size : Math.floor(size / TILE_WIDTH ** level);
}

/** Reports whether a tree of this size, or a smaller one, has this tile. Partial tiles stay readable later. */
export function tileExists({ level, index, width }: Tile, size: number): boolean {
  return index * TILE_WIDTH + width <= hashesAt(level, size);
}

/** Returns the levels at which a tree of this size has tiles, entry bundles first. */
export function tileLevels(size: number): Tile['level'][] {
  const levels: Tile['level'][] = size > 0 ? ['entries'] : [];
  for (let level = 0; hashesAt(level, size) > 0; level += 1) levels.push(level);
  return levels;
}

/**
 * Returns the tiles of a level that are new or wider when a tree grows from `from` to `to` leaves. From 0, these are all tiles of the
 * level.
 */
export function newTiles(level: Tile['level'], from: number, to: number): Tile[] {
  const before = hashesAt(level, from);
  const after = hashesAt(level, to);
  const tiles: Tile[] = [];
  if (before === after) return tiles;
  for (let index = Math.floor(before / TILE_WIDTH); index * TILE_WIDTH < after; index += 1) {
    tiles.push({ level, index, width: Math.min(TILE_WIDTH, after - index * TILE_WIDTH) });
  }
  return tiles;
}

/**
 * Returns the level and range of the tile hashes from which a node is computed: up to 128 hashes of one tile. A node at level `8 * l` is
 * itself a hash of level `l`.
 */
export function hashesOfNode(node: Node): { level: number; begin: number; end: number } {
  const count = 2 ** (node.level % TILE_HEIGHT);
  const begin = node.index * count;
  return { level: Math.floor(node.level / TILE_HEIGHT), begin, end: begin + count };
}

/**
 * Returns the root over the concatenated hashes from `begin` up to, but not including, `end`. Their number is a power of two.
 *
 * @throws RangeError if `bytes` is too short
 */
export function rootOfHashes(
  bytes: Uint8Array,
  begin: number,
  end: number,
  sha256: Sha256 = defaultSha256,
): Uint8Array {
  if (end * HASH_BYTES > bytes.length) throw new RangeError('the tile does not contain this node');
  if (end - begin === 1) return bytes.subarray(begin * HASH_BYTES, end * HASH_BYTES);
  const middle = (begin + end) / 2;
  return nodeHash(
    rootOfHashes(bytes, begin, middle, sha256),
    rootOfHashes(bytes, middle, end, sha256),
    sha256,
  );
}

/**
 * Encodes an entry bundle. Each entry follows its length in two bytes, big-endian.
 *
 * @throws RangeError if an entry is longer than 65,535 bytes
 */
export function formatBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concat(
    ...entries.flatMap((entry) => {
      if (entry.length > 0xffff) throw new RangeError('an entry is longer than 65,535 bytes');
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );
}

/** Decodes an entry bundle. @throws SyntaxError if the bytes end within an entry */
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
