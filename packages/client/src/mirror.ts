import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../../src/ledger/publishing/durable-file.ts';
import type { LogClient } from '../../../src/monitor/log-client.ts';
import { bodyHash } from '../../../src/proof/bodies.ts';
import { openCheckpoint, parseCheckpoint } from '../../../src/proof/checkpoint.ts';
import { concat, fromUtf8, hex, utf8 } from '../../../src/proof/encoding.ts';
import { parseEntry } from '../../../src/proof/entry.ts';
import { followKeys } from '../../../src/proof/key-announcement.ts';
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
 * Beside each bundle of entries, `ledger/bodies/` has a file with their bodies, one JSON value a line. `ledger/keys` has the keys that
 * were trusted at first. The checkpoint is written last, so everything that it covers is there and was verified.
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
  try {
    for (let begin = 0; begin < size; begin += TILE_WIDTH) {
      const tile = bundleAt(begin, size);
      const file = fileOf(folder, tilePath(tile));
      if (!existsSync(file)) {
        const entries: Uint8Array[] = [];
        for await (const some of log.entries(begin, begin + tile.width)) entries.push(...some);
        const lines = begin < proven ? linesOf(bodiesIn(folder, bundleAt(begin, proven))) : [];
        read += entries.length - lines.length;
        // The bundle is written last: with it, its bodies are there.
        write(bodiesFile(folder, tile), await withBodies(log, begin, entries.length, lines));
        write(file, formatBundle(entries));
      }
      follow(reading, begin, parseBundle(readFileSync(file)), bodiesIn(folder, tile));
      onProgress(read);
    }
    const computed = hex(rootOf(reading.frontier, sha256));
    if (computed !== hex(root))
      throw new MirrorError(`The entries have the root ${computed}, but the log has signed ${hex(root)}.`);
    await mustBeSigned(note, origin, trusted, reading.announcements);
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
  write(fileOf(folder, 'checkpoint'), note);
  return { origin, size, read };
}

/**
 * Verifies a mirror from its files alone: every body against its entry, all entries against the root, and the root against the keys.
 * @param keys instead of those that were trusted when it was made
 * @throws MirrorError if a file is missing or was changed
 */
export async function readMirror(
  folder: string,
  keys: readonly string[] = [],
): Promise<{ origin: string; size: number; root: Uint8Array }> {
  try {
    const note = readFileSync(fileOf(folder, 'checkpoint'), 'utf8');
    const { origin, size, root } = parseCheckpoint(parseNote(note).text);
    const reading = newReading();
    for (let begin = 0; begin < size; begin += TILE_WIDTH) {
      const tile = bundleAt(begin, size);
      const entries = parseBundle(readFileSync(fileOf(folder, tilePath(tile))));
      follow(reading, begin, entries, bodiesIn(folder, tile));
    }
    if (hex(rootOf(reading.frontier, sha256)) !== hex(root))
      throw new Error('its entries do not have the root that the log has signed');
    await mustBeSigned(note, origin, trustedKeys(folder, keys), reading.announcements);
    return { origin, size, root };
  } catch (error) {
    throw new MirrorError(`The mirror in ${folder} is not whole: ${(error as Error).message}.`);
  }
}

const fileOf = (folder: string, path: string) => join(folder, 'ledger', path);

const bodiesFile = (folder: string, tile: Tile) =>
  fileOf(folder, tilePath(tile).replace('tile/entries/', 'bodies/'));

const bodiesIn = (folder: string, tile: Tile) => readFileSync(bodiesFile(folder, tile), 'utf8');

const newReading = (): Reading => ({ frontier: emptyFrontier(), levels: [], announcements: [] });

function bundleAt(begin: number, size: number): Tile {
  return { level: 'entries', index: begin / TILE_WIDTH, width: Math.min(TILE_WIDTH, size - begin) };
}

function write(file: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeDurably(file, bytes);
}

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
  return all.map((line) => `${line}\n`).join('');
}

const linesOf = (text: string) => text.split('\n').slice(0, -1);

/** Adds a bundle to the tree. @throws MirrorError if the log was rewritten, or a body is not that of its entry */
function follow(reading: Reading, begin: number, entries: readonly Uint8Array[], text: string): void {
  const { frontier, levels, announcements, earlier } = reading;
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
  }
  const lines = linesOf(text);
  entries.forEach((bytes, i) => {
    try {
      const { kind, hash } = parseEntry(fromUtf8(bytes));
      const body = JSON.parse(lines[i] ?? '');
      if (bodyHash(kind, body, sha256) !== hash) throw new Error('it has another hash');
      if (kind === 'key') announcements.push(body.note);
    } catch (error) {
      const { message } = error as Error;
      throw new MirrorError(`The body of entry ${begin + i} is not the one in the log: ${message}.`);
    }
  });
}

/** Returns the given keys, by default those that the folder keeps. */
function trustedKeys(folder: string, given: readonly string[]): VerifierKey[] {
  const texts = given.length > 0 ? given : linesOf(readFileSync(fileOf(folder, 'keys'), 'utf8'));
  return texts.map((key) => parseVerifierKey(key));
}

async function mustBeSigned(
  note: string,
  origin: string,
  trusted: readonly VerifierKey[],
  announcements: readonly string[],
): Promise<void> {
  const own = trusted.filter(({ name }) => name === origin);
  const followed = await Promise.all(own.map((key) => followKeys(key, announcements).catch(() => [key])));
  await openCheckpoint(note, origin, followed.flat()).catch((error: Error) => {
    throw new MirrorError(`The checkpoint cannot be trusted: ${error.message}.`);
  });
}

/** Removes the bundles that no verified checkpoint covers. */
function forget(folder: string, proven: number, size: number): void {
  for (let begin = 0; begin < size; begin += TILE_WIDTH) {
    const tile = bundleAt(begin, size);
    if (begin + tile.width <= proven) continue;
    for (const file of [fileOf(folder, tilePath(tile)), bodiesFile(folder, tile)])
      rmSync(file, { force: true });
  }
}
