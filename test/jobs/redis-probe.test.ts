import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { expect } from 'chai';
import { job, ok, type QueueName } from '../../src/jobs/job.ts';
import { openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { createFallback } from '../../src/jobs/runtime/fallback.ts';
import { handles } from '../../src/jobs/runtime/handlers.ts';
import { startRedisProbe } from '../../src/jobs/runtime/redis-probe.ts';
import { type RunningWorker, startWorker } from '../../src/jobs/runtime/worker.ts';
import { openRedis, openWaitingRedis } from '../../src/platform/redis.ts';
import { Type } from '../../src/platform/type.ts';
import { createGate } from '../support/gate.ts';
import { type OwnRedis, ownRedis } from '../support/own-redis.ts';
import { latencyMs } from '../support/patience.ts';
import { quiet } from '../support/quiet.ts';
import { ready } from '../support/redis.ts';
import { until } from '../support/until.ts';

/** A tenth of the workers' own intervals. */
const times = { everyMs: 100, answerMs: 30, wellMs: 400, deadMs: 500 };

/** Half a minute after a worker's start BullMQ recovers jobs that another worker left. */
const soonMs = latencyMs(10_000);

/** Returns a job that is polled only while Redis may not deliver it. */
const polled = (name: string, queue: QueueName) =>
  job({
    name,
    queue,
    about: 'Stands in for a job that recurs.',
    payload: Type.Object({}),
    dedupKey: () => name,
    everyMs: 600_000,
    pollMs: 10,
  });

describe('the Redis probe of a worker', () => {
  let server: OwnRedis;

  before(async () => {
    server = await ownRedis();
  });
  after(async () => {
    server.thaw();
    await server.close();
  });

  it('stays unsteady while Redis is silent, and is steady after that', async () => {
    const redis = openWaitingRedis(server.url, quiet);
    await ready(redis);
    const probe = startRedisProbe(redis, 'test', ['boards'], times);
    try {
      await until(() => probe.steady());
      server.freeze();
      await until(() => !probe.steady());
      // Longer than an unanswered connection is kept, and than Redis must stay healthy.
      for (const end = performance.now() + 1500; performance.now() < end; await sleep(5))
        expect(probe.steady()).to.equal(false);
      server.thaw();
      await until(() => probe.steady());
    } finally {
      probe.stop();
      redis.disconnect();
    }
  });

  it('makes the worker poll after an outage even if a running job blocks the next one', async () => {
    const [redis, adding] = [openWaitingRedis(server.url, quiet), openRedis(server.url, quiet)];
    await Promise.all([ready(redis), ready(adding)]);
    const recurring = polled('recurring', 'ingest');
    const gate = createGate();
    const release = gate.hold();
    let isDue = false;
    let runs = 0;
    const handler = handles(
      recurring,
      async () => {
        runs += 1;
        isDue = false;
        if (runs === 1) await gate.passed();
        return ok();
      },
      { due: async () => isDue },
    );
    const enqueue = openQueues(adding, quiet);
    const fallback = createFallback(quiet);
    const probe = startRedisProbe(redis, 'test', ['ingest'], times);
    const worker = startWorker('ingest', [handler], { redis, enqueue, log: quiet, fallback, probe });
    try {
      await until(() => runs === 1 && probe.steady());
      server.freeze();
      await until(() => !probe.steady());
      server.thaw();
      // As after an outage longer than a job's lock: the job stays active, and nobody runs it.
      const active = await server.admin.lrange('bull:ingest:active', 0, -1);
      await server.admin.del(active.map((id) => `bull:ingest:${id}:lock`));
      release();
      await until(() => probe.steady());
      isDue = true;
      expect(await enqueue.add(recurring, {})).to.equal(true);
      // Two polls may find it due before the first run begins.
      await until(() => runs >= 2, soonMs);
      expect(await server.admin.lrange('bull:ingest:active', 0, -1)).to.deep.equal(active);
    } finally {
      release();
      probe.stop();
      await worker.close();
      await fallback.close();
      await enqueue.close();
      for (const connection of [redis, adding]) connection.disconnect();
    }
  });

  it('makes the worker poll at its start if a killed worker left a job behind', async () => {
    const [redis, adding] = [openWaitingRedis(server.url, quiet), openRedis(server.url, quiet)];
    await Promise.all([ready(redis), ready(adding)]);
    const recurring = polled('left', 'grading');
    const enqueue = openQueues(adding, quiet);
    const fallback = createFallback(quiet);
    const probe = startRedisProbe(redis, 'test', ['grading'], times);
    const killed = new Worker('grading', null, { connection: redis, autorun: false });
    let worker: RunningWorker | undefined;
    let runs = 0;
    try {
      await enqueue.add(recurring, {});
      expect((await killed.getNextJob('token'))?.name).to.equal('left');
      const handler = handles(
        recurring,
        async () => {
          runs += 1;
          return ok();
        },
        { due: async () => runs === 0 },
      );
      await until(() => probe.steady());
      worker = startWorker('grading', [handler], { redis, enqueue, log: quiet, fallback, probe });
      await until(() => runs >= 1, soonMs);
    } finally {
      probe.stop();
      await worker?.close();
      await killed.close();
      await fallback.close();
      await enqueue.close();
      for (const connection of [redis, adding]) connection.disconnect();
    }
  });
});
