import { setTimeout as pause } from 'node:timers/promises';
import type { Availability } from './availability.ts';
import { type Database, openDatabase } from './database.ts';
import type { Logger } from './logger.ts';
import { withTimeout } from './timeout.ts';

/**
 * A standby that reads are sent to. What is read there has everything that the primary had when the read began: the primary is asked where
 * its write-ahead log stands, and the standby is read once it has replayed it. docs/operations.md#postgresql
 */
export interface Replica {
  /**
   * Runs work that only reads, in a transaction of the standby; on the primary, once more if need be, while the standby is behind, away or
   * no standby.
   * @throws what the work throws on the primary, and what is no error of a database
   */
  read<T>(work: (database: Database) => Promise<T>, primary: Database): Promise<T>;
  close(): Promise<void>;
}

/** Runs work that reads: on a replica where there is one. @throws DatabaseUnavailable */
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
  /** Shown in `pg_stat_activity`. */
  name: string;
  /** Maximum number of connections; default 4. */
  connections?: number;
  /** Milliseconds that a read waits for the standby to replay; default 100. */
  catchUpMs?: number;
  /** Milliseconds that work may take there; default 5000. */
  workMs?: number;
  /** Milliseconds for which a standby that failed is left alone; default 1000. */
  restMs?: number;
}

/** Milliseconds between looks at how far a standby has replayed. */
const lookMs = 5;

/** Why a standby is not read, where it is not an error of its own. */
class Unfit extends Error {}

/** @param url of the standby, under the login of the process */
export function openReplica(url: string, log: Pick<Logger, 'debug'>, options: ReplicaOptions): Replica {
  const { name, connections = 4, catchUpMs = 100, workMs = 5000, restMs = 1000 } = options;
  const standby = openDatabase(url, { name, connections, connectTimeout: 1000 });
  let restUntil = 0;

  /** Where the log of the primary stands. */
  async function position(primary: Database): Promise<string> {
    const { rows } = await primary.raw('select pg_current_wal_insert_lsn()::text as lsn');
    return rows[0].lsn;
  }

  /** Waits until the server of a transaction has replayed the log up to a position: each statement after that sees all of it. */
  async function reach(transaction: Database, lsn: string): Promise<void> {
    const deadline = performance.now() + catchUpMs;
    for (;;) {
      const { rows } = await transaction.raw(
        'select pg_is_in_recovery() as "isStandby", coalesce(pg_last_wal_replay_lsn() >= ?::pg_lsn, false) as there',
        [lsn],
      );
      const [{ isStandby, there }] = rows;
      if (!isStandby) throw new Unfit('it is no standby');
      if (there) return;
      if (performance.now() > deadline) throw new Unfit(`it has not replayed ${lsn}`);
      await pause(lookMs);
    }
  }

  return {
    async read(work, primary) {
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
            throw new Unfit('it does not answer in time');
          });
        } catch (error) {
          if (!(error instanceof Unfit || isOfDatabase(error))) throw error;
          restUntil = performance.now() + restMs;
          log.debug({ err: (error as Error).message }, 'standby left alone');
        }
      }
      return work(primary);
    },
    close: () => standby.destroy(),
  };
}

/** Whether an error has a SQLSTATE or is one of a connection or a pool: a standby also cancels what conflicts with its replay. */
function isOfDatabase(error: unknown): boolean {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (code !== undefined) return /^([0-9A-Z]{5}|E[A-Z_]+)$/.test(code);
  return name === 'KnexTimeoutError' || /[Cc]onnection|timeout/.test(message ?? '');
}
