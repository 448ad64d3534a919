import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { ExpectedError } from '../../../platform/expected-error.ts';
import { type Checkpoint, openCheckpoint } from '../../../proof/checkpoint.ts';
import { parseNote } from '../../../proof/signed-note.ts';
import type { VerifierKey } from '../../../proof/verifier-key.ts';
import { boundedDisk, syncFolder } from '../durable-file.ts';

/**
 * Keeps the newest checkpoint outside the database, for all publishers of a log (`CHECKPOINT_STORE`). A publisher swaps it before a witness
 * or reader sees the new one. So publishers on diverged databases cannot both continue from one checkpoint
 * (docs/operations.md#checkpoints-and-witnesses).
 *
 * All methods reject with {@link CheckpointStoreError} if the store is unavailable. A rejected swap can still have taken effect.
 */
export interface CheckpointStore {
  read(): Promise<string | null>;
  /**
   * Replaces `previous` with `next` durably, or does nothing. At most one swap from a given note succeeds, across processes and hosts, and
   * no swap waits for another.
   * @param previous null: succeeds only if the store is empty
   * @returns whether the store now holds `next`
   */
  compareAndSwap(previous: string | null, next: string): Promise<boolean>;
  /** Moves the checkpoint of an ended log to another name. @returns the new location, in words */
  setAside(note: string, name: string): Promise<string>;
}

/** The checkpoint store is unavailable or holds an invalid checkpoint. The message is a sentence without addresses. */
export class CheckpointStoreError extends ExpectedError {
  override name = 'CheckpointStoreError';
}

/** Opens no connection. @param setting `CHECKPOINT_STORE`: a PostgreSQL URL, or the path of a file */
export function checkpointStore(setting: string): CheckpointStore {
  return isDatabase(setting) ? postgresStore(setting) : fileStore(setting);
}

export const isDatabase = (setting: string): boolean => /^postgres(ql)?:/.test(setting);

export interface KeptCheckpoint {
  checkpoint: Checkpoint;
  note: string;
  cosignatures: number;
}

/** @throws CheckpointStoreError */
export async function openKeptCheckpoint(
  note: string,
  origin: string,
  keys: readonly VerifierKey[],
): Promise<KeptCheckpoint> {
  try {
    const { checkpoint, signedBy } = await openCheckpoint(note, origin, keys);
    const { signatures } = parseNote(note);
    const cosignatures = signatures.filter(
      ({ name, id }) => !signedBy.some(({ key }) => key.name === name && key.id === id),
    ).length;
    return { checkpoint, note, cosignatures };
  } catch (error) {
    throw new CheckpointStoreError(
      `The checkpoint store does not hold a checkpoint of this log: ${(error as Error).message}.`,
    );
  }
}

const timeoutMs = 3_000;

const table = 'public_picks_checkpoint';

/** A role without the right to create tables needs this table beforehand (docs/operations.md#checkpoints-and-witnesses). */
const createTable = `create table if not exists ${table} (
  place text primary key,
  note text not null,
  written_at timestamptz not null default now()
)`;

const undefinedTable = '42P01';

/**
 * Returns a store in a row of a PostgreSQL database outside the service's failover group, for publishers on several hosts.
 *
 * Each swap is a single message that also commits, so a process stopped midway holds no lock. Each call opens a connection, because minutes
 * can pass between calls.
 */
export function postgresStore(url: string): CheckpointStore {
  return {
    read: () =>
      query(url, () => `select note from ${table} where place = 'current'`).then(
        ({ rows: [row] }) => row?.note ?? null,
      ),

    async compareAndSwap(previous, next) {
      const { rowCount } = await query(url, (quoted) =>
        previous === null
          ? `insert into ${table} (place, note) values ('current', ${quoted(next)}) on conflict (place) do nothing`
          : `update ${table} set note = ${quoted(next)}, written_at = now() where place = 'current' and note = ${quoted(previous)}`,
      );
      return rowCount === 1;
    },

    async setAside(note, name) {
      const { rows } = await query(
        url,
        (quoted) =>
          `update ${table} set place = ${quoted(name)} || ' ' || now() where place = 'current' and note = ${quoted(note)} returning place`,
      );
      if (rows[0] === undefined)
        throw new CheckpointStoreError('The checkpoint store changed in the meantime: try again.');
      return `in the checkpoint store under ${JSON.stringify(rows[0].place)}`;
    },
  };
}

/**
 * Runs a statement in a transaction sent as a single message, which commits without a further request. Settings are local to the
 * transaction: a pooler in transaction mode refuses session settings, or shares them with other clients.
 */
async function query(
  url: string,
  statement: (quoted: (text: string) => string) => string,
): Promise<pg.QueryResult<{ note: string; place: string }>> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'public-picks checkpoint store',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  });
  // The query also reports a broken connection.
  client.on('error', () => {});
  const run = async () => {
    const results = (await client.query(`begin;
      set local statement_timeout = ${timeoutMs};
      -- An acknowledged write must survive a crash, whatever the server's default.
      set local synchronous_commit = on;
      ${statement((text) => client.escapeLiteral(text))};
      commit`)) as unknown as pg.QueryResult[];
    return results.at(-2)!;
  };
  try {
    await client.connect();
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: string }).code !== undefinedTable) throw error;
      await client.query('rollback');
      await client.query(createTable);
      return await run();
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw new CheckpointStoreError(`The checkpoint store is unavailable (${code ?? message}).`);
  } finally {
    // Not awaited: an unresponsive server does not answer a termination either.
    client.end().catch(() => {});
  }
}

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

/** @throws CheckpointStoreError */
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
