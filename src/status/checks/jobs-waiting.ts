import { aged, busyQueues, type Check, type Finding } from '../check.ts';
import { span } from '../span.ts';

const names = busyQueues.map((queue) => ({ queue, name: `jobs-waiting-${queue}` }));

export const jobsWaitingCheck: Check = {
  name: 'jobs-waiting',
  subjects: names.map(({ queue, name }) => ({
    name,
    title: `Waiting jobs: ${queue}`,
    dependsOn: ['redis', 'database', `workers-${queue}`],
  })),
  about: 'How long the next job of a queue has waited for a worker.',
  thresholds: { degraded: 120, down: 600 },
  unit: 'seconds',
  runbook: {
    means: 'Jobs wait in a queue longer than usual.',
    readers: 'New picks, results, or webhooks may be delayed.',
    lookAt: "Bull Board (`/queues` on the operator's port), and the CPU that the workers use.",
    first: 'Start more workers for the queue, or let a large import finish.',
  },
  async measure({ redis, queues, machineNow }, thresholds) {
    const findings = names.map(async ({ queue, name }): Promise<[string, Finding]> => {
      const handle = queues.get(queue)!;
      // BullMQ takes jobs from the end of the list.
      const next = await redis.lindex(handle.toKey('wait'), -1);
      const added = next === null ? null : await redis.hget(handle.toKey(next), 'timestamp');
      if (added === null) return [name, aged({ seconds: 0, message: 'No jobs are waiting.' }, thresholds)];
      const seconds = Math.max(0, (machineNow - Number(added)) / 1000);
      return [name, aged({ seconds, message: `The next job has waited for ${span(seconds)}.` }, thresholds)];
    });
    return new Map(await Promise.all(findings));
  },
};
