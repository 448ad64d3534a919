import { cancelled, type Outcome, ok } from '../../jobs/job.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { recordAttempt } from '../subscriptions/attempts.ts';
import { prove } from '../subscriptions/limits.ts';
import { findSubscription } from '../subscriptions/subscriptions.ts';
import { cycleMs } from './cycle.ts';
import { failureOf } from './failure-policy.ts';
import { type Lanes, paceOf } from './lanes.ts';
import { type NoticeDeps, sendNotice } from './notice.ts';

export interface VerifyDeps extends NoticeDeps {
  database: Database;
  clock: Clock;
  lanes: Lanes;
  /** Aborted when the process shuts down: no further request begins. */
  closing: AbortSignal;
}

/** How long an attempt may wait for a slot of its host, in milliseconds. What waits longer is due again after a cycle. */
const waitMs = 30_000;

/** Subscriptions found in one run. */
const maxFound = 1000;

/** Subscriptions that `webhook.verify` is due for, the longest due first. */
export async function dueVerifications(database: Database, now: number): Promise<number[]> {
  return database('webhook_subscriptions')
    .where('verify_at', '<=', new Date(now))
    .where('status', 'active')
    .orderBy('verify_at')
    .limit(maxFound)
    .pluck('id');
}

/**
 * Sends `webhook.verify` to a new subscription's receiver; an answer of 2xx proves the subscription. Retries follow the failure policy of
 * deliveries: one a cycle, later where Retry-After asks for it, five in all; a fault on our side does not count. They are not the
 * subscription's failures. Does nothing when none is due.
 * @throws Error when the subscription's secrets cannot be opened
 */
export async function verify(deps: VerifyDeps, id: number): Promise<Outcome> {
  const { database, clock, lanes } = deps;
  const row = await findSubscription(database, id);
  if (row?.status !== 'active' || row.proven_at !== null) return cancelled('nothing to prove');
  const leave = await lanes.enter(row.platform === null ? 'slow' : 'chat', row.target_host, waitMs);
  if (leave === 'late' || leave === 'slow') return cancelled('its host is busy');
  let pace: ReturnType<typeof paceOf>;
  try {
    const now = clock.now();
    if (deps.closing.aborted || !(await claim(database, id, now))) return cancelled('none is due');
    const { attempt, record } = await sendNotice(deps, 'webhook.verify', row, now);
    pace = paceOf(attempt);
    await recordAttempt(database, record);
    const unproven = database('webhook_subscriptions').where({ id }).whereNull('proven_at');
    if (attempt.error === null) {
      // Also where a limit leaves no room: asking again would change nothing.
      await unproven.update({ verify_at: null });
      await prove(database, id, now);
    } else {
      const { failures, disabled, retryAt } = failureOf(attempt, row.verify_attempts, now);
      const dueAt = disabled ? null : new Date(retryAt ?? now + cycleMs);
      await unproven.update({ verify_attempts: failures, verify_at: dueAt });
    }
    return ok({ status: attempt.status, error: attempt.error });
  } finally {
    leave(pace);
  }
}

/** Moves the time when it is due, before the request: a killed worker's attempt is repeated a cycle later, not at once. */
async function claim(database: Database, id: number, now: number): Promise<boolean> {
  const claimed = await database('webhook_subscriptions')
    .where({ id, status: 'active' })
    .where('verify_at', '<=', new Date(now))
    .update({ verify_at: new Date(now + cycleMs) });
  return claimed === 1;
}
