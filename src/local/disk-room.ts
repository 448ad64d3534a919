import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Say } from './terminal.ts';

const mib = 1_048_576;

/** Free space below which the database becomes read-only: two segments of the write-ahead log. */
const lowBytes = 32 * mib;
/** Free space from which it accepts writes again. The gap keeps it from switching back and forth. */
const enoughBytes = 48 * mib;
/** Size of the reserve. Deleting it gives PostgreSQL the space to start and recover after a full disk made it exit. */
const reserveBytes = 32 * mib;

export interface DiskRoomOptions {
  folder: string;
  say: Say;
  /** Makes sessions read-only or writable. Rejects if the server does not answer or cannot store the setting. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  answers(): Promise<void>;
  /** For tests. Default: the free space of the file system of `folder`. */
  freeBytes?: () => number;
}

export type DiskRoom = ReturnType<typeof diskRoom>;

/**
 * Keeps a database readable while its disk is full. PostgreSQL exits when it cannot extend its write-ahead log, and cannot restart without
 * free space. So the database becomes read-only before the disk is full. If that comes too late, a reserve file is deleted.
 */
export function diskRoom(options: DiskRoomOptions) {
  const { folder, say, setReadOnly, answers, freeBytes = () => freeOf(folder) } = options;
  const reserve = join(folder, 'reserve');
  let isLow = false;
  /** The setting last stored in the server. Undefined at first: an earlier start can have left it read-only. */
  let isReadOnly: boolean | undefined;
  let checking = false;

  const neededBytes = () => enoughBytes + (existsSync(reserve) ? 0 : reserveBytes);

  function measure(): void {
    const free = freeBytes();
    if (free < lowBytes) isLow = true;
    if (free < neededBytes()) return;
    if (!existsSync(reserve)) fill(reserve, reserveBytes);
    isLow = false;
  }

  async function switchServer(): Promise<void> {
    if (isLow === isReadOnly) {
      if (isLow) await answers();
      return;
    }
    await setReadOnly(isLow);
    if (isLow)
      say(
        `Less than ${lowBytes / mib} MB is free for the database, so it is read-only. Free at least ${neededBytes() / mib} MB.`,
      );
    else if (isReadOnly) say('The database has space again and accepts writes.');
    isReadOnly = isLow;
  }

  async function check(): Promise<void> {
    if (checking) return;
    checking = true;
    try {
      measure();
      await switchServer().catch((error: Error) => {
        if (!isLow || !existsSync(reserve)) throw error;
        rmSync(reserve);
        return switchServer();
      });
    } catch {
      // The server does not answer, or the disk filled up meanwhile: the next check tries again.
    } finally {
      checking = false;
    }
  }

  return {
    /** Checks the free space, creates or deletes the reserve, and switches the server if it answers. */
    check,
    watch(ended: AbortSignal): void {
      const timer = setInterval(check, 1_000);
      ended.addEventListener('abort', () => clearInterval(timer), { once: true });
    },
  };
}

function freeOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function fill(file: string, bytes: number): void {
  // File systems can store repeated bytes without using space.
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
