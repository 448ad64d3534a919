import type { Outcome } from '../../jobs/job.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Attempt, DeliveryClient } from '../client/client.ts';
import type { EventPages } from '../messages/event-pages.ts';
import type { Correspondence, Message, Messages } from '../messages/messages.ts';
import type { AttemptRecord } from '../subscriptions/attempts.ts';
import type { Commits } from './commits.ts';
import { cap, type Fence, type Taken } from './fence.ts';
import { createHold, type Hold } from './hold.ts';
import type { Lane, Lanes } from './lanes.ts';
import { failureOf, paceOf } from './strikes.ts';

export interface DeliverDeps {
  clock: Clock;
  client: Pick<DeliveryClient, 'post'>;
  events: EventPages;
  fence: Fence;
  commits: Commits;
  lanes: Lanes;
  messages: Messages;
  /** Adds the slow lane's job for a subscription. */
  moveToSlow(subscriptionId: number): Promise<unknown>;
  /** Whether the process is to end: what is under way is finished, nothing more is begun. */
  closing(): boolean;
}

/** How long a subscription may be busy in one cycle, in milliseconds. */
const budgetMs = 30_000;

/** With less than this left of a lease no request is begun, in milliseconds: the longest one, and some. */
const requestMs = 11_000;

/**
 * Sends a subscription what it has not had yet, in order: at most 50 events in a cycle, and nothing after the first failure. The cursor
 * is stored after each answer and before the next request. Where another job holds the subscription, or nothing is due, it does nothing.
 * @returns how many events were sent, and why it ended
 * @throws Error when what is sealed in the subscription cannot be opened
 */
export async function deliver(deps: DeliverDeps, subscriptionId: number, lane: Lane): Promise<Outcome> {
  const leasedAt = performance.now();
  const taken = await deps.fence.take(subscriptionId);
  if (taken === undefined) return { sent: 0, ended: 'nothing is due, or another job has it' };
  const hold = createHold(deps.commits, taken, leasedAt);
  try {
    return await send(deps, taken, hold, lane);
  } catch (error) {
    // The receiver is not to blame, and the rest of the cycle need not find it out again and again.
    await hold.free({ sent: cap }, null).catch(() => {});
    throw error;
  }
}

async function send(deps: DeliverDeps, taken: Taken, hold: Hold, lane: Lane): Promise<Outcome> {
  const { clock, lanes } = deps;
  const { id, targetHost } = taken;
  let sent = 0;
  const letters = deps.messages.to(taken, clock.now());
  let events = await readPage(deps.events, taken);
  // The events can be made anew from the log; a head that none of them accounts for must not be found for ever.
  if (events.length === 0) await hold.free({ cursorSeq: taken.headSeq + 1 }, null);
  const until = performance.now() + budgetMs;
  while (events.length > 0) {
    const leave = await lanes.enter(lane, targetHost, until - performance.now());
    if (leave === 'slow') {
      await hold.free({}, null);
      await deps.moveToSlow(id);
      return { sent, ended: 'its host is slow' };
    }
    if (leave === 'late' || performance.now() > until) {
      if (leave !== 'late') leave();
      await hold.free({ sent: cap }, null);
      return { sent, ended: 'its time is up' };
    }
    const now = clock.now();
    let message: Message;
    let attempt: Attempt | undefined;
    try {
      if (deps.closing()) {
        await hold.free({}, null);
        return { sent, ended: 'the process ends' };
      }
      if (!hold.lasts(requestMs) && !(await hold.keep({}, null)))
        return { sent, ended: 'the subscription was changed' };
      message = letters.write(events, now);
      attempt = await post(deps, letters, message);
    } finally {
      leave(attempt && paceOf(attempt));
    }
    const record = recordOf(id, message, attempt, now);
    if (attempt.error !== null) {
      await hold.free({ ...failureOf(attempt, hold.standing.strikes, clock.now()), sent: cap }, record);
      return { sent, ended: `failed: ${attempt.error}` };
    }
    events = events.slice(message.events);
    sent += message.events;
    const pause = attempt.rateLimitMs;
    const step = {
      cursorSeq: message.lastSeq + 1,
      sent: taken.sent + sent,
      strikes: 0,
      retryAt: pause === null ? null : clock.now() + pause,
    };
    const slow = lane === 'healthy' && paceOf(attempt) === 'slow';
    if (events.length === 0 || pause !== null || slow) {
      await hold.free(step, record);
      if (slow && events.length > 0) await deps.moveToSlow(id);
      return { sent, ended: events.length === 0 ? 'all is sent' : slow ? 'slow' : 'a pause is asked for' };
    }
    if (!(await hold.keep(step, record))) return { sent, ended: 'the subscription was changed' };
  }
  return { sent, ended: 'there was nothing' };
}

function readPage(pages: EventPages, { capperId, sport, cursorSeq, headSeq, sent }: Taken) {
  return pages.read({
    capperId,
    sport,
    fromSeq: cursorSeq,
    toSeq: headSeq,
    limit: cap - sent,
  });
}

function post({ client }: DeliverDeps, { target }: Correspondence, message: Message): Promise<Attempt> {
  if (target !== undefined) return client.post(target, message.body, message.headers);
  const nothing = { status: null, durationMs: 0, retryAfterMs: null, rateLimitMs: null };
  return Promise.resolve({ ...nothing, error: 'refused', ours: false });
}

function recordOf(
  subscriptionId: number,
  { deliveryId, event, pickUuid, events }: Message,
  { status, error, durationMs }: Attempt,
  at: number,
): AttemptRecord {
  return { subscriptionId, at, deliveryId, event, pickUuid, picks: events, status, error, durationMs };
}
