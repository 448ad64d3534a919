import { v4 } from 'uuid';
import { type Lane, laneNames } from '../../jobs/declared.ts';
import { cancelled, type Figures, failed, type Outcome, ok } from '../../jobs/job.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Attempt } from '../client/attempt.ts';
import type { DeliveryClient } from '../client/client.ts';
import { type EventPages, readEvents } from '../messages/events.ts';
import type { Message, Messages, Recipient } from '../messages/messages.ts';
import { seqOf } from '../messages/payloads.ts';
import { type AttemptRecord, recordAttempt } from '../subscriptions/attempts.ts';
import { filterOf } from '../subscriptions/filters.ts';
import type { SubscriptionRow } from '../subscriptions/subscriptions.ts';
import { failureOf } from './failure-policy.ts';
import { type Lanes, type Leave, paceOf, type Visit } from './lanes.ts';
import { type Claimed, type Lease, type Leases, maxEvents } from './lease.ts';
import { limitedHost, unproven } from './permits.ts';

export interface DeliverDeps {
  clock: Clock;
  client: Pick<DeliveryClient, 'post'>;
  events: EventPages;
  leases: Leases;
  lanes: Lanes;
  messages: Messages;
  moveToSlow(subscriptionId: number): Promise<unknown>;
  /** Aborted when the process shuts down: no further request starts. */
  closing: AbortSignal;
}

interface PageDeps extends DeliverDeps {
  log: Pick<Logger, 'error'>;
}

/** Subscriptions served at once, over all pages. More than the concurrent requests, so that a busy host blocks no other. */
const maxDelivering: Record<Lane, number> = { healthy: 512, slow: 512, chat: 128, push: 512 };

/**
 * Creates the function that delivers pages. Subscriptions of a page neither wait for nor fail one another. The outcome has a line for each:
 * how many events were sent, and why delivery ended. It is `failed` if the service caused a failure.
 */
export function createDeliverPage(deps: PageDeps) {
  const slots = Object.fromEntries(
    laneNames.map((lane) => [lane, createLimiter(maxDelivering[lane])]),
  ) as Record<Lane, Limiter>;
  return async (subscriptionIds: readonly number[], lane: Lane): Promise<Outcome> => {
    const outcomes = await Promise.all(
      subscriptionIds.map((id) =>
        slots[lane].run(async () => {
          if (deps.closing.aborted) return { sent: 0, about: 'shutting down' };
          try {
            return described(await deliver(deps, id, lane));
          } catch (error) {
            deps.log.error(
              { err: error, subscriptionId: id },
              'cannot deliver to a subscription; the next cycle retries',
            );
            return { sent: 0, about: 'error', fault: (error as Error).message };
          }
        }),
      ),
    );
    const figures = {
      subscriptions: subscriptionIds.length,
      sent: outcomes.reduce((sum, { sent }) => sum + sent, 0),
      ...Object.fromEntries(
        outcomes.map(({ about }, index) => [`subscription ${subscriptionIds[index]}`, about]),
      ),
    };
    const faults = outcomes.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
    if (faults.length === 0) return ok(figures);
    return failed(`${faults.length} of ${subscriptionIds.length} subscriptions: ${faults[0]}`, figures);
  };
}

function described(outcome: Outcome): { sent: number; about: string; fault?: string } {
  const { sent, ended } = outcome.figures as { sent: number; ended?: string };
  if (outcome.outcome === 'cancelled') return { sent, about: outcome.reason };
  return { sent, about: `sent ${sent}: ${ended}` };
}

const budgetMs = 30_000;

/** Remaining lease needed to start a request, in ms: longer than the longest request. */
const requestMs = 11_000;

/**
 * Sends a subscription its undelivered events in order: at most 50 per cycle, and none after a failure. The cursor is stored after each
 * answer, before the next request. Does nothing if another job holds the lease or nothing is due.
 * @returns the number of events sent, and why delivery ended
 * @throws Error if the subscription's secrets cannot be opened
 */
export async function deliver(deps: DeliverDeps, subscriptionId: number, lane: Lane): Promise<Outcome> {
  const lease = await deps.leases.claim(subscriptionId);
  if (lease === undefined) return cancelled('nothing is due, or another job holds the lease', { sent: 0 });
  try {
    return ok(await send(deps, lease, lane));
  } catch (error) {
    // Not the receiver's failure, and a retry within the cycle would fail the same way.
    await lease.release({ cycleOver: true }, null).catch(() => {});
    throw error;
  }
}

type Delivered = Figures & { sent: number; ended: string };

async function send(deps: DeliverDeps, lease: Lease, lane: Lane): Promise<Delivered> {
  const { clock, lanes } = deps;
  const { subscription } = lease;
  const { id, targetHost } = subscription;
  let sent = 0;
  const recipient = deps.messages.to(subscription, clock.now());
  const read = await readPage(deps.events, subscription);
  let events = read.filter((event) => recipient.wants?.(event, clock.now()) ?? true);
  // The audit can restore missing events from the log, but a head without an event must not stay due forever.
  if (events.length === 0)
    await lease.release({ cursorSeq: (read.at(-1)?.seq ?? subscription.headSeq) + 1 }, null);
  const { target } = recipient;
  const first =
    events.length === 0 || target === undefined || subscription.proven || target.platform !== undefined
      ? undefined
      : unproven(target);
  if (first !== undefined) {
    const waitMs = await lanes.takeNow(first);
    if (waitMs > 0) {
      await lease.release({ retryAt: clock.now() + Math.ceil(waitMs) }, null);
      return { sent, ended: 'waiting for a target that has accepted nothing yet' };
    }
  }
  const visit = {
    ...(target === undefined ? { key: targetHost, rates: [] } : limitedHost(target)),
    client: subscription.client ?? '',
  };
  const until = performance.now() + budgetMs;
  while (events.length > 0) {
    const leave = await entered(deps, lease, lane, visit, until);
    if (typeof leave === 'string' && first !== undefined && sent === 0) lanes.undo(first);
    if (leave === 'late' && deps.closing.aborted) {
      await lease.release({}, null);
      return { sent, ended: 'shutting down' };
    }
    if (leave === 'slow') {
      await lease.release({}, null);
      await deps.moveToSlow(id);
      return { sent, ended: 'moved to the slow lane' };
    }
    if (leave === 'late' || performance.now() > until) {
      if (leave !== 'late') leave();
      await lease.release({ cycleOver: true }, null);
      return { sent, ended: 'out of time for this cycle' };
    }
    const now = clock.now();
    let message: Message;
    let attempt: Attempt | undefined;
    try {
      if (deps.closing.aborted) {
        await lease.release({}, null);
        return { sent, ended: 'shutting down' };
      }
      if (!(await lease.renew(requestMs))) return { sent, ended: 'the subscription was changed' };
      message = recipient.write(events, now);
      attempt = await post(deps, recipient, message);
    } finally {
      leave(attempt && paceOf(attempt));
    }
    const record = recordOf(id, message, attempt, now);
    if (attempt.error !== null) {
      const ends = target?.platform?.ends ?? [];
      const failure = failureOf(attempt, ends, lease.progress.failures, clock.now());
      await lease.release({ ...failure, cycleOver: true }, record);
      if (attempt.status !== null && ends.includes(attempt.status)) await lease.forgetDevice();
      return { sent, ended: `failed: ${attempt.error}` };
    }
    if (first !== undefined && sent === 0) lanes.undo(first);
    events = events.slice(message.events);
    sent += message.events;
    const pauseMs = attempt.rateLimitMs;
    const step = {
      cursorSeq: message.lastSeq + 1,
      sent: subscription.sent + sent,
      failures: 0,
      retryAt: pauseMs === null ? null : clock.now() + pauseMs,
    };
    const slow = lane === 'healthy' && paceOf(attempt) === 'slow';
    if (events.length === 0 || pauseMs !== null || slow) {
      await lease.release(step, record);
      if (slow && events.length > 0) await deps.moveToSlow(id);
      return {
        sent,
        ended: events.length === 0 ? 'everything sent' : slow ? 'moved to the slow lane' : 'rate limited',
      };
    }
    if (!(await lease.note(step, record))) return { sent, ended: 'the subscription was changed' };
  }
  return { sent, ended: 'nothing to send' };
}

const waitMs = 3_000;

/** Waits for a host, with the lease held. Long waits happen in the slow lane, where they keep nobody from healthy hosts. */
async function entered(
  { lanes, closing }: DeliverDeps,
  lease: Lease,
  lane: Lane,
  visit: Visit,
  until: number,
): Promise<Leave | 'late' | 'slow'> {
  for (;;) {
    const leave = await lanes.enter(lane, visit, Math.max(0, Math.min(waitMs, until - performance.now())));
    if (leave !== 'late' || closing.aborted || performance.now() >= until) return leave;
    if (lane === 'healthy') return 'slow';
    if (!(await lease.renew(requestMs))) return 'late';
  }
}

function readPage(pages: EventPages, claimed: Claimed) {
  const { cursorSeq, headSeq, sent } = claimed;
  return pages.read({
    filter: filterOf(claimed),
    fromSeq: cursorSeq,
    toSeq: headSeq,
    limit: maxEvents - sent,
  });
}

/** Sends a message; if the guard refuses the address, it fails without a request. */
function post(
  { client }: Pick<DeliverDeps, 'client'>,
  { target }: Recipient,
  message: Pick<Message, 'body' | 'headers'>,
): Promise<Attempt> {
  if (target !== undefined) return client.post(target, message.body, message.headers);
  const nothing = { status: null, durationMs: 0, retryAfterMs: null, rateLimitMs: null };
  return Promise.resolve({ ...nothing, error: 'refused', ours: false });
}

function recordOf(
  subscriptionId: number,
  { deliveryId, event, pickUuid, events }: Omit<Message, 'body' | 'headers' | 'lastSeq'>,
  { status, error, durationMs }: Attempt,
  at: EpochMs,
): AttemptRecord {
  return {
    subscription_id: subscriptionId,
    at,
    delivery_id: deliveryId,
    event,
    pick_uuid: pickUuid,
    picks: events,
    status,
    error,
    duration_ms: durationMs,
  };
}

/**
 * Neither counts as a failure nor clears any.
 * @returns the record to store
 * @throws Error if the subscription's secrets cannot be opened, or if it is a device's
 */
export async function sendPing(
  deps: Pick<DeliverDeps, 'client' | 'messages'>,
  row: SubscriptionRow,
  now: EpochMs,
): Promise<AttemptRecord> {
  const deliveryId = `ping_${row.id}_${v4()}`;
  const recipient = deps.messages.to(row, now);
  if (recipient.ping === undefined) throw new Error('devices get no pings');
  const attempt = await post(deps, recipient, recipient.ping(deliveryId, now));
  return recordOf(row.id, { deliveryId, event: 'ping', pickUuid: null, events: 0 }, attempt, now);
}

/**
 * Sends an announced event once more, now and out of order (docs/rules/webhooks.md#pause-resume-resend). The subscription does not change.
 * @param deliveryId of the event, as in attempts; for a chat message with several events, that of the first one
 * @returns the stored record of the attempt; undefined if the id names no event of the subscription's filter
 * @throws Error if the subscription's secrets cannot be opened
 */
export async function resend(
  database: Database,
  deps: Pick<DeliverDeps, 'client' | 'messages'>,
  row: SubscriptionRow,
  deliveryId: string,
  now: number,
): Promise<AttemptRecord | undefined> {
  const seq = seqOf(deliveryId, row.id);
  if (seq === undefined) return undefined;
  const events = await readEvents(database, { filter: filterOf(row), fromSeq: seq, toSeq: seq, limit: 1 });
  if (events.length === 0) return undefined;
  const recipient = deps.messages.to(row, now);
  const message = recipient.write(events, now);
  const record = recordOf(row.id, message, await post(deps, recipient, message), now);
  await recordAttempt(database, record);
  return record;
}
