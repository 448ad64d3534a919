import type { AttemptRecord } from '../subscriptions/attempts.ts';
import type { Commits, Standing } from './commits.ts';
import { leaseMs, type Taken } from './fence.ts';

/** What a step may change of a subscription's standing. */
type Step = Partial<Pick<Standing, 'cursorSeq' | 'sent' | 'strikes' | 'struck' | 'disabled' | 'retryAt'>>;

/** One job's hold on a subscription, from taking it to setting it free. */
export interface Hold {
  /** As last stored. */
  readonly standing: Readonly<Standing>;
  /** Stores a step, with the request that led to it, and goes on holding. False when the subscription is to be left alone. */
  keep(step: Step, attempt: AttemptRecord | null): Promise<boolean>;
  /** Stores a step and sets the subscription free. */
  free(step: Step, attempt: AttemptRecord | null): Promise<void>;
  /** Whether the lease lasts so many milliseconds more; else it takes a `keep`. */
  lasts(ms: number): boolean;
}

/** @param leasedAt when the subscription was asked for, by `performance.now()` */
export function createHold(commits: Commits, taken: Taken, leasedAt: number): Hold {
  const { id, generation, cursorSeq, cycle, sent, strikes, rotated_at: rotatedAt } = taken;
  let standing: Standing = {
    ...{ id, generation, cursorSeq, cycle, sent, strikes },
    ...{ struck: false, disabled: false, retryAt: null, rotatedAt },
  };
  let leaseEnds = leasedAt + leaseMs;

  const commit = (step: Step, attempt: AttemptRecord | null, keep: boolean) => {
    standing = { ...standing, ...step };
    leaseEnds = performance.now() + leaseMs;
    return commits.commit({ standing, keep, attempt });
  };

  const hold: Hold = {
    get standing() {
      return standing;
    },
    async keep(step, attempt) {
      const committed = await commit(step, attempt, true);
      // To be left alone, or signed with another secret: whoever takes it next reads that anew.
      if (committed === 'changed') await hold.free({}, null);
      return committed === 'stored';
    },
    async free(step, attempt) {
      await commit(step, attempt, false);
    },
    lasts: (ms) => leaseEnds - performance.now() >= ms,
  };
  return hold;
}
