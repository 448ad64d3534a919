import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileStore } from '../checkpoint-store/open.ts';
import { boundedDisk, writeShared } from '../durable-file.ts';
import { type Bucket, type BucketKey, bucketStorage } from './bucket.ts';
import type { LogStorage } from './log-files.ts';

export interface StorageConfig {
  files?: { folder: string } | Omit<Bucket, 'key'> | undefined;
  /** `<access key id>:<secret access key>`, or `file:<path>`. */
  filesKey?: string | undefined;
}

export function configuredStorage({ files, filesKey = '' }: StorageConfig): LogStorage | undefined {
  if (files === undefined) return undefined;
  return 'folder' in files ? folderStorage(files.folder) : bucketStorage({ ...files, key: keyOf(filesKey) });
}

function keyOf(given: string): () => Promise<BucketKey> {
  const colon = given.indexOf(':');
  const [id, rest] = [given.slice(0, colon), given.slice(colon + 1)];
  return id === 'file' ? () => keyIn(rest) : async () => ({ accessKeyId: id, secretAccessKey: rest });
}

/**
 * Reads a key from a file in the format of programs that renew keys
 * (https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html).
 * @throws Error without the file's contents
 */
async function keyIn(file: string): Promise<BucketKey> {
  let key: Record<string, unknown> | undefined;
  try {
    key = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { code = 'it is not JSON' } = error as NodeJS.ErrnoException;
    throw new Error(`the key to the bucket cannot be read from ${file}: ${code}`);
  }
  const {
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
    SessionToken: sessionToken,
  } = key ?? {};
  if (typeof accessKeyId !== 'string' || typeof secretAccessKey !== 'string')
    throw new Error(`the key to the bucket in ${file} lacks AccessKeyId or SecretAccessKey`);
  return { accessKeyId, secretAccessKey, ...(typeof sessionToken === 'string' && { sessionToken }) };
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
