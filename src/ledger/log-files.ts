import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../platform/database.ts';
import { singleFlight } from '../platform/single-flight.ts';
import { parseCheckpoint } from '../proof/checkpoint.ts';
import { parseNote } from '../proof/signed-note.ts';
import { newTiles, type Tile, tileLevels, tilePath } from '../proof/tiles.ts';
import { fileStore } from './checkpoint-store/file.ts';
import { bytesOfTile, latestCheckpoint } from './published.ts';

/** The published log as files (docs/decisions/0053-the-log-as-files.md). */
export interface LogFiles {
  /**
   * Brings the folder up to the newest checkpoint. Concurrent calls share the work.
   * @returns the size of the tree in it
   * @throws Error when it cannot be written or holds another log; what was written stays
   */
  update(): Promise<number>;
  /** Ends an update after the file that it is at. */
  close(): Promise<void>;
}

/**
 * Keeps a folder as C2SP tlog-tiles lays out a log: `checkpoint`, `tile/<level>/...`, `tile/entries/...`, with the bytes that
 * `/ledger/` answers. A file appears as a whole, and the checkpoint after all of its tiles are on the disk. An update that was killed
 * goes on from the full tiles that it had written. Several processes may share a folder.
 */
export function openLogFiles(database: Database, folder: string): LogFiles {
  const checkpoint = fileStore(join(folder, 'checkpoint'));
  const once = singleFlight<number>();
  let closed = false;
  let running: Promise<unknown> = Promise.resolve();

  /** The checkpoint in the folder. @throws Error when it is not of this log */
  async function present(): Promise<{ note: string | null; size: number }> {
    await mkdir(folder, { recursive: true });
    const note = await checkpoint.read();
    if (note === null) return { note, size: 0 };
    const { size } = parseCheckpoint(parseNote(note).text);
    const known: string[] = await database('checkpoints').where({ size }).pluck('note');
    if (!known.includes(note))
      throw new Error(`the folder holds the checkpoint of another log, of ${size} entries: empty it`);
    return { note, size };
  }

  async function update(attempts = 5): Promise<number> {
    const { note, size } = await present();
    const newest = await latestCheckpoint(database);
    if (newest === undefined || newest.size <= size) return size;
    const tiles = tileLevels(newest.size).flatMap((level) => newTiles(level, size, newest.size));
    for (const tile of tiles) {
      if (closed) return size;
      await writeTile(tile);
    }
    if (!(await checkpoint.compareAndSwap(note, newest.note))) {
      // Of several processes that swap at once one goes on at most.
      if (attempts <= 1) return size;
      await pause(Math.random() * 50);
      return update(attempts - 1);
    }
    for (const tile of tiles) if (tile.width === 256) await removePartial(tile);
    return newest.size;
  }

  /** Goes on while checkpoints are published meanwhile. */
  async function catchUp(): Promise<number> {
    for (let before = -1; ; ) {
      const size = await update();
      const newest = await latestCheckpoint(database);
      if (closed || size <= before || newest === undefined || newest.size <= size) return size;
      before = size;
    }
  }

  async function writeTile(tile: Tile): Promise<void> {
    const path = join(folder, tilePath(tile));
    // A tile of a width never changes.
    if (await exists(path)) return;
    await mkdir(dirname(path), { recursive: true });
    await writeWhole(path, await bytesOfTile(database, tile));
  }

  /** Removes the partial tiles that a full one replaces: a reader who misses one asks for the full tile (tlog-tiles). */
  async function removePartial(tile: Tile): Promise<void> {
    await rm(`${join(folder, tilePath(tile))}.p`, { recursive: true, force: true });
  }

  return {
    update() {
      const work = once('', catchUp);
      running = work.catch(() => {});
      return work;
    },
    async close() {
      closed = true;
      await running;
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Writes a file so that readers see all of it or nothing, and that it outlasts a power cut. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o644);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
