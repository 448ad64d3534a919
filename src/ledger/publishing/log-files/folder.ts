import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tilePath } from '../../../proof/tiles.ts';
import { fileStore } from '../checkpoint-store/file.ts';
import type { Place } from './place.ts';

/** A folder, which several processes on one host may share. */
export function folderPlace(folder: string): Place {
  const checkpoint = fileStore(join(folder, 'checkpoint'));
  return {
    kind: 'folder',
    concurrency: 1,
    async open() {
      await mkdir(folder, { recursive: true });
    },
    has: (tile) =>
      stat(join(folder, tilePath(tile))).then(
        () => true,
        () => false,
      ),
    async write(tile, bytes) {
      const path = join(folder, tilePath(tile));
      await mkdir(dirname(path), { recursive: true });
      await writeWhole(path, bytes);
    },
    removePartial: (tile) => rm(`${join(folder, tilePath(tile))}.p`, { recursive: true, force: true }),
    readCheckpoint: () => checkpoint.read(),
    swapCheckpoint: (previous, next) => checkpoint.compareAndSwap(previous, next),
  };
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
