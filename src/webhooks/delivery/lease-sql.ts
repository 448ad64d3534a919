import type { Database } from '../../platform/database.ts';
import { type AttemptRecord, slotAt } from '../subscriptions/attempts.ts';
import { due } from './due.ts';

/**
 * How long a lease lasts, in milliseconds of the database's clock, from the claim and again from each commit: longer than the longest
 * request. The subscriptions of a killed worker are idle again after that.
 */
export const leaseMs = 15_000;

/** A subscription as it was when it was claimed. */
export interface Claimed {
  id: number;
  generation: number;
  /** The first `seq` that is not delivered yet. */
  cursorSeq: number;
  /** The last `seq` that matches its filter. */
  headSeq: number;
  capperId: number | null;
  sport: string | null;
  /** The cycle, and how many events it has sent. */
  cycle: number;
  sent: number;
  /** Consecutive failures. */
  failures: number;
  /** The name of the chat platform whose channel the target is. */
  platform: string | null;
  targetHost: string;
  target_url_sealed: Buffer;
  secret_sealed: Buffer;
  previous_secret_sealed: Buffer | null;
  /** Epoch milliseconds of the last rotation. */
  rotated_at: number | null;
  overlap_seconds: number;
  /** Whether its receiver has taken anything before. */
  proven: boolean;
}

/** Claims those that are due and idle. @returns a subscription or undefined for each id, in their order */
export async function claimAll(
  database: Database,
  ids: readonly number[],
  now: number,
): Promise<(Claimed | undefined)[]> {
  const { rows }: { rows: Claimed[] } = await database.raw(
    `update webhook_subscriptions s set generation = s.generation + 1,
       lease_until = clock_timestamp() + interval '${leaseMs} ms'
     from webhook_filters f, webhook_cycles c
     where s.id in (
         -- Two claims of the same rows do not wait for each other: each gets those that it locks first.
         select id from webhook_subscriptions where id = any(:ids) for no key update skip locked)
       and c.id = 1 and f.id = s.filter_id and ${due}
     returning s.id, s.generation, s.cursor_seq as "cursorSeq", f.head_seq as "headSeq", f.capper_id as "capperId", f.sport, c.cycle,
       case when s.cycle = c.cycle then s.cycle_sent else 0 end as sent, s.consecutive_failures as failures, s.platform,
       s.target_host as "targetHost", s.target_url_sealed, s.secret_sealed, s.previous_secret_sealed, s.rotated_at,
       s.overlap_seconds, s.proven_at is not null as proven`,
    { ids, now: new Date(now) },
  );
  const claimed = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = claimed.get(id);
    // An id that was asked for twice is claimed once.
    claimed.delete(id);
    return row;
  });
}

/** What has been delivered, in absolute figures: storing it twice changes nothing. */
export interface Progress {
  /** The first `seq` that is not delivered yet. */
  cursorSeq: number;
  /** Events that the cycle has sent. */
  sent: number;
  /** Whether the cycle sends nothing more: the receiver failed, or its time was up. */
  cycleOver: boolean;
  /** Consecutive failures. */
  failures: number;
  /** Whether this cycle gave the last of them. */
  failed: boolean;
  disabled: boolean;
  /** Epoch milliseconds before which nothing is sent; null: in the next cycle. */
  retryAt: number | null;
}

/** What a holder stores. */
export interface Commit {
  subscription: Pick<Claimed, 'id' | 'generation' | 'cycle' | 'rotated_at'>;
  progress: Progress;
  /** Whether the lease goes on. */
  keep: boolean;
  /** The request that led here, if one did. */
  attempt: AttemptRecord | null;
}

/**
 * `changed`: stored, but the subscription was revoked, disabled or given another secret meanwhile. `lost`: nothing is stored, since the
 * generation is another one.
 */
export type Committed = 'stored' | 'changed' | 'lost';

/** Stores any number of commits by one statement. @returns the outcome of each, in their order */
export async function commitAll(database: Database, commits: readonly Commit[]): Promise<Committed[]> {
  const { rows }: { rows: { id: number; stored: boolean }[] } = await database.raw(
    'select * from store_deliveries(?, ?)',
    [JSON.stringify(commits.map(given)), leaseMs],
  );
  if (rows.length === 0) return commits.map(() => 'stored');
  const otherwise = new Map(rows.map(({ id, stored }) => [id, stored ? 'changed' : 'lost'] as const));
  return commits.map(({ subscription }) => otherwise.get(subscription.id) ?? 'stored');
}

/** A commit as `store_deliveries` takes it. There are thousands a second: names are short, and null or false is left out. */
function given({ subscription, progress, keep, attempt }: Commit) {
  return {
    id: subscription.id,
    generation: subscription.generation,
    cycle: subscription.cycle,
    rotated: subscription.rotated_at ?? undefined,
    cursor: progress.cursorSeq,
    sent: progress.sent,
    over: progress.cycleOver || undefined,
    failures: progress.failures,
    failed: progress.failed || undefined,
    disabled: progress.disabled || undefined,
    retry: progress.retryAt ?? undefined,
    keep: keep || undefined,
    ...(attempt === null ? {} : made(attempt)),
  };
}

function made(attempt: AttemptRecord) {
  return {
    slot: slotAt(attempt.at),
    at: attempt.at,
    delivery: attempt.deliveryId,
    event: attempt.event,
    pick: attempt.pickUuid ?? undefined,
    picks: attempt.picks,
    status: attempt.status ?? undefined,
    error: attempt.error ?? undefined,
    took: Math.round(attempt.durationMs),
  };
}
