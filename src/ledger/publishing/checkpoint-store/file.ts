import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { boundedDisk, syncFolder } from '../durable-file.ts';
import { type CheckpointStore, CheckpointStoreError } from './store.ts';

/**
 * Returns a store in a file, for publishers on one host. A disk that hangs, such as a network's, counts as unavailable after `diskMs`.
 *
 * A swap needs no lock, so a stopped or killed process blocks no other:
 *
 * 1. Write the next note to a draft file, unique to this swap.
 * 2. Remove the drafts of all other swaps.
 * 3. Read the file. If it is not `previous`, the swap is lost.
 * 4. Rename the draft to the file. If the draft is gone, the swap is lost.
 *
 * At most one swap from a note succeeds. Suppose that A and B both succeed, that A renames first, and that no note ever returns. B read the
 * file before A's rename, and had removed other drafts before that. A's draft survived, so A wrote it after B's removal. A's own removal
 * therefore followed B's write and preceded B's rename. It removed B's draft, so B's rename failed.
 */
export function fileStore(path: string, diskMs = 10_000): CheckpointStore {
  const described = boundedBy(path, diskMs);
  const folder = dirname(path);
  const isDraft = (name: string) => name.startsWith(`${basename(path)}.draft-`);

  async function read(): Promise<string | null> {
    const note = await nullIfAbsent(readFile(path, 'utf8'));
    // Another process could have renamed this note without syncing it yet.
    if (note !== null) await syncFolder(folder);
    return note;
  }

  return {
    read: () => described('read', read),

    compareAndSwap(previous, next) {
      const draft = `${path}.draft-${randomUUID()}`;
      const swap = async () => {
        try {
          await writeFile(draft, next, { flush: true, flag: 'wx' });
          for (const name of (await readdir(folder)).filter(isDraft))
            if (join(folder, name) !== draft) await nullIfAbsent(unlink(join(folder, name)));
          if ((await read()) !== previous) return false;
          if ((await nullIfAbsent(rename(draft, path).then(() => true))) === null) return false;
          await syncFolder(folder);
          return true;
        } finally {
          await nullIfAbsent(unlink(draft));
        }
      };
      return described('written', swap);
    },

    setAside(note, name) {
      const move = async () => {
        if ((await read()) !== note)
          throw new CheckpointStoreError('The checkpoint file changed in the meantime: try again.');
        await link(path, `${path}.${name}`);
        await unlink(path);
        await syncFolder(folder);
        return `in ${path}.${name}`;
      };
      return described('moved', move);
    },
  };
}

/** Verifies that the file can be read and replaced. Rejects with {@link CheckpointStoreError} otherwise. */
export function checkFile(path: string): Promise<void> {
  const draft = `${path}.draft-${randomUUID()}`;
  const write = async () => {
    await nullIfAbsent(readFile(path, 'utf8'));
    try {
      await writeFile(draft, 'x', { flag: 'wx' });
    } finally {
      await nullIfAbsent(unlink(draft));
    }
  };
  return boundedBy(path, 10_000)('written', write);
}

async function nullIfAbsent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns a function that describes the failure of work on a file, which may take `ms` milliseconds. */
function boundedBy(path: string, ms: number) {
  const bounded = boundedDisk(path, ms);
  return async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await bounded(work);
    } catch (error) {
      if (error instanceof CheckpointStoreError) throw error;
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      throw new CheckpointStoreError(`The checkpoint file cannot be ${what} (${code}).`);
    }
  };
}
