import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tilePath } from '../../../proof/tiles.ts';
import { fileStore } from '../checkpoint-store/file.ts';
import { boundedDisk, writeShared } from '../durable-file.ts';
import type { LogStorage } from './log-files.ts';

/** Returns storage in a folder, which several processes on one host can share. A disk that hangs fails after `diskMs`. */
export function folderStorage(folder: string, diskMs = 10_000): LogStorage {
  const checkpoint = fileStore(join(folder, 'checkpoint'), diskMs);
  const bounded = boundedDisk(folder, diskMs);
  return {
    kind: 'folder',
    concurrency: 1,
    async open() {
      await bounded(() => mkdir(folder, { recursive: true }));
    },
    has: (tile) =>
      bounded(() =>
        stat(join(folder, tilePath(tile))).then(
          () => true,
          () => false,
        ),
      ),
    async write(tile, bytes) {
      const path = join(folder, tilePath(tile));
      await bounded(async () => {
        await mkdir(dirname(path), { recursive: true });
        await writeShared(path, bytes);
      });
    },
    removePartial: (tile) =>
      bounded(() => rm(`${join(folder, tilePath(tile))}.p`, { recursive: true, force: true })),
    readCheckpoint: () => checkpoint.read(),
    swapCheckpoint: (previous, next) => checkpoint.compareAndSwap(previous, next),
  };
}
