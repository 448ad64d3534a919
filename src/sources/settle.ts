import { type Outcome, ok } from '../jobs/outcome.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { settleSayings } from './apply-states.ts';
import { notifyWorkers } from './notify-workers.ts';
import { trimSayings } from './source-scores.ts';

interface SettleDeps {
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
}

/** Ends the games about which the sources agree by now, and deletes what was said of games long over. */
export async function settle({ database, clock, enqueue }: SettleDeps): Promise<Outcome> {
  const now = clock.now();
  const taken = await settleSayings(database, now);
  await notifyWorkers(enqueue, taken);
  await trimSayings(database, now);
  return ok({ ...taken });
}
