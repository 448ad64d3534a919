import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../../../migrations/locks.ts';
import type { Database } from '../../platform/database.ts';

/**
 * Seconds that a lease lasts, by the database's clock: the sum of the timeouts of signer, witnesses, and checkpoint store. It limits how
 * long a stopped publisher blocks others. A row with a later expiry is ignored.
 */
const leaseSeconds = 15;

/** Polling interval of {@link whileNotPublishing}, in ms. */
const pollMs = 100;

/** 0 before the first checkpoint; null while a publisher holds the lease. */
async function restingAt(database: Database): Promise<number | null> {
  const { rows }: { rows: { size: number }[] } = await database.raw(
    `select coalesce((select max(size) from checkpoints), 0) as size
     where not exists (select from publisher_lease
       where until > clock_timestamp() and until <= clock_timestamp() + make_interval(secs => ?))`,
    [leaseSeconds],
  );
  return rows[0]?.size ?? null;
}

/** @returns whether `holder` now has the lease */
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

export async function releaseLease(database: Database, holder: string): Promise<void> {
  await database('publisher_lease').where({ holder }).delete();
}

/**
 * Runs `work` while no checkpoint is being published. The checkpoint store and the database then agree, unless a publisher died or
 * witnesses are missing. Waits for an active publisher until its lease expires at most. Publishers do not wait: if one was active during
 * `work`, `work` runs again.
 * @param work reads only, and is short
 * @param discard receives the result of each run that is repeated
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
