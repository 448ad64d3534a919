import type { AttemptRecord } from './attempts.ts';
import type { Commits, Standing } from './commits.ts';
import { leaseMs, type Taken } from './fence.ts';

/** What a step may change of a subscription's standing. */
type Step = Partial<Pick<Standing, 'cursorSeq' | 'sent' | 'strikes' | 'struck' | 'disabled' | 'retryAt'>>;

/** One job's hold on a subscription, from taking it to setting it free. */
export interface Hold {
  /** As last stored. */
  readonly standing: Readonly<Omit<Standing, 'keep' | 'attempt'>>;
  /** Stores a step, with the request that led to it, and goes on holding. False when the subscription is to be left alone. */
  keep(step: Step, attempt: AttemptRecord | null): Promise<boolean>;
  /** Stores a step and sets the subscription free. */
  free(step: Step, attempt: AttemptRecord | null): Promise<void>;
  /** Sees to it that the lease lasts so many milliseconds more. False when the subscription is to be left alone. */
  lasts(ms: number): Promise<boolean>;
}

/** @param leasedAt when the subscription was asked for, by `performance.now()` */
export function createHold(commits: Commits, taken: Taken, leasedAt: number): Hold {
  const { id, generation, cursorSeq, cycle, sent, strikes, rotated_at: rotatedAt } = taken;
  let standing: Hold['standing'] = {
    ...{ id, generation, cursorSeq, cycle, sent, strikes },
    ...{ struck: false, disabled: false, retryAt: null },
  };
  let leaseEnds = leasedAt + leaseMs;

  const commit = (step: Step, attempt: AttemptRecord | null, keep: boolean) => {
    standing = { ...standing, ...step };
    leaseEnds = performance.now() + leaseMs;
    return commits.commit({ ...standing, keep, attempt });
  };

  const hold: Hold = {
    get standing() {
      return standing;
    },
    async keep(step, attempt) {
      const committed = await commit(step, attempt, true);
      if (committed === undefined) return false;
      if (committed.status === 'active' && committed.rotatedAt === rotatedAt) return true;
      // Revoked, or to be signed with another secret: whoever takes it next reads that anew.
      await hold.free({}, null);
      return false;
    },
    async free(step, attempt) {
      await commit(step, attempt, false);
    },
    async lasts(ms) {
      return leaseEnds - performance.now() >= ms || (await hold.keep({}, null));
    },
  };
  return hold;
}
