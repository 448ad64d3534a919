import { followLogJob, gradeDueJob, planClosings, seal } from '../jobs/declared.ts';
import { type Outcome, ok } from '../jobs/job.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { AppliedReports } from './apply-reports.ts';
import { type AppliedStates, settleStatements } from './apply-states.ts';
import { trimStatements } from './source-scores.ts';
import { type FullAnswer, noteVanished } from './vanished.ts';

interface SettleDeps {
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
}

/** Ends games on which the sources agree by now, and deletes statements about games that ended long ago. */
export async function settle({ database, clock, enqueue }: SettleDeps): Promise<Outcome> {
  const now = clock.now();
  const taken = await settleStatements(database, now);
  await notifyWorkers(enqueue, taken);
  await trimStatements(database, now);
  return ok({ ...taken });
}

/** Enqueues the work that follows from an answer. Workers would otherwise find it a little later. A moved start moves the closing. */
export async function notifyWorkers(
  enqueue: Pick<Enqueue, 'add'>,
  taken: AppliedStates & Partial<Pick<AppliedReports, 'added' | 'moved' | 'prices'>>,
): Promise<void> {
  const { added = 0, moved = 0, prices = 0, postponed, finals, cancelled, corrections } = taken;
  if (moved + added > 0) await enqueue.add(planClosings, {});
  if (moved + postponed + finals + cancelled + prices > 0) await enqueue.add(gradeDueJob, {});
  if (moved + postponed + cancelled > 0) await enqueue.add(followLogJob, {});
  if (corrections > 0) await enqueue.add(seal, {});
}

/** Notes the games that a full answer omits, and enqueues the work that follows. @returns the number of postponed games */
export async function noteFull(
  { database, enqueue }: Pick<SettleDeps, 'database' | 'enqueue'>,
  source: string,
  answer: FullAnswer,
  now: number,
): Promise<number> {
  const postponed = await noteVanished(database, source, answer, now);
  // Each one adds a remark to the log.
  await notifyWorkers(enqueue, { postponed, finals: 0, cancelled: 0, corrections: postponed });
  return postponed;
}
