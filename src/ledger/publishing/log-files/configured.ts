import { readFile } from 'node:fs/promises';
import { type Bucket, type BucketKey, bucketPlace } from './bucket.ts';
import { folderPlace } from './folder.ts';
import type { Place } from './log-files.ts';

/** What `LOG_FILES` and the settings beside it say. */
export interface PlaceConfig {
  files?: { folder: string } | Omit<Bucket, 'key'> | undefined;
  /** `<access key id>:<secret access key>`, or `file:<path>`. */
  filesKey?: string | undefined;
}

/** The place that is configured; undefined where none is. Opens no connection. */
export function configuredPlace({ files, filesKey = '' }: PlaceConfig): Place | undefined {
  if (files === undefined) return undefined;
  return 'folder' in files ? folderPlace(files.folder) : bucketPlace({ ...files, key: keyOf(filesKey) });
}

/** @param given as {@link PlaceConfig.filesKey} */
function keyOf(given: string): () => Promise<BucketKey> {
  const colon = given.indexOf(':');
  const [id, rest] = [given.slice(0, colon), given.slice(colon + 1)];
  return id === 'file' ? () => keyIn(rest) : async () => ({ accessKeyId: id, secretAccessKey: rest });
}

/**
 * Reads a key as programs hand it on that renew it (https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html).
 * @throws Error without anything of what the file holds
 */
async function keyIn(file: string): Promise<BucketKey> {
  let key: Record<string, unknown> | undefined;
  try {
    key = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { code = 'it is no JSON' } = error as NodeJS.ErrnoException;
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
