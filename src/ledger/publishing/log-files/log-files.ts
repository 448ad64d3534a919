import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../platform/database.ts';
import { singleFlight } from '../../../platform/once.ts';
import { parseCheckpoint } from '../../../proof/checkpoint.ts';
import { parseNote } from '../../../proof/signed-note.ts';
import { newTiles, type Tile, tileLevels } from '../../../proof/tiles.ts';
import { bytesOfTile, latestCheckpoint } from '../published.ts';

/** Storage of the published log as files: a folder or a bucket. Paths follow tlog-tiles. */
export interface LogStorage {
  /** Its name in messages. */
  readonly kind: 'folder' | 'bucket';
  /** Number of concurrent tile writes. */
  readonly concurrency: number;
  /** Prepares the storage. @throws Error if it cannot hold the log */
  open(): Promise<void>;
  has(tile: Tile): Promise<boolean>;
  /** Writes a tile durably and atomically. */
  write(tile: Tile, bytes: Uint8Array): Promise<void>;
  /** Removes the partial tiles that a full tile replaces. A reader that misses one requests the full tile (tlog-tiles). */
  removePartial(tile: Tile): Promise<void>;
  /** Returns the signed note, or null. */
  readCheckpoint(): Promise<string | null>;
  /**
   * Replaces the checkpoint durably, or does nothing. At most one swap from a given note succeeds.
   * @param previous null: succeeds only if no checkpoint exists
   * @returns whether `next` is now stored
   */
  swapCheckpoint(previous: string | null, next: string): Promise<boolean>;
}

/** The published log as files (docs/operations.md#the-log-as-files). */
export interface LogFiles {
  /**
   * Updates the files to the newest checkpoint. Concurrent calls share the work.
   * @returns the size of the tree in the files
   * @throws Error if they cannot be written or belong to another log. Files written so far stay
   */
  update(): Promise<number>;
  /** Stops updates after the writes in progress. */
  close(): Promise<void>;
}

/**
 * Maintains a log in the layout of C2SP tlog-tiles: `checkpoint`, `tile/<level>/...`, `tile/entries/...`, with the bytes that `/ledger/`
 * serves. Each file appears atomically, and the checkpoint appears after all of its tiles are durable. A killed update resumes with the
 * missing tiles. Several processes can share the storage.
 */
export function openLogFiles(database: Database, storage: LogStorage): LogFiles {
  const once = singleFlight<number>();
  let opened: Promise<void> | undefined;
  let closed = false;
  let running: Promise<unknown> = Promise.resolve();

  /** Returns the stored checkpoint. @throws Error if it belongs to another log */
  async function present(): Promise<{ note: string | null; size: number }> {
    opened ??= storage.open();
    await opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const note = await storage.readCheckpoint();
    if (note === null) return { note, size: 0 };
    const { size } = parseCheckpoint(parseNote(note).text);
    const known: string[] = await database('checkpoints').where({ size }).pluck('note');
    if (!known.includes(note))
      throw new Error(
        `the ${storage.kind} holds the checkpoint of another log, of ${size} entries: empty the ${storage.kind}, or name another in LOG_FILES`,
      );
    return { note, size };
  }

  async function update(attempts = 5): Promise<number> {
    const { note, size } = await present();
    const newest = await latestCheckpoint(database);
    if (newest === undefined || newest.size <= size) return size;
    const tiles = tileLevels(newest.size).flatMap((level) => newTiles(level, size, newest.size));
    await writeAll(tiles);
    if (closed) return size;
    if (!(await storage.swapCheckpoint(note, newest.note))) {
      // At most one of several concurrent swaps succeeds.
      if (attempts <= 1) return size;
      await pause(Math.random() * 50);
      return update(attempts - 1);
    }
    // No reader knew partial tiles before the first checkpoint.
    if (note !== null) for (const tile of tiles) if (tile.width === 256) await storage.removePartial(tile);
    return newest.size;
  }

  /** Repeats updates until no newer checkpoint appears. */
  async function catchUp(): Promise<number> {
    for (let before = -1; ; ) {
      const size = await update();
      const newest = await latestCheckpoint(database);
      if (closed || size <= before || newest === undefined || newest.size <= size) return size;
      before = size;
    }
  }

  /** Writes tiles, `concurrency` at a time. After a failure it begins no further tile. */
  async function writeAll(tiles: readonly Tile[]): Promise<void> {
    const left = tiles.values();
    let failed = false;
    const writer = async () => {
      for (const tile of left) {
        if (closed || failed) return;
        await write(tile).catch((error: unknown) => {
          failed = true;
          throw error;
        });
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: storage.concurrency }, writer));
    const failure = ended.find((each) => each.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  async function write(tile: Tile): Promise<void> {
    // A tile of a given width never changes.
    if (!(await storage.has(tile))) await storage.write(tile, await bytesOfTile(database, tile));
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
