import { readFile } from 'node:fs/promises';
import { type Bucket, type BucketKey, bucketStorage } from './bucket.ts';
import { folderStorage } from './folder.ts';
import type { LogStorage } from './log-files.ts';

/** `LOG_FILES` and related settings. */
export interface StorageConfig {
  files?: { folder: string } | Omit<Bucket, 'key'> | undefined;
  /** `<access key id>:<secret access key>`, or `file:<path>`. */
  filesKey?: string | undefined;
}

export function configuredStorage({ files, filesKey = '' }: StorageConfig): LogStorage | undefined {
  if (files === undefined) return undefined;
  return 'folder' in files ? folderStorage(files.folder) : bucketStorage({ ...files, key: keyOf(filesKey) });
}

/** @param given like {@link StorageConfig.filesKey} */
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
