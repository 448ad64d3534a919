import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { open, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

// Readers see the old file or the new one as a whole, and once a function returns the new one outlasts a power cut.

/** Replaces a file before anything else runs in this process. One writer at a time. */
export function writeDurably(path: string, text: string, mode = 0o644): void {
  writeFileSync(`${path}.new`, text, { flush: true, mode });
  renameSync(`${path}.new`, path);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Writes or replaces a file that several processes may write. */
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

/** Makes renames and removals in a folder outlast a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
