import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../platform/database.ts';
import { singleFlight } from '../../../platform/once.ts';
import { parseCheckpoint } from '../../../proof/checkpoint.ts';
import { parseNote } from '../../../proof/signed-note.ts';
import { newTiles, type Tile, tileLevels } from '../../../proof/tiles.ts';
import { bytesOfTile, latestCheckpoint } from '../published.ts';

/** Where files of the published log are kept: a folder or a bucket. Paths are those of tlog-tiles. */
export interface Place {
  /** What it is called in messages. */
  readonly kind: 'folder' | 'bucket';
  /** How many tiles are written at once. */
  readonly concurrency: number;
  /** Prepares it, once. @throws Error when the log cannot be kept there */
  open(): Promise<void>;
  has(tile: Tile): Promise<boolean>;
  /** Writes a tile durably. Readers see all of it or nothing. */
  write(tile: Tile, bytes: Uint8Array): Promise<void>;
  /** Removes the partial tiles that a full one replaces: a reader who misses one asks for the full tile (tlog-tiles). */
  removePartial(tile: Tile): Promise<void>;
  /** The signed note; null if there is none. */
  readCheckpoint(): Promise<string | null>;
  /**
   * Replaces the checkpoint durably, or does nothing. Of two swaps from one note at most one succeeds.
   * @param previous null: only if there is none
   * @returns whether `next` is there now
   */
  swapCheckpoint(previous: string | null, next: string): Promise<boolean>;
}

/** The published log as files (docs/operations.md#the-log-as-files). */
export interface LogFiles {
  /**
   * Brings the files up to the newest checkpoint. Concurrent calls share the work.
   * @returns the size of the tree in them
   * @throws Error when they cannot be written or are of another log; what was written stays
   */
  update(): Promise<number>;
  /** Ends an update after the files that it is at. */
  close(): Promise<void>;
}

/**
 * Keeps files as C2SP tlog-tiles lays out a log: `checkpoint`, `tile/<level>/...`, `tile/entries/...`, with the bytes that
 * `/ledger/` answers. A file appears as a whole, and the checkpoint after all of its tiles are durable. An update that was killed goes on
 * from the tiles that it had written. Several processes may share a place.
 */
export function openLogFiles(database: Database, place: Place): LogFiles {
  const once = singleFlight<number>();
  let opened: Promise<void> | undefined;
  let closed = false;
  let running: Promise<unknown> = Promise.resolve();

  /** The checkpoint that is there. @throws Error when it is not of this log */
  async function present(): Promise<{ note: string | null; size: number }> {
    opened ??= place.open();
    await opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const note = await place.readCheckpoint();
    if (note === null) return { note, size: 0 };
    const { size } = parseCheckpoint(parseNote(note).text);
    const known: string[] = await database('checkpoints').where({ size }).pluck('note');
    if (!known.includes(note))
      throw new Error(`the ${place.kind} holds the checkpoint of another log, of ${size} entries: empty it`);
    return { note, size };
  }

  async function update(attempts = 5): Promise<number> {
    const { note, size } = await present();
    const newest = await latestCheckpoint(database);
    if (newest === undefined || newest.size <= size) return size;
    const tiles = tileLevels(newest.size).flatMap((level) => newTiles(level, size, newest.size));
    await writeAll(tiles);
    if (closed) return size;
    if (!(await place.swapCheckpoint(note, newest.note))) {
      // Of several processes that swap at once one goes on at most.
      if (attempts <= 1) return size;
      await pause(Math.random() * 50);
      return update(attempts - 1);
    }
    // Before the first checkpoint no reader was led to a partial tile.
    if (note !== null) for (const tile of tiles) if (tile.width === 256) await place.removePartial(tile);
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

  /** Writes tiles, several at once where the place is far away. After a failure no further one is begun. */
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
    const ended = await Promise.allSettled(Array.from({ length: place.concurrency }, writer));
    const failure = ended.find((each) => each.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  async function write(tile: Tile): Promise<void> {
    // A tile of a width never changes.
    if (!(await place.has(tile))) await place.write(tile, await bytesOfTile(database, tile));
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
