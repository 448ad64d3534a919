import type { Transaction } from '../src/platform/database.ts';

/**
 * The service's locks. Each is a row that a transaction locks until it ends. Rights on the table limit who can take it, whereas any session
 * could take an advisory lock.
 */
const locks = {
  /** Admits one sealing transaction at a time. */
  sealing: 'sealing_locks',
  /** Admits one transaction at a time that claims the lease or stores a checkpoint. Taken after `sealing` if both are needed. */
  publishing: 'sealing_locks',
  /** Admits one transaction at a time that moves the cursor of webhooks or creates a filter. */
  announcing: 'webhook_locks',
  /** Admits one source at a time, because two that announce the same new game together would create it twice. */
  sources: 'source_locks',
  /**
   * Held by the transaction that stores the first price of a day, before that price gets an id (`insertLines`). Gradings share it before
   * they read, so that each sees exactly the days with ids up to its `last_line_id`.
   */
  firstPrices: 'price_locks',
} as const;

/** Advisory locks on one of many named objects. `migrate` uses 5200. */
const locksOn = {
  subscriptionsOfClient: 5203,
  picksOfCapperOnGame: 5204,
  keysOfCapper: 5205,
} as const;

/** Takes a lock and holds it until the transaction ends. @param shared allows other shared holders */
export async function takeLock(
  transaction: Transaction,
  lock: keyof typeof locks,
  { shared = false } = {},
): Promise<void> {
  const rows = transaction(locks[lock]).where({ name: lock }).first('name');
  const row = await (shared ? rows.forShare() : rows.forUpdate());
  if (row === undefined) throw new Error(`${locks[lock]} has no row ${lock}: insert it again as the owner`);
}

/** Takes an advisory lock on a named object. Names with equal hashes share a lock. */
export async function takeLockOn(
  transaction: Transaction,
  lock: keyof typeof locksOn,
  name: string,
): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(?, hashtext(?))', [locksOn[lock], name]);
}

/** Takes advisory locks on several named objects, in a fixed order to prevent deadlocks. */
export async function takeLocksOn(
  transaction: Transaction,
  lock: keyof typeof locksOn,
  names: readonly string[],
): Promise<void> {
  await transaction.raw(
    `select pg_advisory_xact_lock(?, h) from (
       select distinct hashtext(name) as h from unnest(?::text[]) as t (name) order by h) s`,
    [locksOn[lock], [...names]],
  );
}
