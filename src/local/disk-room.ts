import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Say } from './terminal.ts';

const mib = 1_048_576;

/** With less room than this, PostgreSQL takes no writes: two segments of its write-ahead log. */
const lowBytes = 32 * mib;
/** With this much it takes them again, so that it does not go back and forth. */
const enoughBytes = 48 * mib;
/** What the reserve holds, with which a PostgreSQL that a full disk has ended starts and recovers. */
const reserveBytes = 32 * mib;

export interface DiskRoomOptions {
  /** Where the database is, and the reserve. */
  folder: string;
  say: Say;
  /** Makes sessions read-only, or no longer. Rejects while the server does not answer, or cannot store it. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  /** Rejects while the server does not answer. */
  answers(): Promise<void>;
  /** For tests. Default: what the file system says. */
  freeBytes?: () => number;
}

export interface DiskRoom {
  /** Looks at the room, keeps or gives up the reserve, and tells the server what follows, if it answers. */
  look(): Promise<void>;
  /** Looks every second until aborted. */
  watch(ended: AbortSignal): void;
}

/**
 * Keeps a database readable while its disk is full. PostgreSQL ends when it cannot extend its write-ahead log, and does not start again
 * without room. So it takes no writes in good time, and where that was too late, a file that holds room is given up.
 */
export function diskRoom(options: DiskRoomOptions): DiskRoom {
  const { folder, say, setReadOnly, answers, freeBytes = () => freeOf(folder) } = options;
  const reserve = join(folder, 'reserve');
  let isLow = false;
  /** As the server was told last. One that an earlier start has left may be read-only. */
  let isReadOnly: boolean | undefined;
  let looking = false;

  const neededBytes = () => enoughBytes + (existsSync(reserve) ? 0 : reserveBytes);

  function weigh(): void {
    const free = freeBytes();
    if (free < lowBytes) isLow = true;
    if (free < neededBytes()) return;
    if (!existsSync(reserve)) fill(reserve, reserveBytes);
    isLow = false;
  }

  async function tell(): Promise<void> {
    if (isLow === isReadOnly) {
      if (isLow) await answers();
      return;
    }
    await setReadOnly(isLow);
    if (isLow)
      say(
        `Less than ${lowBytes / mib} MB are free for the database, so it takes no writes. Free at least ${neededBytes() / mib} MB.`,
      );
    else if (isReadOnly) say('The database has room again and takes writes.');
    isReadOnly = isLow;
  }

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      weigh();
      await tell().catch((error: Error) => {
        if (!isLow || !existsSync(reserve)) throw error;
        rmSync(reserve);
        return tell();
      });
    } catch {
      // The server does not answer, or the disk was filled at the same moment: the next look tries again.
    } finally {
      looking = false;
    }
  }

  return {
    look,
    watch(ended) {
      const looks = setInterval(look, 1_000);
      ended.addEventListener('abort', () => clearInterval(looks), { once: true });
    },
  };
}

function freeOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Fills a file, and leaves none if there is too little room. */
function fill(file: string, bytes: number): void {
  // File systems may store repeated bytes in no room.
  const block = randomBytes(mib);
  const descriptor = openSync(file, 'w', 0o600);
  try {
    for (let written = 0; written < bytes; ) written += writeSync(descriptor, block);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
