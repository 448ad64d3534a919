import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../platform/database.ts';
import { singleFlight } from '../../../platform/once.ts';
import { parseCheckpoint } from '../../../proof/checkpoint.ts';
import { utf8 } from '../../../proof/encoding.ts';
import { parseNote } from '../../../proof/signed-note.ts';
import { newTiles, tileLevels, tilePath } from '../../../proof/tiles.ts';
import { bytesOfTile, latestCheckpoint, priceEntries, publishedPrices } from '../published.ts';

/** Storage of the published log as files: a folder or a bucket. Paths follow tlog-tiles. */
export interface LogStorage {
  readonly kind: 'folder' | 'bucket';
  readonly concurrency: number;
  /** @throws Error if the storage cannot hold the log */
  open(): Promise<void>;
  has(path: string): Promise<boolean>;
  /** Writes a file durably and atomically. @param isFull whether no other file will replace it */
  write(path: string, bytes: Uint8Array, isFull: boolean): Promise<void>;
  /** Removes the partial tiles that a full tile replaces. A reader that misses one requests the full tile (tlog-tiles). */
  removePartial(path: string): Promise<void>;
  readCheckpoint(): Promise<string | null>;
  /**
   * Replaces the checkpoint durably, or does nothing. At most one swap from a given note succeeds.
   * @param previous null: succeeds only if no checkpoint exists
   * @returns whether `next` is now stored
   */
  swapCheckpoint(previous: string | null, next: string): Promise<boolean>;
}

interface LogFile {
  path: string;
  isFull: boolean;
  read(): Promise<Uint8Array>;
}

/** The published log as files (docs/operations.md#the-log-as-files). */
export interface LogFiles {
  /**
   * Concurrent calls share the work.
   * @returns the size of the tree in the files
   * @throws Error if they cannot be written or belong to another log. Files written so far stay
   */
  update(): Promise<number>;
  /** Stops updates after the writes in progress. */
  close(): Promise<void>;
}

/**
 * Maintains a log in the layout of C2SP tlog-tiles: `checkpoint`, `tile/<level>/...`, `tile/entries/...`, and `prices/<entry>` if prices
 * are public, with the bytes that `/ledger/` serves. Each file appears atomically, and the checkpoint appears after all of its tiles are durable. A killed update resumes with the
 * missing ones. Several processes can share the storage.
 */
export function openLogFiles(
  database: Database,
  storage: LogStorage,
  { publishPrices = false }: { publishPrices?: boolean } = {},
): LogFiles {
  const once = singleFlight<number>();
  let opened: Promise<void> | undefined;
  let closed = false;
  let running: Promise<unknown> = Promise.resolve();

  /** @throws Error if the checkpoint belongs to another log */
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
    const tiles = tileLevels(newest.size)
      .flatMap((level) => newTiles(level, size, newest.size))
      .map((tile) => ({
        path: tilePath(tile),
        isFull: tile.width === 256,
        read: () => bytesOfTile(database, tile),
      }));
    await writeAll([...(await newPrices(size, newest.size)), ...tiles]);
    if (closed) return size;
    if (!(await storage.swapCheckpoint(note, newest.note))) {
      // At most one of several concurrent swaps succeeds.
      if (attempts <= 1) return size;
      await pause(Math.random() * 50);
      return update(attempts - 1);
    }
    // No reader knew partial tiles before the first checkpoint.
    if (note !== null) for (const { path, isFull } of tiles) if (isFull) await storage.removePartial(path);
    return newest.size;
  }

  async function catchUp(): Promise<number> {
    for (let before = -1; ; ) {
      const size = await update();
      const newest = await latestCheckpoint(database);
      if (closed || size <= before || newest === undefined || newest.size <= size) return size;
      before = size;
    }
  }

  /** Returns the files of prices from one size to another, and earlier ones if the last of them is missing: prices were not public then. */
  async function newPrices(from: number, to: number): Promise<LogFile[]> {
    if (!publishPrices) return [];
    const pathOf = (seq: number) => `prices/${seq}`;
    const [last] = await priceEntries(database, 0, from, 1);
    const first = last === undefined || (await storage.has(pathOf(last))) ? from : 0;
    return (await priceEntries(database, first, to)).map((seq) => ({
      path: pathOf(seq),
      isFull: true,
      read: async () => utf8((await publishedPrices(database, seq))!),
    }));
  }

  /** Writes files, `concurrency` at a time. After a failure it begins no further one. */
  async function writeAll(files: readonly LogFile[]): Promise<void> {
    const left = files.values();
    let failed = false;
    const writer = async () => {
      for (const file of left) {
        if (closed || failed) return;
        await write(file).catch((error: unknown) => {
          failed = true;
          throw error;
        });
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: storage.concurrency }, writer));
    const failure = ended.find((each) => each.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  async function write({ path, isFull, read }: LogFile): Promise<void> {
    // A file of a given path never changes.
    if (!(await storage.has(path))) await storage.write(path, await read(), isFull);
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
