import { setTimeout as pause } from 'node:timers/promises';
import type { Availability } from './availability.ts';
import { type Database, openDatabase } from './database.ts';
import type { Logger } from './logger.ts';
import { withTimeout } from './timeout.ts';

/**
 * A standby for reads. A read sees everything that the primary had when it began: the standby is used once it has replayed the primary's
 * current WAL position. docs/operations.md#postgresql
 */
export type Replica = ReturnType<typeof openReplica>;

/** Runs work that reads, on a replica if one is configured. @throws DatabaseUnavailable */
export type Read = <T>(work: (database: Database) => Promise<T>) => Promise<T>;

export function readsOf(
  database: Database,
  availability: Pick<Availability, 'run'>,
  replica: Replica | undefined,
): Read {
  return (work) =>
    availability.run(() => (replica === undefined ? work(database) : replica.read(work, database)));
}

export interface ReplicaOptions {
  /** Name shown in `pg_stat_activity`. */
  name: string;
  /** Maximum number of connections; default 4. */
  connections?: number;
  /** Longest wait for the standby to replay, in ms; default 100. */
  catchUpMs?: number;
  /** Timeout of the work on the standby, in ms; default 5000. */
  workMs?: number;
  /** How long a failed standby is not used, in ms; default 1000. */
  restMs?: number;
}

const pollMs = 5;

/** Why a standby is not used, if it raised no error itself. */
class Unfit extends Error {}

/** @param url with the login of the process */
export function openReplica(url: string, log: Pick<Logger, 'debug'>, options: ReplicaOptions) {
  const { name, connections = 4, catchUpMs = 100, workMs = 5000, restMs = 1000 } = options;
  const standby = openDatabase(url, { name, connections, connectTimeout: 1000 });
  let restUntil = 0;

  async function position(primary: Database): Promise<string> {
    const { rows } = await primary.raw('select pg_current_wal_insert_lsn()::text as lsn');
    return rows[0].lsn;
  }

  /** Waits until a transaction's server has replayed the WAL up to a position. Later statements see everything before it. */
  async function reach(transaction: Database, lsn: string): Promise<void> {
    const deadline = performance.now() + catchUpMs;
    for (;;) {
      const { rows } = await transaction.raw(
        'select pg_is_in_recovery() as "isStandby", coalesce(pg_last_wal_replay_lsn() >= ?::pg_lsn, false) as there',
        [lsn],
      );
      const [{ isStandby, there }] = rows;
      if (!isStandby) throw new Unfit('the server is not a standby');
      if (there) return;
      if (performance.now() > deadline) throw new Unfit(`the standby has not replayed ${lsn}`);
      await pause(pollMs);
    }
  }

  return {
    /**
     * Runs read-only work in a transaction on the standby. Runs it on the primary if the standby is behind, down, or not a standby, even if
     * it had already started there.
     * @throws the work's error on the primary, and errors that no database caused
     */
    async read<T>(work: (database: Database) => Promise<T>, primary: Database): Promise<T> {
      if (performance.now() >= restUntil) {
        try {
          const lsn = await position(primary);
          const reading = standby.transaction(
            async (transaction) => {
              await reach(transaction, lsn);
              return work(transaction);
            },
            { readOnly: true },
          );
          return await withTimeout(reading, workMs, () => {
            throw new Unfit('the standby did not answer in time');
          });
        } catch (error) {
          if (!(error instanceof Unfit || isOfDatabase(error))) throw error;
          restUntil = performance.now() + restMs;
          log.debug({ err: (error as Error).message }, 'reading from the primary instead of the standby');
        }
      }
      return work(primary);
    },
    close: (): Promise<void> => standby.destroy(),
  };
}

/** It has a SQLSTATE, or belongs to a connection or pool. A standby also cancels statements that conflict with its replay. */
function isOfDatabase(error: unknown): boolean {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (code !== undefined) return /^([0-9A-Z]{5}|E[A-Z_]+)$/.test(code);
  return name === 'KnexTimeoutError' || /[Cc]onnection|timeout/.test(message ?? '');
}
