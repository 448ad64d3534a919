import type { Database, Transaction } from '../../platform/database.ts';
import type { Fault } from '../../platform/schema.ts';
import { makeSecret, type Sealer, secretContext } from './secrets.ts';
import { full, logHead } from './subscribe.ts';
import type { SubscriptionRow } from './subscriptions.ts';

/** Revokes a subscription permanently; idempotent. A running request may still arrive, but no later one. */
export async function revoke(database: Database, id: number, now: EpochMs): Promise<void> {
  await database('webhook_subscriptions')
    .where({ id })
    .whereNot('status', 'revoked')
    .update(revoked(database, now));
}

/** Revokes what a device follows, and erases its endpoint and keys at once. */
export async function unfollow(database: Database, id: number, now: number): Promise<void> {
  await database('webhook_subscriptions')
    .where({ id })
    .update({ ...revoked(database, now), secret_sealed: Buffer.alloc(0), device: null });
}

function revoked(database: Database, now: number) {
  return {
    status: 'revoked',
    revoked_at: new Date(now),
    paused_at: null,
    // Addresses of a revoked subscription are not needed.
    target_url_sealed: Buffer.alloc(0),
    client: null,
    ...endedLease(database),
  };
}

/**
 * Pauses an active subscription. Nothing is sent until it is resumed, and nothing is lost. A running request may still arrive and count as
 * delivered: its lease continues, so that it is not repeated.
 * @returns a fault if it cannot be paused
 */
export async function pause(database: Database, id: number, now: EpochMs): Promise<Fault | undefined> {
  const paused = await database('webhook_subscriptions')
    .where({ id, status: 'active' })
    .update({ status: 'paused', paused_at: new Date(now) });
  if (paused === 1) return undefined;
  const [row]: Pick<SubscriptionRow, 'status'>[] = await database('webhook_subscriptions')
    .where({ id })
    .select('status');
  if (row?.status === 'paused') return undefined;
  return {
    path: '',
    message: `This subscription is ${row?.status ?? 'deleted'}: nothing is sent to it anyway`,
  };
}

/**
 * Start of a resumed subscription: where it stopped, the head of the log, a `seq`, or the first event announced since an instant (epoch
 * milliseconds).
 */
export type From = 'cursor' | 'head' | { seq: number } | { since: number };

/**
 * Activates a paused or disabled subscription and clears its failures. An active one only moves to the given point. Events after that point
 * are sent again. Any point of the log is allowed, because the log is public.
 * @returns a fault if it cannot be resumed
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
    // A paused subscription still counts toward the limit.
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
        // If the cursor stays, a request that ran during the pause may still commit, so that it is not repeated.
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
  // Not the head: entries that are not announced yet will be announced at a later instant.
  const { rows: since }: { rows: { seq: number }[] } = await transaction.raw(
    'select coalesce(max(seq) + 1, 0) as seq from webhook_events where at < ?',
    [new Date(from.since)],
  );
  return since[0]!.seq;
}

/** Default and maximum overlap of both secrets after a rotation, in seconds. */
export const maxOverlapSeconds = 86_400;

/**
 * Gives a subscription a new secret.
 * @param row as of the check of its secret
 * @param overlapSeconds how long the old secret keeps signing; with 0, no later request is signed with it
 * @returns the new secret, which is returned only here; undefined if the secret was rotated meanwhile
 */
export async function rotate(
  database: Database,
  sealer: Sealer,
  { id, secret_sealed }: SubscriptionRow,
  overlapSeconds: number,
  now: EpochMs,
): Promise<string | undefined> {
  const secret = makeSecret();
  const changed = await database('webhook_subscriptions')
    .where({ id, secret_sealed })
    .update({
      secret_sealed: sealer.seal(secret, secretContext(id)),
      previous_secret_sealed: overlapSeconds === 0 ? null : secret_sealed,
      overlap_seconds: overlapSeconds,
      rotated_at: new Date(now),
    });
  return changed === 1 ? secret : undefined;
}

/** Ends the lease of a running delivery, which can then commit nothing. */
function endedLease(database: Database) {
  return { generation: database.raw('generation + 1'), lease_until: null };
}
