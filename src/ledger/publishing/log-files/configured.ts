import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileStore } from '../checkpoint-store/open.ts';
import { boundedDisk, writeShared } from '../durable-file.ts';
import { type Bucket, bucketStorage } from './bucket.ts';
import type { LogStorage } from './log-files.ts';

export interface StorageConfig {
  files?: { folder: string } | Omit<Bucket, 'key'> | undefined;
  /** `<access key id>:<secret access key>`. */
  filesKey?: string | undefined;
}

export function configuredStorage({ files, filesKey = '' }: StorageConfig): LogStorage | undefined {
  if (files === undefined) return undefined;
  if ('folder' in files) return folderStorage(files.folder);
  const colon = filesKey.indexOf(':');
  const key = { accessKeyId: filesKey.slice(0, colon), secretAccessKey: filesKey.slice(colon + 1) };
  return bucketStorage({ ...files, key });
}

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
    has: (path) =>
      bounded(() =>
        stat(join(folder, path)).then(
          () => true,
          () => false,
        ),
      ),
    async write(path, bytes) {
      const file = join(folder, path);
      await bounded(async () => {
        await mkdir(dirname(file), { recursive: true });
        await writeShared(file, bytes);
      });
    },
    removePartial: (path) => bounded(() => rm(`${join(folder, path)}.p`, { recursive: true, force: true })),
    readCheckpoint: () => checkpoint.read(),
    swapCheckpoint: (previous, next) => checkpoint.compareAndSwap(previous, next),
  };
}
