import { followLogJob } from '../jobs/boards.ts';
import { gradeDueJob, planClosings } from '../jobs/grading.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { seal } from '../jobs/sealing.ts';
import type { AppliedReports } from './apply-reports.ts';

/** Enqueues the work that follows from an answer; workers would find it by themselves a little later. A moved start moves the closing. */
export async function notifyWorkers(enqueue: Pick<Enqueue, 'add'>, taken: AppliedReports): Promise<void> {
  const { added, moved, finals, cancelled, prices, corrections } = taken;
  if (moved + added > 0) await enqueue.add(planClosings, {});
  if (moved + finals + cancelled + prices > 0) await enqueue.add(gradeDueJob, {});
  if (moved + cancelled > 0) await enqueue.add(followLogJob, {});
  if (corrections > 0) await enqueue.add(seal, {});
}
