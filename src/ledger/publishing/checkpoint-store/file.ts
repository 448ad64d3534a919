import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../durable-file.ts';
import { type CheckpointStore, CheckpointStoreError } from './store.ts';

/**
 * A file, for publishers on one host.
 *
 * A swap needs no lock, so a process that is stopped or killed inside it blocks no other:
 *
 * 1. Write the next note to a draft, a file of this swap's own.
 * 2. Remove the drafts of all other swaps.
 * 3. Read the file. If it is not `previous`, the swap is lost.
 * 4. Rename the draft to the file. If the draft is gone, the swap is lost.
 *
 * At most one swap from a note succeeds. Suppose two do, A renames first, and no note is ever kept twice. B read the file before A's
 * rename, and removed drafts before that; A's draft survived, so A wrote it later. Then A's own removal came after B's draft was written
 * and before B's rename, and took B's draft away: B's rename failed.
 */
export function fileStore(path: string): CheckpointStore {
  const folder = dirname(path);
  const isDraft = (name: string) => name.startsWith(`${basename(path)}.draft-`);

  async function read(): Promise<string | null> {
    const note = await ifThere(readFile(path, 'utf8'));
    // A note that another process has just renamed may not be on the disk yet.
    if (note !== null) await syncFolder(folder);
    return note;
  }

  return {
    read: () => described('read', read()),

    compareAndSwap(previous, next) {
      const draft = `${path}.draft-${randomUUID()}`;
      const swap = async () => {
        try {
          await writeFile(draft, next, { flush: true, flag: 'wx' });
          for (const name of (await readdir(folder)).filter(isDraft))
            if (join(folder, name) !== draft) await ifThere(unlink(join(folder, name)));
          if ((await read()) !== previous) return false;
          if ((await ifThere(rename(draft, path).then(() => true))) === null) return false;
          await syncFolder(folder);
          return true;
        } finally {
          await ifThere(unlink(draft));
        }
      };
      return described('written', swap());
    },

    setAside(note, name) {
      const move = async () => {
        if ((await read()) !== note)
          throw new CheckpointStoreError('The checkpoint file was changed meanwhile.');
        await link(path, `${path}.${name}`);
        await unlink(path);
        await syncFolder(folder);
        return `in ${path}.${name}`;
      };
      return described('moved', move());
    },
  };
}

/** Rejects with {@link CheckpointStoreError} unless the file can be read and replaced. */
export function checkFile(path: string): Promise<void> {
  const draft = `${path}.draft-${randomUUID()}`;
  const write = async () => {
    await ifThere(readFile(path, 'utf8'));
    try {
      await writeFile(draft, 'x', { flag: 'wx' });
    } finally {
      await ifThere(unlink(draft));
    }
  };
  return described('written', write());
}

/** Null instead of the error that there is no such file. */
async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function described<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CheckpointStoreError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new CheckpointStoreError(`The checkpoint file cannot be ${what} (${code}).`);
  }
}
