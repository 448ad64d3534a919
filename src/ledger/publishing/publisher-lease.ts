import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../../../migrations/locks.ts';
import type { Database } from '../../platform/database.ts';

/**
 * How long a publisher has for signing, witnesses and the checkpoint store, by the database's clock: the sum of their timeouts. One that is
 * stopped in the middle keeps others from publishing for no longer. A row that says later is nobody's lease.
 */
const leaseSeconds = 15;

/** How often {@link whileNotPublishing} looks, in milliseconds. */
const pollMs = 100;

/** The size of the newest checkpoint, 0 before the first; null while a publisher is between signing a checkpoint and storing it. */
async function restingAt(database: Database): Promise<number | null> {
  const { rows }: { rows: { size: number }[] } = await database.raw(
    `select coalesce((select max(size) from checkpoints), 0) as size
     where not exists (select from publisher_lease
       where until > clock_timestamp() and until <= clock_timestamp() + make_interval(secs => ?))`,
    [leaseSeconds],
  );
  return rows[0]?.size ?? null;
}

/** Claims the lease. @returns whether it was free, has run out, or is the holder's already: it then runs from now on */
export function claimLease(database: Database, holder: string): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'publishing');
    const { rowCount } = await transaction.raw(
      `insert into publisher_lease as l (id, holder, until) values (1, ?, clock_timestamp() + make_interval(secs => ?))
       on conflict (id) do update set holder = excluded.holder, until = excluded.until
       where l.until <= clock_timestamp() or l.until > clock_timestamp() + make_interval(secs => ?) or l.holder = excluded.holder`,
      [holder, leaseSeconds, leaseSeconds],
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
 * are missing. Waits for a publisher that is at it, at most as long as its lease runs. Publishers do not wait: where one was at it
 * meanwhile, the work runs again.
 * @param work only reads; is to be short
 * @param discard is given the result of work that runs again
 */
export async function whileNotPublishing<T>(
  database: Database,
  work: () => Promise<T>,
  discard: (result: T) => Promise<void>,
): Promise<T> {
  for (;;) {
    const before = await restingAt(database);
    if (before !== null) {
      const result = await work();
      if ((await restingAt(database)) === before) return result;
      await discard(result);
    }
    await sleep(pollMs);
  }
}
