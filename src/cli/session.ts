import type { Job } from '../jobs/job.ts';
import { type Enqueue, openQueues } from '../jobs/runtime/enqueue.ts';
import { createClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { openDatabase, type Transaction } from '../platform/database.ts';
import { createLogger } from '../platform/logger.ts';
import { openRedis } from '../platform/redis.ts';
import { type Checked, faultsText } from '../platform/schema.ts';
import { VerbRefused } from './verb.ts';

/** What a verb works with. */
export interface Session {
  /** All that a verb does, it does or does not: one transaction. */
  transaction: Transaction;
  /** The service's clock, epoch milliseconds. */
  now: number;
  /** Adds these jobs once the transaction has committed: their workers would find the work too, a little later. */
  afterwards(...jobs: Job[]): void;
}

/** Runs a verb of the operator's: opens what it needs, does its work in one transaction, tells the workers, closes. */
export async function inSession<T>(
  config: Pick<Config, 'database' | 'process' | 'redis'>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const log = createLogger('cli', 'silent');
  const database = openDatabase(config.database.url, { name: 'public-picks cli', connections: 2 });
  const redis = openRedis(config.redis.url, log);
  const enqueue: Enqueue = openQueues(redis, log);
  const jobs: Job[] = [];
  try {
    const now = createClock(config.process.clock).now();
    const result = await database.transaction((transaction) =>
      work({ transaction, now, afterwards: (...more) => void jobs.push(...more) }),
    );
    if (jobs.length > 0) await redis.ping().catch(() => undefined);
    for (const job of jobs) await enqueue.add(job, {});
    return result;
  } finally {
    await enqueue.close();
    redis.disconnect();
    await database.destroy();
  }
}

/** What was given on the command line, checked. @throws VerbRefused that names each fault */
export function given<T>(checked: Checked<T>): T {
  if (!checked.ok) throw new VerbRefused(faultsText(checked.faults));
  return checked.value;
}
