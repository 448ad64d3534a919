import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../platform/advisory-locks.ts';
import type { Database, Transaction } from '../platform/database.ts';

/** How long a publisher has for its witnesses, by the database's clock: several times as long as it waits for them. */
const leaseSeconds = 30;

/** How often {@link whileNotPublishing} looks, in milliseconds. */
const pollMs = 100;

/** Whether a publisher is between signing a checkpoint and storing it. Under the publishing lock. */
export async function isLeased(transaction: Transaction): Promise<boolean> {
  const { rows } = await transaction.raw('select from publisher_lease where until > clock_timestamp()');
  return rows.length > 0;
}

/** Claims the lease, which is free or has run out. Under the publishing lock. */
export async function claimLease(transaction: Transaction, holder: string): Promise<void> {
  await transaction.raw(
    `insert into publisher_lease (id, holder, until) values (1, ?, clock_timestamp() + make_interval(secs => ?))
     on conflict (id) do update set holder = excluded.holder, until = excluded.until`,
    [holder, leaseSeconds],
  );
}

/** Gives the lease back; one that another publisher has claimed since stays. */
export async function releaseLease(database: Database, holder: string): Promise<void> {
  await database('publisher_lease').where({ holder }).delete();
}

/**
 * Runs while no checkpoint is being published, so that the checkpoint file and the database say the same, unless a publisher died.
 * Waits for a publisher that is at it, at most as long as its lease runs.
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
