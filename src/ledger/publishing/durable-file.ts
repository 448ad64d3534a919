import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { open, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

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
