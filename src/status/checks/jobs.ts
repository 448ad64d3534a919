import type { Queue } from 'bullmq';
import type { QueueName } from '../../jobs/job.ts';
import type { RedisClient } from '../../platform/redis.ts';
import { type Check, type Finding, rate, type Thresholds, worst } from '../check.ts';
import { counted, span } from '../span.ts';

/** Failed jobs are kept for days; those of the last minutes tell how things are. */
const failedWithinMs = 3 * 60_000;
/** Active jobs that are looked at, a queue. */
const maxActive = 100;

/**
 * Jobs that failed for good within the last minutes, jobs whose worker vanished, and how long the first waiting job has waited.
 * @param failing thresholds of failed and stalled jobs together
 * @param waiting thresholds of the wait, in seconds
 */
export function jobsCheck(queues: readonly QueueName[], failing: Thresholds, waiting: Thresholds): Check {
  const names = queues.map((queue) => ({ queue, name: `jobs-${queue}` }));
  return {
    subjects: names.map(({ queue, name }) => ({
      name,
      title: `Jobs: ${queue}`,
      // A refusal to sign fails the job that would have signed.
      restsOn: ['redis', 'database', `workers-${queue}`, ...(queue === 'sealing' ? ['checkpoint'] : [])],
    })),
    about: 'Jobs that failed within 3 minutes or have stalled; a job that waits for long counts too.',
    thresholds: failing,
    unit: 'jobs',
    async look({ redis, queues: handles, machineNow }) {
      const findings = names.map(async ({ queue, name }): Promise<[string, Finding]> => {
        const { failed, stalled, waitedSeconds } = await read(redis, handles.get(queue)!, machineNow);
        const value = failed + stalled;
        return [
          name,
          {
            status: worst([rate(value, failing), rate(waitedSeconds, waiting)]),
            value,
            ageSeconds: Math.floor(waitedSeconds),
            message: sentence(failed, stalled, waitedSeconds),
          },
        ];
      });
      return new Map(await Promise.all(findings));
    },
  };
}

async function read(redis: RedisClient, queue: Queue, machineNow: number) {
  const [failed, active, waiting] = await Promise.all([
    redis.zcount(queue.toKey('failed'), machineNow - failedWithinMs, '+inf'),
    redis.lrange(queue.toKey('active'), 0, maxActive - 1),
    // The end of the list is taken next.
    redis.lindex(queue.toKey('wait'), -1),
  ]);
  const locked = active.length === 0 ? 0 : await redis.exists(active.map((id) => queue.toKey(`${id}:lock`)));
  const added = waiting === null ? null : await redis.hget(queue.toKey(waiting), 'timestamp');
  return {
    failed,
    // The worker of an active job renews a lock on it.
    stalled: active.length - locked,
    waitedSeconds: added === null ? 0 : Math.max(0, (machineNow - Number(added)) / 1000),
  };
}

function sentence(failed: number, stalled: number, waitedSeconds: number): string {
  const parts = [
    failed > 0 && `${counted(failed, 'job')} failed within the last 3 minutes`,
    stalled > 0 && `${counted(stalled, 'job')} stalled`,
    waitedSeconds >= 1 && `the first job has waited for ${span(waitedSeconds)}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return 'No job failed within the last 3 minutes, none has stalled, none waits.';
  const text = parts.join(', ');
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
