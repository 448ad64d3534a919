import type { Queue } from 'bullmq';
import { jobs } from '../../jobs/index.ts';
import { type QueueName, queueNames } from '../../jobs/job.ts';
import { databaseOf, type RedisClient } from '../../platform/redis.ts';
import {
  aged,
  type Check,
  type Declaration,
  type Finding,
  type NamedContext,
  rate,
  type Thresholds,
} from '../check.ts';
import { counted, span } from '../span.ts';

const busyQueues = queueNames.filter((queue) => jobs.some((job) => job.queue === queue));

interface QueueCheck extends Declaration {
  /** Title of all subjects, before the queue's name. */
  title: string;
  dependsOn(queue: QueueName): readonly string[];
  measureQueue(queue: Queue, context: NamedContext, thresholds: Thresholds): Promise<Finding>;
}

function queueCheck({ title, dependsOn, measureQueue, ...declaration }: QueueCheck): Check {
  const names = busyQueues.map((queue) => ({ queue, name: `${declaration.name}-${queue}` }));
  return {
    ...declaration,
    subjects: names.map(({ queue, name }) => ({
      name,
      title: `${title}: ${queue}`,
      dependsOn: dependsOn(queue),
    })),
    async measure(context, thresholds) {
      const findings = names.map(
        async ({ queue, name }): Promise<[string, Finding]> => [
          name,
          await measureQueue(context.queues.get(queue)!, { ...context, name }, thresholds),
        ],
      );
      return new Map(await Promise.all(findings));
    },
  };
}

/** Recognizes a worker by the connection on which it waits for jobs. */
export const workersCheck = queueCheck({
  name: 'workers',
  title: 'Workers',
  dependsOn: () => ['redis'],
  about: 'How long a queue has had no worker.',
  thresholds: { degraded: 15, down: 60 },
  unit: 'seconds',
  runbook: {
    means: 'No worker takes jobs from a queue.',
    readers: 'New picks, results, or webhooks may be missing.',
    lookAt: 'Whether the process runs, and the end of its log.',
    first: 'Start it again. If it exits at once, its log names the setting or store that is missing.',
  },
  async measureQueue(queue, { redis, before, now, name }, thresholds) {
    const db = String(databaseOf(redis));
    const clients: { db?: string }[] = await queue.getWorkers();
    // Several services may share a Redis, each with its own database.
    const alive = clients.filter((client) => client.db === undefined || client.db === db).length;
    if (alive > 0) {
      const message = `${counted(alive, 'worker')} running.`;
      return { status: 'ok', value: alive, message, remember: { mark: String(now), since: now } };
    }
    const remember = before(name) ?? { mark: 'never', since: now };
    const seconds = (now - remember.since) / 1000;
    const message = `No worker on the queue ${queue.name} for ${span(seconds)}. Is its process running?`;
    return aged({ seconds, value: 0, remember, message }, thresholds);
  },
});

/** Age of the failed jobs that count, in ms. They are kept for days, but only recent ones matter now. */
const failedWithinMs = 3 * 60_000;
const maxActive = 100;
/** The newest failed jobs, whose names are shown. */
const maxNamed = 20;

export const jobsCheck = queueCheck({
  name: 'jobs',
  title: 'Jobs',
  // A refusal to sign fails the publishing job.
  dependsOn: (queue) => [
    'redis',
    'database',
    `workers-${queue}`,
    ...(queue === 'sealing' ? ['checkpoint'] : []),
  ],
  about: 'Number of jobs of a queue that failed within the last 3 minutes or stalled.',
  thresholds: { degraded: 1, down: 20 },
  unit: 'jobs',
  runbook: {
    means: 'Jobs of a queue fail or stall.',
    readers: 'New picks, results, or webhooks may be delayed.',
    lookAt: "Bull Board (`/queues` on the operator's port): the reason that failed jobs give.",
    first:
      'Fix what the reason names. Workers find unfinished work in PostgreSQL and retry it automatically. For `purge-caches`, check `CDN_PURGE_URL`, `CDN_PURGE_HEADER`, and which addresses the cache allows. For `write-log-files`, free disk space, fix the permissions, or empty a folder or prefix that holds another log.',
  },
  async measureQueue(queue, { redis, machineNow }, thresholds) {
    const found = await readJobs(redis, queue, machineNow);
    const value = found.failed + found.stalled;
    return { status: rate(value, thresholds), value, message: jobsSentence(found) };
  },
});

async function readJobs(redis: RedisClient, queue: Queue, machineNow: number) {
  const [failed, active] = await Promise.all([
    redis.zcount(queue.toKey('failed'), machineNow - failedWithinMs, '+inf'),
    redis.lrange(queue.toKey('active'), 0, maxActive - 1),
  ]);
  // A running worker renews its job's lock.
  const locked = active.length === 0 ? 0 : await redis.exists(active.map((id) => queue.toKey(`${id}:lock`)));
  const newest =
    failed === 0 ? [] : await redis.zrevrange(queue.toKey('failed'), 0, Math.min(failed, maxNamed) - 1);
  const names = await Promise.all(newest.map((id) => redis.hget(queue.toKey(id), 'name')));
  return { failed, stalled: active.length - locked, names: new Set(names.filter((name) => name !== null)) };
}

function jobsSentence({ failed, stalled, names }: Awaited<ReturnType<typeof readJobs>>): string {
  const parts = [
    failed > 0 && `${counted(failed, 'job')} failed in the last 3 minutes (${[...names].join(', ')})`,
    stalled > 0 && `${counted(stalled, 'job')} stalled`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'No jobs failed in the last 3 minutes.' : `${parts.join(', ')}.`;
}

export const jobsWaitingCheck = queueCheck({
  name: 'jobs-waiting',
  title: 'Waiting jobs',
  dependsOn: (queue) => ['redis', 'database', `workers-${queue}`],
  about: 'How long the next job of a queue has waited for a worker.',
  thresholds: { degraded: 120, down: 600 },
  unit: 'seconds',
  runbook: {
    means: 'Jobs wait in a queue longer than usual.',
    readers: 'New picks, results, or webhooks may be delayed.',
    lookAt: "Bull Board (`/queues` on the operator's port), and the CPU that the workers use.",
    first: 'Start more workers for the queue, or let a large import finish.',
  },
  async measureQueue(queue, { redis, machineNow }, thresholds) {
    // BullMQ takes jobs from the end of the list.
    const next = await redis.lindex(queue.toKey('wait'), -1);
    const added = next === null ? null : await redis.hget(queue.toKey(next), 'timestamp');
    if (added === null) return aged({ seconds: 0, message: 'No jobs are waiting.' }, thresholds);
    const seconds = Math.max(0, (machineNow - Number(added)) / 1000);
    return aged({ seconds, message: `The next job has waited for ${span(seconds)}.` }, thresholds);
  },
});
