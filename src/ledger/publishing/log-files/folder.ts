import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tilePath } from '../../../proof/tiles.ts';
import { fileStore } from '../checkpoint-store/file.ts';
import { writeShared } from '../durable-file.ts';
import type { LogStorage } from './log-files.ts';

/** Returns storage in a folder, which several processes on one host can share. */
export function folderStorage(folder: string): LogStorage {
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
      await writeShared(path, bytes);
    },
    removePartial: (tile) => rm(`${join(folder, tilePath(tile))}.p`, { recursive: true, force: true }),
    readCheckpoint: () => checkpoint.read(),
    swapCheckpoint: (previous, next) => checkpoint.compareAndSwap(previous, next),
  };
}
