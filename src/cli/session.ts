import type { Job } from '../jobs/job.ts';
import { type Enqueue, openQueues } from '../jobs/runtime/enqueue.ts';
import { intakeTime, suitableLogKind } from '../ledger/log-kind.ts';
import { createClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { type Database, openDatabase, type Transaction } from '../platform/database.ts';
import { createLogger } from '../platform/logger.ts';
import { openRedis } from '../platform/redis.ts';
import { type Checked, faultsText } from '../platform/schema.ts';
import { VerbRefused } from './verb.ts';

/** Runs a verb's work on a database. @param verb its name, as PostgreSQL lists the connections */
export async function onDatabase<T>(
  url: string,
  verb: string,
  work: (database: Database) => Promise<T>,
  connections = 2,
): Promise<T> {
  const database = openDatabase(url, { name: `public-picks ${verb}`, connections });
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

export interface Session {
  transaction: Transaction;
  /** See {@link intakeTime}. */
  now: EpochMs;
  /** Enqueues jobs after the commit. Only a shortcut: scheduled runs of these jobs find the same work a little later. */
  afterCommit(...jobs: Job[]): void;
}

/** @throws SettingsError if the settings do not suit the log */
export async function inSession<T>(
  config: Pick<Config<'operator'>, 'database' | 'process' | 'redis' | 'site'>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const log = createLogger('cli', 'silent');
  const redis = openRedis(config.redis, log);
  const enqueue: Enqueue = openQueues(redis, log);
  const jobs: Job[] = [];
  try {
    return await onDatabase(config.database.url, 'cli', async (database) => {
      await suitableLogKind(database, config);
      const now = await intakeTime(database, createClock(config.process.clock));
      const result = await database.transaction((transaction) =>
        work({ transaction, now, afterCommit: (...more) => void jobs.push(...more) }),
      );
      if (jobs.length > 0) await redis.ping().catch(() => undefined);
      for (const job of jobs) await enqueue.add(job, {});
      return result;
    });
  } finally {
    await enqueue.close();
    redis.disconnect();
  }
}

/** @throws VerbRefused that names each fault of an invalid value */
export function validated<T>(checked: Checked<T>): T {
  if (!checked.ok) throw new VerbRefused(`The arguments are not valid: ${faultsText(checked.faults)}.`);
  return checked.value;
}
