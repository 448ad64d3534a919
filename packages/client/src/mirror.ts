import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../../src/ledger/publishing/durable-file.ts';
import { listedFiles } from '../../../src/monitor/data-files.ts';
import type { LogClient } from '../../../src/monitor/log-client.ts';
import { type Bodies, bodyHash, type Kind } from '../../../src/proof/bodies.ts';
import { canonical } from '../../../src/proof/canonical.ts';
import { openCheckpoint, parseCheckpoint } from '../../../src/proof/checkpoint.ts';
import type { DataFile } from '../../../src/proof/data-index.ts';
import { concat, fromUtf8, hex, utf8 } from '../../../src/proof/encoding.ts';
import { type Entry, parseEntry } from '../../../src/proof/entry.ts';
import { followKeys } from '../../../src/proof/key-announcement.ts';
import { type LoggedPrice, priceLeaf, pricesRoot } from '../../../src/proof/prices.ts';
import { parseNote } from '../../../src/proof/signed-note.ts';
import {
  formatBundle,
  newTiles,
  parseBundle,
  TILE_HEIGHT,
  TILE_WIDTH,
  type Tile,
  tilePath,
} from '../../../src/proof/tiles.ts';
import { append, emptyFrontier, leafHash, rootOf } from '../../../src/proof/tree.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../../../src/proof/verifier-key.ts';

/*
 * A mirror is a folder with a complete copy of a log, as the log publishes it (C2SP tlog-tiles): `ledger/checkpoint`, `ledger/tile/...`.
 * Beside each bundle of entries are files with a JSON value a line: their bodies (`ledger/bodies/`) and the checkpoints that first covered
 * them (`ledger/checkpoints/`). `ledger/prices/<entry>` has the published prices, `data/` the listed data files, `ledger/keys` the keys that
 * were trusted at first, and `ledger/witnesses` those of witnesses. The checkpoint is written last, so everything that it covers is there
 * and was verified.
 */

/** The log is not what it was, or its answer is not what it signed. */
export class MirrorError extends Error {
  override name = 'MirrorError';
}

export interface MirrorResult {
  origin: string;
  /** Number of entries in the mirror, and how many of them this call read. */
  size: number;
  read: number;
  /** Files that the log lists and does not serve. */
  missing: string[];
}

/** An entry of a mirror with its body, and its prices if they are published. */
export interface MirroredEntry {
  entry: Entry;
  body: Bodies[Kind];
  prices?: LoggedPrice[] | undefined;
}

/** Requests for bodies at once. */
const atOnce = 8;

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Tree and keys while the entries are read. */
interface Reading {
  frontier: ReturnType<typeof emptyFrontier>;
  /** The hashes of each level of tiles. */
  levels: Uint8Array[][];
  announcements: string[];
  /** The entries with indexes of data files. */
  indexes: { entry: Entry; body: unknown }[];
  /** The checkpoints over the entries so far. */
  notes: string[];
  /** The tree of an earlier checkpoint, which this one must extend. */
  earlier?: { size: number; root: Uint8Array } | undefined;
}

/**
 * Copies a log to a folder, or the part of it that the folder lacks. Every body is compared with its entry, and all entries with the signed
 * root, before the new checkpoint replaces the old one.
 * @param options `keys`: trusted keys of the log. Default: those of the first copy, which are those that the log published then
 * @throws MirrorError if the log does not extend the mirror, or nobody trusted has signed it
 */
export async function copyLog(
  log: LogClient,
  folder: string,
  {
    keys = [],
    onProgress = () => {},
  }: { keys?: readonly string[]; onProgress?: (entries: number) => void } = {},
): Promise<MirrorResult> {
  const note = await log.checkpoint();
  const { origin, size, root } = parseCheckpoint(parseNote(note).text);
  const keysFile = fileOf(folder, 'keys');
  if (!existsSync(keysFile)) {
    const first = keys.length > 0 ? keys : (await log.keys()).map((key) => formatVerifierKey(key));
    write(keysFile, first.map((key) => `${key}\n`).join(''));
  }
  const trusted = trustedKeys(folder, keys);
  const had = existsSync(fileOf(folder, 'checkpoint')) ? await readMirror(folder) : undefined;
  const proven = had?.size ?? 0;
  if (had !== undefined && had.origin !== origin)
    throw new MirrorError(`The folder mirrors ${had.origin}, but the log is ${origin}.`);
  if (size < proven)
    throw new MirrorError(`The log serves ${size} entries, but it has signed ${proven}: see ${folder}.`);
  const reading = { ...newReading(), earlier: had };
  let read = 0;
  let files: DataFile[] = [];
  try {
    for (let begin = 0; begin < size; begin += TILE_WIDTH) {
      const tile = bundleAt(begin, size);
      const file = fileOf(folder, tilePath(tile));
      if (!existsSync(file)) {
        const entries: Uint8Array[] = [];
        for await (const some of log.entries(begin, begin + tile.width)) entries.push(...some);
        const lines = begin < proven ? linesOf(besideBundle(folder, 'bodies', bundleAt(begin, proven))) : [];
        read += entries.length - lines.length;
        const { checkpoints, witnesses } = await log.checkpoints(begin, begin + tile.width);
        write(
          fileBeside(folder, 'checkpoints', tile),
          lined(checkpoints.map((each) => JSON.stringify(each))),
        );
        write(fileOf(folder, 'witnesses'), lined(witnesses));
        // The bundle is written last: with it, its bodies are there.
        write(fileBeside(folder, 'bodies', tile), await withBodies(log, begin, entries.length, lines));
        await copyPrices(log, folder, begin, entries);
        write(file, formatBundle(entries));
      }
      await follow(reading, folder, begin, tile);
      onProgress(read);
    }
    files = await verified(folder, note, root, trusted, reading);
  } catch (error) {
    if (!(error instanceof MirrorError)) throw error;
    forget(folder, proven, size);
    const evidence = `other-${hex(sha256(utf8(note))).slice(0, 12)}.checkpoint`;
    write(fileOf(folder, evidence), note);
    throw new MirrorError(`${error.message} Its checkpoint is kept in ${fileOf(folder, evidence)}.`);
  }
  reading.levels.forEach((hashes, level) => {
    for (const tile of newTiles(level, 0, size)) {
      const file = fileOf(folder, tilePath(tile));
      const begin = tile.index * TILE_WIDTH;
      if (!existsSync(file)) write(file, concat(...hashes.slice(begin, begin + tile.width)));
    }
  });
  const missing = await copyFiles(log, folder, files);
  write(fileOf(folder, 'checkpoint'), note);
  return { origin, size, read, missing };
}

/**
 * Verifies a mirror from its files alone: every body and price against its entry, all entries against the root, every checkpoint against
 * the tree at its size, the root against the keys, and the data files against the log's index.
 * @param keys instead of those that were trusted when it was made
 * @param onBundle called with the entries in order, before the root is verified
 * @throws MirrorError if a file is missing or was changed
 */
export async function readMirror(
  folder: string,
  keys: readonly string[] = [],
  onBundle: (entries: MirroredEntry[]) => Promise<void> = async () => {},
): Promise<{ origin: string; size: number; root: Uint8Array; files: DataFile[]; notes: string[] }> {
  const whole = async <T>(read: () => Promise<T>): Promise<T> =>
    read().catch((error: Error) => {
      throw new MirrorError(`The mirror in ${folder} is not whole: ${error.message}.`);
    });
  const reading = newReading();
  const note = await whole(async () => readFileSync(fileOf(folder, 'checkpoint'), 'utf8'));
  const { origin, size, root } = await whole(async () => parseCheckpoint(parseNote(note).text));
  for (let begin = 0; begin < size; begin += TILE_WIDTH)
    await onBundle(await whole(() => follow(reading, folder, begin, bundleAt(begin, size))));
  const files = await whole(() => verified(folder, note, root, trustedKeys(folder, keys), reading));
  for (const file of files)
    if (existsSync(join(folder, 'data', file.name)) && !isFile(folder, file))
      throw new MirrorError(
        `The mirror in ${folder} is not whole: data/${file.name} is not the file that the log lists.`,
      );
  return { origin, size, root, files, notes: reading.notes };
}

/** Returns the lines of a file of verifier keys in a mirror. */
export function keysIn(folder: string, file: 'keys' | 'witnesses'): string[] {
  return linesOf(readFileSync(fileOf(folder, file), 'utf8'));
}

const fileOf = (folder: string, path: string) => join(folder, 'ledger', path);

type Beside = 'bodies' | 'checkpoints';

const fileBeside = (folder: string, what: Beside, tile: Tile) =>
  fileOf(folder, tilePath(tile).replace('tile/entries', what));

const besideBundle = (folder: string, what: Beside, tile: Tile) =>
  readFileSync(fileBeside(folder, what, tile), 'utf8');

const newReading = (): Reading => ({
  frontier: emptyFrontier(),
  levels: [],
  announcements: [],
  indexes: [],
  notes: [],
});

function bundleAt(begin: number, size: number): Tile {
  return { level: 'entries', index: begin / TILE_WIDTH, width: Math.min(TILE_WIDTH, size - begin) };
}

function write(file: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeDurably(file, bytes);
}

const lined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const linesOf = (text: string) => text.split('\n').slice(0, -1);

/** Returns the bodies of a bundle, one a line: `lines`, and those after them from the log. */
async function withBodies(
  log: LogClient,
  begin: number,
  width: number,
  lines: readonly string[],
): Promise<string> {
  const all = [...lines];
  while (all.length < width) {
    const some = Array.from({ length: Math.min(atOnce, width - all.length) }, (_, i) =>
      log.body(begin + all.length + i),
    );
    all.push(...(await Promise.all(some)).map((body) => JSON.stringify(body)));
  }
  return lined(all);
}

/** Copies the prices of a bundle's entries, if the log publishes them. */
async function copyPrices(
  log: LogClient,
  folder: string,
  begin: number,
  entries: readonly Uint8Array[],
): Promise<void> {
  for (const [at, bytes] of entries.entries()) {
    const file = fileOf(folder, `prices/${begin + at}`);
    if (!fromUtf8(bytes).includes('"kind":"prices"') || existsSync(file)) continue;
    const rows = await log.prices(begin + at);
    if (rows !== undefined) write(file, lined(rows.map((row) => canonical(row as LoggedPrice))));
  }
}

/** Copies data files that the folder lacks. @returns the names of those that the log does not serve as listed */
async function copyFiles(log: LogClient, folder: string, files: readonly DataFile[]): Promise<string[]> {
  const missing: string[] = [];
  for (const file of files) {
    if (isFile(folder, file)) continue;
    const bytes = await log.dataFile(file);
    if (bytes === undefined || hex(sha256(bytes)) !== file.sha256) missing.push(file.name);
    else write(join(folder, 'data', file.name), bytes);
  }
  return missing;
}

function isFile(folder: string, { name, sha256: hash }: DataFile): boolean {
  const path = join(folder, 'data', name);
  return existsSync(path) && hex(sha256(readFileSync(path))) === hash;
}

/** Adds a bundle to the tree. @returns its entries @throws MirrorError if the log was rewritten, or a body is not that of its entry */
async function follow(
  { frontier, levels, announcements, indexes, notes, earlier }: Reading,
  folder: string,
  begin: number,
  tile: Tile,
): Promise<MirroredEntry[]> {
  const entries = parseBundle(readFileSync(fileOf(folder, tilePath(tile))));
  const signed = linesOf(besideBundle(folder, 'checkpoints', tile)).map((line): string => JSON.parse(line));
  const trees = new Map(signed.map((note) => [parseCheckpoint(parseNote(note).text).size, note]));
  for (const bytes of entries) {
    append(frontier, leafHash(bytes, sha256), sha256).forEach((node, height) => {
      if (height % TILE_HEIGHT !== 0) return;
      levels[height / TILE_HEIGHT] ??= [];
      levels[height / TILE_HEIGHT]!.push(node);
    });
    if (frontier.size === earlier?.size && hex(rootOf(frontier, sha256)) !== hex(earlier.root))
      throw new MirrorError(
        `The log is forked: it does not extend the ${earlier.size} entries of the mirror.`,
      );
    const note = trees.get(frontier.size);
    if (note === undefined) continue;
    const { root } = parseCheckpoint(parseNote(note).text);
    if (hex(rootOf(frontier, sha256)) !== hex(root))
      throw new MirrorError(`The log is forked: it has signed another tree of ${frontier.size} entries.`);
    notes.push(note);
  }
  const lines = linesOf(besideBundle(folder, 'bodies', tile));
  return entries.map((bytes, i): MirroredEntry => {
    try {
      const entry = parseEntry(fromUtf8(bytes));
      const { kind, hash } = entry;
      const body = JSON.parse(lines[i] ?? '');
      if (bodyHash(kind, body, sha256) !== hash) throw new Error('it has another hash');
      if (kind === 'key') announcements.push(body.note);
      if (kind === 'data') indexes.push({ entry, body });
      return { entry, body, prices: kind === 'prices' ? pricesIn(folder, begin + i, body) : undefined };
    } catch (error) {
      const { message } = error as Error;
      throw new MirrorError(`The body of entry ${begin + i} is not the one in the log: ${message}.`);
    }
  });
}

/** Reads the copied prices of an entry; undefined if there are none. @throws Error if they do not have its root */
function pricesIn(folder: string, seq: number, { root }: Bodies['prices']): LoggedPrice[] | undefined {
  const file = fileOf(folder, `prices/${seq}`);
  if (!existsSync(file)) return undefined;
  const prices = linesOf(readFileSync(file, 'utf8')).map((line): LoggedPrice => JSON.parse(line));
  const leaves = prices.map((price) => priceLeaf(price, sha256));
  if (hex(pricesRoot(leaves, sha256)) !== root) throw new Error('its prices have another root');
  return prices;
}

/** Returns the given keys, by default those that the folder keeps. */
function trustedKeys(folder: string, given: readonly string[]): VerifierKey[] {
  return (given.length > 0 ? given : keysIn(folder, 'keys')).map((key) => parseVerifierKey(key));
}

/** Verifies the root and the signatures of what was read. @returns the data files that the log lists @throws MirrorError */
async function verified(
  folder: string,
  note: string,
  root: Uint8Array,
  trusted: readonly VerifierKey[],
  { frontier, announcements, notes, indexes }: Reading,
): Promise<DataFile[]> {
  const { origin } = parseCheckpoint(parseNote(note).text);
  const computed = hex(rootOf(frontier, sha256));
  if (computed !== hex(root))
    throw new MirrorError(`The entries have the root ${computed}, but the log has signed ${hex(root)}.`);
  const own = trusted.filter(({ name }) => name === origin);
  const followed = await Promise.all(own.map((key) => followKeys(key, announcements).catch(() => [key])));
  const keys = followed.flat();
  try {
    for (const signed of [...notes, note]) await openCheckpoint(signed, origin, keys);
  } catch (error) {
    throw new MirrorError(`The checkpoint cannot be trusted: ${(error as Error).message}.`);
  }
  let files: DataFile[] = [];
  for (const { entry, body } of indexes)
    try {
      files = await listedFiles(entry, body, { origin, keys, known: files });
    } catch (error) {
      throw new MirrorError(
        `The data files of entry ${entry.seq} in ${folder}: ${(error as Error).message}.`,
      );
    }
  return files;
}

/** Removes the bundles that no verified checkpoint covers. */
function forget(folder: string, proven: number, size: number): void {
  for (let begin = 0; begin < size; begin += TILE_WIDTH) {
    const tile = bundleAt(begin, size);
    if (begin + tile.width <= proven) continue;
    for (const file of [
      fileOf(folder, tilePath(tile)),
      fileBeside(folder, 'bodies', tile),
      fileBeside(folder, 'checkpoints', tile),
    ])
      rmSync(file, { force: true });
  }
}
