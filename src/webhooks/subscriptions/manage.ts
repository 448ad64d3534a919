import type { Database, Transaction } from '../../platform/database.ts';
import type { Fault } from '../../platform/schema.ts';
import { full } from './limits.ts';
import { makeSecret, type Sealer, secretPlace } from './secrets.ts';
import { logHead } from './subscribe.ts';
import type { SubscriptionRow } from './subscriptions.ts';

/**
 * Revokes a subscription for good; a second time changes nothing. A request that is under way may still arrive, and none after it.
 * @param now epoch milliseconds
 */
export async function revoke(database: Database, id: number, now: number): Promise<void> {
  await database('webhook_subscriptions')
    .where({ id })
    .whereNot('status', 'revoked')
    .update({
      status: 'revoked',
      revoked_at: new Date(now),
      paused_at: null,
      // They are not needed any more.
      target_url_sealed: Buffer.alloc(0),
      client: null,
      ...endedLease(database),
    });
}

/**
 * Pauses an active subscription: it is sent nothing more until it is resumed, and loses nothing. A request that is under way may still arrive,
 * and counts as delivered: its lease goes on, so that it is not repeated.
 * @param now epoch milliseconds
 * @returns why it could not be, or undefined
 */
export async function pause(database: Database, id: number, now: number): Promise<Fault | undefined> {
  const paused = await database('webhook_subscriptions')
    .where({ id, status: 'active' })
    .update({ status: 'paused', paused_at: new Date(now) });
  if (paused === 1) return undefined;
  const [row]: Pick<SubscriptionRow, 'status'>[] = await database('webhook_subscriptions')
    .where({ id })
    .select('status');
  if (row?.status === 'paused') return undefined;
  return { path: '', message: `This subscription is ${row?.status ?? 'deleted'}: it is sent nothing anyway` };
}

/**
 * Where a resumed subscription goes on: where it stopped, with what comes next, at a place of the log, or with what was announced from an
 * instant on (epoch milliseconds).
 */
export type From = 'cursor' | 'head' | { seq: number } | { since: number };

/**
 * Makes a paused or disabled subscription active again, with no failures. An active one only moves to the point that is asked for; what lies
 * behind it and was sent before is sent again. Any point of the log will do: the log is public.
 * @returns why it could not be, or undefined
 */
export function resume(
  database: Database,
  { id, client }: SubscriptionRow,
  from: From,
): Promise<Fault | undefined> {
  return database.transaction(async (transaction) => {
    const fault = client === null ? undefined : await full(transaction, client);
    const [before]: Pick<SubscriptionRow, 'status'>[] = await transaction('webhook_subscriptions')
      .where({ id })
      .forUpdate()
      .select('status');
    if (before?.status === 'revoked')
      return { path: '', message: 'This subscription is revoked: subscribe again' };
    if (before?.status === 'active' && from === 'cursor') return undefined;
    // A paused one has kept its room.
    if (before?.status === 'disabled' && fault !== undefined) return fault;
    const point = from === 'cursor' ? undefined : await pointOf(transaction, from);
    if (point === 'beyond') return { path: '/from', message: "lies beyond the log's end" };
    await transaction('webhook_subscriptions')
      .where({ id })
      .update({
        status: 'active',
        consecutive_failures: 0,
        disabled_at: null,
        paused_at: null,
        retry_at: null,
        failed_cycle: null,
        ...(point === undefined ? {} : { cursor_seq: point }),
        // What was under way at a pause may still commit where the cursor stays, so that it is not repeated.
        ...(before?.status === 'paused' && point === undefined ? {} : endedLease(transaction)),
      });
    return undefined;
  });
}

async function pointOf(transaction: Transaction, from: Exclude<From, 'cursor'>): Promise<number | 'beyond'> {
  const { rows }: { rows: { head: number }[] } = await transaction.raw(`select (${logHead}) as head`);
  const { head } = rows[0]!;
  if (from === 'head') return head;
  if ('seq' in from) return from.seq > head ? 'beyond' : from.seq;
  // Not the head: entries that are not announced yet will be announced later than any instant before now.
  const { rows: since }: { rows: { seq: number }[] } = await transaction.raw(
    'select coalesce(max(seq) + 1, 0) as seq from webhook_events where at < ?',
    [new Date(from.since)],
  );
  return since[0]!.seq;
}

/** The default, and the maximum, of the seconds that both secrets sign after a rotation. */
export const maxOverlapSeconds = 86_400;

/**
 * Gives a subscription a new secret.
 * @param row as it was when the caller proved to know its secret
 * @param overlapSeconds how long the secret before it signs as well; 0: no request that begins after this is signed with it
 * @param now epoch milliseconds
 * @returns the new secret, only here; undefined when the secret has been rotated meanwhile
 */
export async function rotate(
  database: Database,
  sealer: Sealer,
  { id, secret_sealed }: SubscriptionRow,
  overlapSeconds: number,
  now: number,
): Promise<string | undefined> {
  const secret = makeSecret();
  const changed = await database('webhook_subscriptions')
    .where({ id, secret_sealed })
    .update({
      secret_sealed: sealer.seal(secret, secretPlace(id)),
      previous_secret_sealed: overlapSeconds === 0 ? null : secret_sealed,
      overlap_seconds: overlapSeconds,
      rotated_at: new Date(now),
    });
  return changed === 1 ? secret : undefined;
}

/** Ends the lease of a delivery that is under way: it can commit nothing any more. */
function endedLease(database: Database) {
  return { generation: database.raw('generation + 1'), lease_until: null };
}
