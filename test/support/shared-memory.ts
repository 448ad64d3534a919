import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';

/** An in-memory file system on most Linux machines. */
export const sharedMemory = '/dev/shm';
const gigabyte = 2 ** 30;

/**
 * Returns the name of a new folder in memory if there is room for a whole run, else undefined. A clone of the template is some 770 files,
 * and creating them on disk takes up to five times as long.
 */
export function memoryFolder(): string | undefined {
  try {
    const { type, bavail, bsize } = statfsSync(sharedMemory);
    // TMPFS_MAGIC of statfs(2). Containers have 64 MB there by default.
    const isRoomy = type === 0x01021994 && bavail * bsize > 3 * gigabyte;
    if (!isRoomy || process.availableMemory() < 6 * gigabyte) return undefined;
  } catch {
    return undefined;
  }
  return join(sharedMemory, `public-picks-${randomBytes(6).toString('hex')}`);
}
