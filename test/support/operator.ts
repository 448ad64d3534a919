import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Enqueue, openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { createOperator } from '../../src/operator/app.ts';
import { type Availability, runUnprobed } from '../../src/platform/availability.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { testConfig } from './config.ts';
import type { TestDatabase } from './database.ts';
import { quiet } from './quiet.ts';
import type { TestRedis } from './redis.ts';

export interface RunningOperator {
  /** For example `http://127.0.0.1:40123`. */
  address: string;
  /** The queues that it adds jobs to. */
  enqueue: Enqueue;
  close(): Promise<void>;
}

/** Starts the operator's port over a test's database and Redis. @param settings in addition to those of `testConfig` */
export async function startOperator(
  stores: { database: TestDatabase; redis: TestRedis },
  clock: Clock,
  settings?: Record<string, string>,
  availability: Pick<Availability, 'once'> = { once: runUnprobed },
): Promise<RunningOperator> {
  const redis = stores.redis.redis;
  const enqueue = openQueues(redis, quiet);
  const { database } = stores.database;
  const deps = { config: testConfig(settings), database, availability, redis, clock, enqueue, log: quiet };
  const server = createServer(createOperator(deps).callback()).listen(0, '127.0.0.1');
  // A test that blocks this process for longer than the default would reuse a connection that the server is closing.
  server.keepAliveTimeout = 0;
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    enqueue,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await enqueue.close();
    },
  };
}
