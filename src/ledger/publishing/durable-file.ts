import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { open, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withTimeout } from '../../platform/timeout.ts';

// Each write is atomic and durable: readers see the whole old or new file, and a completed write survives a power cut.

/** Replaces a file synchronously. Only one writer at a time. */
export function writeDurably(path: string, text: string | Uint8Array, mode = 0o644): void {
  writeFileSync(`${path}.new`, text, { flush: true, mode });
  renameSync(`${path}.new`, path);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Writes or replaces a file. Several processes can write the same file. */
export async function writeShared(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, bytes, { flush: true, flag: 'wx', mode: 0o644 });
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes renames and removals in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const hanging = new Set<string>();

/**
 * Returns a function that gives up on a disk that does not answer within `ms` milliseconds, such as a network's. While a call on `path`
 * hangs, others fail at once: each holds one of the process's few threads for files and names.
 */
export function boundedDisk(path: string, ms: number) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const silent = Object.assign(new Error('the disk does not answer'), { code: 'ETIMEDOUT' });
    if (hanging.has(path)) throw silent;
    const working = work();
    return withTimeout(working, ms, () => {
      hanging.add(path);
      const end = () => hanging.delete(path);
      working.then(end, end);
      throw silent;
    });
  };
}
