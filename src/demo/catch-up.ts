import { setTimeout as sleep } from 'node:timers/promises';
import { gradeDueJob, publish, seal } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import type { Database } from '../platform/database.ts';

/** Poll interval, and the interval for adding the missing job again, in milliseconds. */
const pollMs = 20;
const retryMs = 1_000;

interface CatchUpDeps {
  database: Database;
  enqueue: Pick<Enqueue, 'add'>;
  closing?: AbortSignal;
}

/** @returns true once everything due by the demo's clock is graded, sealed, and in a checkpoint; false on shutdown */
export async function catchUp({ database, enqueue, closing }: CatchUpDeps): Promise<boolean> {
  let added: { job: Job; at: number } | undefined;
  while (!closing?.aborted) {
    const job = await missingJob(database);
    if (job === undefined) return true;
    if (added?.job !== job || performance.now() - added.at > retryMs) {
      await enqueue.add(job, {});
      added = { job, at: performance.now() };
    }
    await sleep(pollMs);
  }
  return false;
}

async function missingJob(database: Database): Promise<Job | undefined> {
  const { rows }: { rows: { due: boolean; unsealed: boolean; unpublished: boolean }[] } = await database.raw(
    `select exists (select from due_games d join demo_progress p on d.due_at <= p.until) as due,
       exists (select from unsealed_events) as unsealed,
       coalesce((select max(seq) + 1 from ledger_entries), 0) > coalesce((select max(size) from checkpoints), 0) as unpublished`,
  );
  const [{ due, unsealed, unpublished } = { due: false, unsealed: false, unpublished: false }] = rows;
  if (due) return gradeDueJob;
  if (unsealed) return seal;
  return unpublished ? publish : undefined;
}
