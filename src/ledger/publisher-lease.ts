import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../platform/advisory-locks.ts';
import type { Database, Transaction } from '../platform/database.ts';

/**
 * How long a publisher has for signing, witnesses and the checkpoint store, by the database's clock: the sum of their timeouts. One that is
 * stopped in the middle keeps others from publishing for no longer.
 */
const leaseSeconds = 15;

/** How often {@link whileNotPublishing} looks, in milliseconds. */
const pollMs = 100;

/** Whether a publisher is between signing a checkpoint and storing it. Under the publishing lock. */
async function isLeased(transaction: Transaction): Promise<boolean> {
  const { rows } = await transaction.raw('select from publisher_lease where until > clock_timestamp()');
  return rows.length > 0;
}

/** Claims the lease. @returns whether it was free, has run out, or is the holder's already: it then runs from now on */
export function claimLease(database: Database, holder: string): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'publishing');
    const { rowCount } = await transaction.raw(
      `insert into publisher_lease as l (id, holder, until) values (1, ?, clock_timestamp() + make_interval(secs => ?))
       on conflict (id) do update set holder = excluded.holder, until = excluded.until
       where l.until <= clock_timestamp() or l.holder = excluded.holder`,
      [holder, leaseSeconds],
    );
    return rowCount === 1;
  });
}

/** Gives the lease back; one that another publisher has claimed since stays. */
export async function releaseLease(database: Database, holder: string): Promise<void> {
  await database('publisher_lease').where({ holder }).delete();
}

/**
 * Runs while no checkpoint is being published, so that the checkpoint store and the database agree, unless a publisher died or witnesses
 * are missing. Waits for a publisher that is at it, at most as long as its lease runs.
 * @param work is to be short: publishers wait for it
 */
export async function whileNotPublishing<T>(database: Database, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await database.transaction(async (transaction) => {
      await takeLock(transaction, 'publishing');
      return (await isLeased(transaction)) ? undefined : { result: await work() };
    });
    if (done !== undefined) return done.result;
    await sleep(pollMs);
  }
}
