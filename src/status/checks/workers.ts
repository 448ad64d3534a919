import { databaseOf } from '../../platform/redis.ts';
import { aged, busyQueues, type Check, type Finding } from '../check.ts';
import { counted, span } from '../span.ts';

const names = busyQueues.map((queue) => ({ queue, name: `workers-${queue}` }));

/** Recognizes a worker by the connection on which it waits for jobs. */
export const workersCheck: Check = {
  name: 'workers',
  subjects: names.map(({ queue, name }) => ({ name, title: `Workers: ${queue}`, dependsOn: ['redis'] })),
  about: 'How long a queue has had no worker.',
  thresholds: { degraded: 15, down: 60 },
  unit: 'seconds',
  runbook: {
    means: 'No worker takes jobs from a queue.',
    readers: 'New picks, results, or webhooks may be missing.',
    lookAt: 'Whether the process runs, and the end of its log.',
    first: 'Start it again. If it exits at once, its log names the setting or store that is missing.',
  },
  async measure({ redis, queues, before, now }, thresholds) {
    const db = String(databaseOf(redis));
    const findings = names.map(async ({ queue, name }): Promise<[string, Finding]> => {
      const clients: { db?: string }[] = await queues.get(queue)!.getWorkers();
      // Several services may share a Redis, each with its own database.
      const alive = clients.filter((client) => client.db === undefined || client.db === db).length;
      if (alive > 0) {
        const message = `${counted(alive, 'worker')} running.`;
        return [name, { status: 'ok', value: alive, message, remember: { mark: String(now), since: now } }];
      }
      const remember = before(name) ?? { mark: 'never', since: now };
      const seconds = (now - remember.since) / 1000;
      const message = `No worker on the queue ${queue} for ${span(seconds)}. Is its process running?`;
      return [name, aged({ seconds, value: 0, remember, message }, thresholds)];
    });
    return new Map(await Promise.all(findings));
  },
};
