import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { type Database, isUnreachable } from '../../platform/database.ts';
import { type AttemptRecord, shortAttempt } from '../subscriptions/attempts.ts';
import { batch } from './batch.ts';
import { due } from './due.ts';

/*
 * A lease: while it lasts, one job alone delivers to a subscription and moves its cursor. The states of a subscription:
 *
 *   idle    Nobody delivers: `lease_until` is null or past.
 *   leased  One job delivers, until `lease_until`. `generation` tells it from every other holder.
 *   over    Idle, and nothing more is sent in `cycle`: `cycle_over` is set, or the cap is reached.
 *   lost    What a former holder finds: the generation is another one, and it can commit nothing any more.
 *
 *   idle    claim     leased   raises the generation
 *   leased  commit    leased   stores progress and extends the lease
 *   leased  release   idle     stores progress; over where the cycle is over
 *   leased  time-out  idle     after a kill; the next claim makes the lease lost
 *   leased  revoke, enable: lost, since they raise the generation too
 *   over    new cycle: idle
 */

/**
 * How long a lease lasts, in milliseconds of the database's clock, from the claim and again from each commit: longer than the longest
 * request. The subscriptions of a killed worker are idle again after that.
 */
const leaseMs = 15_000;

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

/** What has been delivered, in absolute figures: storing it twice changes nothing. */
interface Progress {
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

/** One job's lease on a subscription. */
export interface Lease {
  readonly subscription: Claimed;
  /** As last stored. */
  readonly progress: Readonly<Progress>;
  /**
   * Stores a step, with the request that led to it, and extends the lease. While the database is away it waits and tries again: what
   * the receiver has answered is not sent again.
   * @returns false when the subscription was changed or lost: the lease is over
   */
  commit(step: Partial<Progress>, attempt: AttemptRecord | null): Promise<boolean>;
  /** Stores a step and ends the lease. */
  release(step: Partial<Progress>, attempt: AttemptRecord | null): Promise<void>;
  /** Whether the lease lasts this many milliseconds more; a `commit` extends it. */
  lasts(ms: number): boolean;
}

/** Leases of jobs that run at the same time: their claims and commits share statements. */
export interface Leases {
  /**
   * Claims a subscription that has something to send and that nobody holds. A former holder can commit nothing from here on.
   * @returns undefined where nothing is due, or another job holds it
   */
  claim(id: number): Promise<Lease | undefined>;
}

/** Subscriptions in one statement. */
const maxClaims = 100;
const maxCommits = 500;

/**
 * How long commits wait for others, in milliseconds, until half of the leases have one: meanwhile the other half has the hosts' slots, and
 * sends while these are stored. Commits cost more than requests where each has a statement of its own.
 */
const lingerMs = 10;

/** Milliseconds between attempts to commit while the database is away. */
const retryMs = 500;

export function createLeases(database: Database, clock: Clock): Leases {
  const claim = batch(maxClaims, (ids: readonly number[]) => claimAll(database, ids, clock.now()));
  let open = 0;
  const commit = batch(maxCommits, (commits: readonly Commit[]) => store(database, commits), {
    lingerMs,
    expected: () => Math.ceil(open / 2),
  });
  return {
    async claim(id) {
      // Counted from before the statement: never longer than the database's own count.
      const claimedAt = performance.now();
      const subscription = await claim(id);
      if (subscription === undefined) return undefined;
      open += 1;
      let over = false;
      return leaseOf(subscription, commit, claimedAt, () => {
        if (!over) open -= 1;
        over = true;
      });
    },
  };
}

/** Claims those that are due and idle. @returns a subscription or undefined for each id, in their order */
async function claimAll(
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

/** What a holder stores. */
interface Commit {
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
type Committed = 'stored' | 'changed' | 'lost';

function leaseOf(
  subscription: Claimed,
  store: (commit: Commit) => Promise<Committed>,
  claimedAt: number,
  end: () => void,
): Lease {
  const { cursorSeq, sent, failures } = subscription;
  let progress: Progress = {
    ...{ cursorSeq, sent, failures },
    ...{ cycleOver: false, failed: false, disabled: false, retryAt: null },
  };
  let endsAt = claimedAt + leaseMs;

  const write = (step: Partial<Progress>, attempt: AttemptRecord | null, keep: boolean) => {
    progress = { ...progress, ...step };
    endsAt = performance.now() + leaseMs;
    return store({ subscription, progress, keep, attempt });
  };

  const lease: Lease = {
    subscription,
    get progress() {
      return progress;
    },
    async commit(step, attempt) {
      const committed = await write(step, attempt, true);
      // Revoked, disabled, or signed with another secret: the next claim reads that.
      if (committed === 'changed') await lease.release({}, null);
      if (committed === 'lost') end();
      return committed === 'stored';
    },
    async release(step, attempt) {
      await write(step, attempt, false).finally(end);
    },
    lasts: (ms) => endsAt - performance.now() >= ms,
  };
  return lease;
}

async function store(database: Database, commits: readonly Commit[]): Promise<Committed[]> {
  for (;;) {
    try {
      return await commitAll(database, commits);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      await sleep(retryMs);
    }
  }
}

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
    ...(attempt === null ? {} : shortAttempt(attempt)),
  };
}
