import type { Database } from '../../platform/database.ts';
import type { Attempt } from '../client/attempt.ts';

export const maxFailures = 5;
export const maxRetryAfterMs = 3_600_000;

export interface Failure {
  failures: number;
  failed: boolean;
  disabled: boolean;
  /** Instant before which nothing is sent; null: the next cycle. */
  retryAt: EpochMs | null;
}

/** Counted unless clearly ours. @param ends statuses that disable the subscription at once. @param failures consecutive ones before */
export function failureOf(
  { ours, status, retryAfterMs }: Attempt,
  ends: readonly number[],
  failures: number,
  now: EpochMs,
): Failure {
  const after = ours ? failures : failures + 1;
  return {
    failures: after,
    failed: !ours,
    disabled: !ours && (after >= maxFailures || (status !== null && ends.includes(status))),
    retryAt: retryAfterMs === null ? null : now + Math.min(retryAfterMs, maxRetryAfterMs),
  };
}

export interface Cycle {
  cycle: number;
  startedAt: EpochMs;
}

/** Fewer failing hosts than this say nothing about our side. */
const minHosts = 5;

/**
 * Uncounts the failures of a cycle that were clearly ours: most hosts without earlier failures failed the same way, without an answer. Re-enables
 * subscriptions that it had disabled. Any answer shows that our side works, and hosts that failed before do not count.
 * @returns the number of uncounted failures
 */
export async function takeBackOwnFailures(database: Database, { cycle, startedAt }: Cycle): Promise<number> {
  const { rows: fresh }: { rows: { hosts: number }[] } = await database.raw(
    `select count(distinct target_host)::int as hosts from webhook_subscriptions
     where failed_cycle = ? and consecutive_failures = 1 and last_status is null
     group by last_error order by hosts desc limit 1`,
    [cycle],
  );
  const alike = fresh[0]?.hosts ?? 0;
  if (alike < minHosts) return 0;
  const { rows: answering }: { rows: { hosts: number }[] } = await database.raw(
    `select count(distinct s.target_host)::int as hosts
     from webhook_attempts a join webhook_subscriptions s on s.id = a.subscription_id
     where a.at >= ? and a.status is not null`,
    [new Date(startedAt)],
  );
  if (alike <= answering[0]!.hosts) return 0;
  return database('webhook_subscriptions')
    .where('failed_cycle', cycle)
    .where('consecutive_failures', '>', 0)
    .update({
      consecutive_failures: database.raw('consecutive_failures - 1'),
      failed_cycle: null,
      status: database.raw(`case when status = 'disabled' then 'active' else status end`),
      disabled_at: database.raw(`case when status = 'disabled' then null else disabled_at end`),
    });
}
