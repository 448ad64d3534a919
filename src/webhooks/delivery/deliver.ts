import { cancelled, type Figures, failed, type Outcome, ok } from '../../jobs/job.ts';
import { type Lane, laneNames } from '../../jobs/webhooks.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Attempt, DeliveryClient } from '../client/client.ts';
import type { EventPages } from '../messages/event-pages.ts';
import { readEvents } from '../messages/events.ts';
import type { Message, Messages, Recipient } from '../messages/messages.ts';
import { seqOf } from '../messages/payloads.ts';
import { type AttemptRecord, recordAttempt } from '../subscriptions/attempts.ts';
import type { SubscriptionRow } from '../subscriptions/subscriptions.ts';
import { failureOf } from './failure-policy.ts';
import { type Lanes, paceOf } from './lanes.ts';
import { type Claimed, type Lease, type Leases, maxEvents } from './lease.ts';

export interface DeliverDeps {
  clock: Clock;
  client: Pick<DeliveryClient, 'post'>;
  events: EventPages;
  leases: Leases;
  lanes: Lanes;
  messages: Messages;
  /** Adds the slow lane's job for a subscription. */
  moveToSlow(subscriptionId: number): Promise<unknown>;
  /** Aborted when the process shuts down: no further request begins. */
  closing: AbortSignal;
}

interface PageDeps extends DeliverDeps {
  log: Pick<Logger, 'error'>;
}

/**
 * Subscriptions of a lane that are delivered to at once, over all pages: more than requests at once, so that those that wait for a busy host
 * do not keep others from their turn.
 */
const maxDelivering: Record<Lane, number> = { healthy: 512, slow: 512, chat: 128 };

/** Delivers to a page of subscriptions. */
type DeliverPage = (subscriptionIds: readonly number[], lane: Lane) => Promise<Outcome>;

/**
 * Makes what delivers pages. The subscriptions of a page do not wait for one another, and what fails one of them does not touch the others.
 * The outcome has a line for each: how many events it was sent and why that ended. It is `failed` where something was at fault on our side.
 */
export function createDeliverPage(deps: PageDeps): DeliverPage {
  const slots = Object.fromEntries(
    laneNames.map((lane) => [lane, createLimiter(maxDelivering[lane])]),
  ) as Record<Lane, Limiter>;
  return async (subscriptionIds, lane) => {
    const outcomes = await Promise.all(
      subscriptionIds.map(async (id) => {
        await slots[lane].acquire();
        try {
          if (deps.closing.aborted) return { sent: 0, about: 'the process ends' };
          return described(await deliver(deps, id, lane));
        } catch (error) {
          deps.log.error({ err: error, subscriptionId: id }, 'a subscription could not be delivered to');
          return { sent: 0, about: 'error', fault: (error as Error).message };
        } finally {
          slots[lane].release();
        }
      }),
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

/** How long a subscription may be busy in one cycle, in milliseconds. */
const budgetMs = 30_000;

/** How long a lease must last when a request begins, in milliseconds: longer than the longest request. */
const requestMs = 11_000;

/**
 * Sends a subscription the events that it has not had yet, in order: at most 50 in a cycle, and none after a failure. The cursor is
 * stored after each answer and before the next request. Does nothing where another job holds the lease, or nothing is due.
 * @returns how many events were sent, and why it ended
 * @throws Error when what is sealed in the subscription cannot be opened
 */
export async function deliver(deps: DeliverDeps, subscriptionId: number, lane: Lane): Promise<Outcome> {
  const lease = await deps.leases.claim(subscriptionId);
  if (lease === undefined) return cancelled('nothing is due, or another job has it', { sent: 0 });
  try {
    return ok(await send(deps, lease, lane));
  } catch (error) {
    // No failure of the receiver, and trying again within the cycle would end the same way.
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
  let events = await readPage(deps.events, subscription);
  // Events can be derived again from the log; a head without an event must not be found due for ever.
  if (events.length === 0) await lease.release({ cursorSeq: subscription.headSeq + 1 }, null);
  const until = performance.now() + budgetMs;
  while (events.length > 0) {
    const leave = await lanes.enter(lane, targetHost, until - performance.now());
    if (leave === 'late' && deps.closing.aborted) {
      await lease.release({}, null);
      return { sent, ended: 'the process ends' };
    }
    if (leave === 'slow') {
      await lease.release({}, null);
      await deps.moveToSlow(id);
      return { sent, ended: 'its host is slow' };
    }
    if (leave === 'late' || performance.now() > until) {
      if (leave !== 'late') leave();
      await lease.release({ cycleOver: true }, null);
      return { sent, ended: 'its time is up' };
    }
    const now = clock.now();
    let message: Message;
    let attempt: Attempt | undefined;
    try {
      if (deps.closing.aborted) {
        await lease.release({}, null);
        return { sent, ended: 'the process ends' };
      }
      if (!(await lease.renew(requestMs))) return { sent, ended: 'the subscription was changed' };
      message = recipient.write(events, now);
      attempt = await post(deps, recipient, message);
    } finally {
      leave(attempt && paceOf(attempt));
    }
    const record = recordOf(id, message, attempt, now);
    if (attempt.error !== null) {
      const failure = failureOf(attempt, lease.progress.failures, clock.now());
      await lease.release({ ...failure, cycleOver: true }, record);
      return { sent, ended: `failed: ${attempt.error}` };
    }
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
      return { sent, ended: events.length === 0 ? 'all is sent' : slow ? 'slow' : 'a pause is asked for' };
    }
    if (!(await lease.note(step, record))) return { sent, ended: 'the subscription was changed' };
  }
  return { sent, ended: 'there was nothing' };
}

function readPage(pages: EventPages, { capperId, sport, cursorSeq, headSeq, sent }: Claimed) {
  return pages.read({
    capperId,
    sport,
    fromSeq: cursorSeq,
    toSeq: headSeq,
    limit: maxEvents - sent,
  });
}

/** Sends a message; one whose address the guard refuses fails without a request. */
function post(
  { client }: Pick<DeliverDeps, 'client'>,
  { target }: Recipient,
  message: Message,
): Promise<Attempt> {
  if (target !== undefined) return client.post(target, message.body, message.headers);
  const nothing = { status: null, durationMs: 0, retryAfterMs: null, rateLimitMs: null };
  return Promise.resolve({ ...nothing, error: 'refused', ours: false });
}

/** What is kept of an attempt. @param at epoch milliseconds */
function recordOf(
  subscriptionId: number,
  { deliveryId, event, pickUuid, events }: Message,
  { status, error, durationMs }: Attempt,
  at: number,
): AttemptRecord {
  return { subscriptionId, at, deliveryId, event, pickUuid, picks: events, status, error, durationMs };
}

/**
 * Sends an announced event once more, now, beside the order (docs/rules/webhooks.md#pause-resume-resend): the subscription stays as it is.
 * @param deliveryId of the event, as in attempts; of a chat message with several events, it names the first one
 * @param now epoch milliseconds
 * @returns the record of the attempt, stored; undefined where the id names no event of the subscription's filter
 * @throws Error when the subscription's secrets cannot be opened
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
  const { capper_id: capperId, sport } = row;
  const events = await readEvents(database, { capperId, sport, fromSeq: seq, toSeq: seq, limit: 1 });
  if (events.length === 0) return undefined;
  const recipient = deps.messages.to(row, now);
  const message = recipient.write(events, now);
  const record = recordOf(row.id, message, await post(deps, recipient, message), now);
  await recordAttempt(database, record);
  return record;
}
