import { aged, busyQueues, type Check, type Finding } from '../check.ts';
import { span } from '../span.ts';

const names = busyQueues.map((queue) => ({ queue, name: `jobs-waiting-${queue}` }));

/** How far a queue is behind: the wait of the job that its workers take next. */
export const jobsWaitingCheck: Check = {
  name: 'jobs-waiting',
  subjects: names.map(({ queue, name }) => ({
    name,
    title: `Waiting jobs: ${queue}`,
    restsOn: ['redis', 'database', `workers-${queue}`],
  })),
  about: 'How long the first job of a queue has waited for a worker.',
  thresholds: { degraded: 120, down: 600 },
  unit: 'seconds',
  async look({ redis, queues, machineNow }, thresholds) {
    const findings = names.map(async ({ queue, name }): Promise<[string, Finding]> => {
      const handle = queues.get(queue)!;
      // BullMQ takes the last one of the list next.
      const next = await redis.lindex(handle.toKey('wait'), -1);
      const added = next === null ? null : await redis.hget(handle.toKey(next), 'timestamp');
      if (added === null) return [name, aged({ seconds: 0, message: 'No job waits.' }, thresholds)];
      const seconds = Math.max(0, (machineNow - Number(added)) / 1000);
      return [name, aged({ seconds, message: `The first job has waited for ${span(seconds)}.` }, thresholds)];
    });
    return new Map(await Promise.all(findings));
  },
};
