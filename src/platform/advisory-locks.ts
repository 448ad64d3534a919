import type { Transaction } from './database.ts';

/**
 * The advisory locks of the database, all of them: each is held until the transaction that took it ends. A number is never given to
 * another purpose, since two versions of the service may run at once.
 */
const locks = {
  /** One transaction at a time seals. */
  sealing: 7_263_001,
  /** One transaction at a time signs or stores a checkpoint. Taken after `sealing` where both are. */
  publishing: 7_263_002,
  /** One transaction at a time moves the cursor of webhooks or makes a filter. */
  announcing: 7_263_003,
  /** One source at a time: two that announce one new game at the same moment would make two games of it. */
  sources: 7_263_008,
} as const;

/** Locks on one thing among many, which is named by a text. */
const locksOn = {
  subscriptionsOfEmail: 5201,
  subscriptionsOfHost: 5202,
  subscriptionsOfClient: 5203,
} as const;

/** Waits for a lock and holds it until the transaction ends. */
export async function takeLock(transaction: Transaction, lock: keyof typeof locks): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(?)', [locks[lock]]);
}

/** {@link takeLock} on one thing; different texts share a lock where their hashes are the same. */
export async function takeLockOn(
  transaction: Transaction,
  lock: keyof typeof locksOn,
  name: string,
): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(?, hashtext(?))', [locksOn[lock], name]);
}
