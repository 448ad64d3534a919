import type { Transaction } from '../src/platform/database.ts';

/**
 * The locks of the service, each a row that is locked until the transaction ends. The table says who may take it: a login without rights
 * on the table cannot, where an advisory lock is open to every session.
 */
const locks = {
  /** One transaction at a time seals. */
  sealing: 'sealing_locks',
  /** One transaction at a time claims the lease or stores a checkpoint. Taken after `sealing` where both are. */
  publishing: 'sealing_locks',
  /** One transaction at a time moves the cursor of webhooks or makes a filter. */
  announcing: 'webhook_locks',
  /** One source at a time: two that announce one new game at the same moment would make two games of it. */
  sources: 'source_locks',
  /**
   * Whoever stores the first price of a day, before it gets an id (`insertLines`). Gradings share it before they read: the days that each of
   * them sees are those with ids up to its `last_line_id`.
   */
  firstPrices: 'price_locks',
} as const;

/** Advisory locks on one thing among many, which a text names. `migrate` uses 5200. */
const locksOn = {
  subscriptionsOfClient: 5203,
  picksOfCapperOnGame: 5204,
  keysOfCapper: 5205,
} as const;

/** Waits for a lock and holds it until the transaction ends. @param shared with others that share it */
export async function takeLock(
  transaction: Transaction,
  lock: keyof typeof locks,
  { shared = false } = {},
): Promise<void> {
  const rows = transaction(locks[lock]).where({ name: lock }).first('name');
  const row = await (shared ? rows.forShare() : rows.forUpdate());
  if (row === undefined) throw new Error(`${locks[lock]} has no row ${lock}`);
}

/** {@link takeLock} on one thing; different texts share a lock where their hashes are the same. */
export async function takeLockOn(
  transaction: Transaction,
  lock: keyof typeof locksOn,
  name: string,
): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(?, hashtext(?))', [locksOn[lock], name]);
}

/** {@link takeLockOn} on several things, in one order everywhere, so that two transactions do not wait for each other. */
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
