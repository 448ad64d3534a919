import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { type Database, isUnreachable } from '../../platform/database.ts';
import type { AttemptRecord } from '../subscriptions/attempts.ts';
import { batch } from './batch.ts';
import { type Claimed, claimAll, leaseMs } from './claim.ts';
import { type Commit, type Committed, commitAll, type Note, noteAll, type Progress } from './commit.ts';

/*
 * A lease: while it lasts, one job alone delivers to a subscription and moves its cursor. The states of a subscription:
 *
 *   idle    Nobody delivers: `lease_until` is null or past.
 *   leased  One job delivers, until `lease_until`. `generation` tells it from every other holder.
 *   over    Idle, and nothing more is sent in `cycle`: `cycle_over` is set, or the cap is reached.
 *   lost    What a former holder finds: the generation is another one, and it can commit nothing any more.
 *
 *   idle    claim     leased   raises the generation
 *   leased  note      leased   stores a delivery alone: its attempt says how far it brought the subscription
 *   leased  renew     leased   stores progress with the subscription and extends the lease
 *   leased  release   idle     stores progress with it; over where the cycle is over
 *   leased  time-out  idle     after a kill; the next claim counts what was noted, and makes the lease lost
 *   leased  revoke, enable: lost, since they raise the generation too
 *   over    new cycle: idle
 */

/** One job's lease on a subscription. */
export interface Lease {
  readonly subscription: Claimed;
  /** As last stored. */
  readonly progress: Readonly<Progress>;
  /**
   * Stores a delivery that the receiver took, and the step that it was. While the database is away it waits and tries again, as the others
   * do: what the receiver has answered is not sent again.
   * @returns false when the subscription was changed or lost: the lease is over
   */
  note(step: Partial<Progress>, attempt: AttemptRecord): Promise<boolean>;
  /**
   * Stores the progress and extends the lease.
   * @returns as `note` does
   */
  renew(): Promise<boolean>;
  /** Stores a step and ends the lease. */
  release(step: Partial<Progress>, attempt: AttemptRecord | null): Promise<void>;
  /** Whether the lease lasts this many milliseconds more; `renew` extends it. */
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
const maxStored = 500;

/**
 * How long notes and commits wait for others, in milliseconds, until half of the leases have one: meanwhile the other half has the hosts'
 * slots, and sends while these are stored. They cost more than requests where each has a statement of its own.
 */
const lingerMs = 10;

/** Milliseconds between attempts to store while the database is away. */
const retryMs = 500;

export function createLeases(database: Database, clock: Clock): Leases {
  const claim = batch(maxClaims, (ids: readonly number[]) => claimAll(database, ids, clock.now()));
  let open = 0;
  const options = { lingerMs, expected: () => Math.ceil(open / 2) };
  const store = {
    note: batch(maxStored, (notes: readonly Note[]) => patiently(() => noteAll(database, notes)), options),
    commit: batch(
      maxStored,
      (commits: readonly Commit[]) => patiently(() => commitAll(database, commits)),
      options,
    ),
  };
  return {
    async claim(id) {
      // Counted from before the statement: never longer than the database's own count.
      const claimedAt = performance.now();
      const subscription = await claim(id);
      if (subscription === undefined) return undefined;
      open += 1;
      let over = false;
      return leaseOf(subscription, store, claimedAt, () => {
        if (!over) open -= 1;
        over = true;
      });
    },
  };
}

interface Store {
  note(note: Note): Promise<Committed>;
  commit(commit: Commit): Promise<Committed>;
}

function leaseOf(subscription: Claimed, store: Store, claimedAt: number, end: () => void): Lease {
  const { cursorSeq, sent, failures } = subscription;
  let progress: Progress = {
    ...{ cursorSeq, sent, failures },
    ...{ cycleOver: false, failed: false, disabled: false, retryAt: null },
  };
  let endsAt = claimedAt + leaseMs;

  const goesOn = async (committed: Committed) => {
    // Revoked, disabled, or signed with another secret: the next claim reads that.
    if (committed === 'changed') await lease.release({}, null);
    if (committed === 'lost') end();
    return committed === 'stored';
  };

  const lease: Lease = {
    subscription,
    get progress() {
      return progress;
    },
    async note(step, attempt) {
      progress = { ...progress, ...step };
      return goesOn(await store.note({ subscription, cursorSeq: progress.cursorSeq, attempt }));
    },
    async renew() {
      endsAt = performance.now() + leaseMs;
      return goesOn(await store.commit({ subscription, progress, keep: true, attempt: null }));
    },
    async release(step, attempt) {
      progress = { ...progress, ...step };
      await store.commit({ subscription, progress, keep: false, attempt }).finally(end);
    },
    lasts: (ms) => endsAt - performance.now() >= ms,
  };
  return lease;
}

/** Stores again and again while the database is away. */
async function patiently(work: () => Promise<Committed[]>): Promise<Committed[]> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      await sleep(retryMs);
    }
  }
}
