import type { Attempt } from '../client/client.ts';
import type { Pace } from './lanes.ts';

/** The consecutive failure that disables a subscription (interface, section 6.4). */
const lastStrike = 5;
/** The longest that a receiver may push its next attempt away (decisions, section 5), in milliseconds. */
const longestRetryAfter = 3_600_000;
/** A receiver that takes longer than this, in milliseconds, is slow. */
const quickMs = 2_000;

/** What a failed attempt leads to. */
export interface Failure {
  /** Consecutive failures from now on. */
  strikes: number;
  struck: boolean;
  disabled: boolean;
  /** Not before this instant, epoch milliseconds; null: in the next cycle. */
  retryAt: number | null;
}

/**
 * One strike for a failure that is not plainly our own (decisions, section 5).
 * @param strikes consecutive failures before this one
 * @param now epoch milliseconds
 */
export function failureOf({ ours, retryAfterMs }: Attempt, strikes: number, now: number): Failure {
  const after = ours ? strikes : strikes + 1;
  return {
    strikes: after,
    struck: !ours,
    disabled: !ours && after >= lastStrike,
    retryAt: retryAfterMs === null ? null : now + Math.min(retryAfterMs, longestRetryAfter),
  };
}

/**
 * How an attempt went, for the lanes. An answer shows that the host is well, whatever its status: others may share it. What was our own
 * fault says nothing of it.
 */
export function paceOf({ status, durationMs, ours }: Attempt): Pace | undefined {
  if (ours) return undefined;
  if (status === null) return 'failed';
  return durationMs > quickMs ? 'slow' : 'quick';
}
