import type { Queue } from 'bullmq';
import type { RedisClient } from '../../platform/redis.ts';
import { busyQueues, type Check, type Finding, rate } from '../check.ts';
import { counted } from '../span.ts';

/** Age of the failed jobs that count, in ms. They are kept for days, but only recent ones matter now. */
const failedWithinMs = 3 * 60_000;
/** Maximum number of active jobs checked per queue. */
const maxActive = 100;

const names = busyQueues.map((queue) => ({ queue, name: `jobs-${queue}` }));

/** Checks for jobs that used up their attempts, and for jobs whose worker vanished. */
export const jobsCheck: Check = {
  name: 'jobs',
  subjects: names.map(({ queue, name }) => ({
    name,
    title: `Jobs: ${queue}`,
    // A refusal to sign fails the publishing job.
    dependsOn: ['redis', 'database', `workers-${queue}`, ...(queue === 'sealing' ? ['checkpoint'] : [])],
  })),
  about: 'Number of jobs of a queue that failed within the last 3 minutes or stalled.',
  thresholds: { degraded: 1, down: 20 },
  unit: 'jobs',
  runbook: {
    means: 'Jobs of a queue fail or stall.',
    readers: 'New picks, results, or webhooks may be delayed.',
    lookAt: "Bull Board (`/queues` on the operator's port): the reason that failed jobs give.",
    first:
      'Fix what the reason names. Workers find unfinished work in PostgreSQL and retry it automatically.',
  },
  async measure({ redis, queues, machineNow }, thresholds) {
    const findings = names.map(async ({ queue, name }): Promise<[string, Finding]> => {
      const { failed, stalled } = await read(redis, queues.get(queue)!, machineNow);
      const value = failed + stalled;
      return [name, { status: rate(value, thresholds), value, message: sentence(failed, stalled) }];
    });
    return new Map(await Promise.all(findings));
  },
};

async function read(redis: RedisClient, queue: Queue, machineNow: number) {
  const [failed, active] = await Promise.all([
    redis.zcount(queue.toKey('failed'), machineNow - failedWithinMs, '+inf'),
    redis.lrange(queue.toKey('active'), 0, maxActive - 1),
  ]);
  // A running worker renews its job's lock.
  const locked = active.length === 0 ? 0 : await redis.exists(active.map((id) => queue.toKey(`${id}:lock`)));
  return { failed, stalled: active.length - locked };
}

function sentence(failed: number, stalled: number): string {
  const parts = [
    failed > 0 && `${counted(failed, 'job')} failed in the last 3 minutes`,
    stalled > 0 && `${counted(stalled, 'job')} stalled`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'No jobs failed in the last 3 minutes.' : `${parts.join(', ')}.`;
}
