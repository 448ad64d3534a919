import { databaseOf } from '../../platform/redis.ts';
import { aged, busyQueues, type Check, type Finding } from '../check.ts';
import { span } from '../span.ts';

const names = busyQueues.map((queue) => ({ queue, name: `workers-${queue}` }));

/** Whether anybody takes jobs from each queue: workers are seen by the connections on which they wait for jobs. */
export const workersCheck: Check = {
  name: 'workers',
  subjects: names.map(({ queue, name }) => ({ name, title: `Workers: ${queue}`, restsOn: ['redis'] })),
  about: 'How long a queue has had no worker.',
  thresholds: { degraded: 15, down: 60 },
  unit: 'seconds',
  async look({ redis, queues, before, now }, thresholds) {
    const db = String(databaseOf(redis));
    const findings = names.map(async ({ queue, name }): Promise<[string, Finding]> => {
      const clients: { db?: string }[] = await queues.get(queue)!.getWorkers();
      // One Redis may serve several services, each in a database of its own.
      const alive = clients.filter((client) => client.db === undefined || client.db === db).length;
      if (alive > 0) {
        const message = alive === 1 ? 'One worker takes jobs.' : `${alive} workers take jobs.`;
        return [name, { status: 'ok', value: alive, message, remember: { mark: String(now), since: now } }];
      }
      const remember = before(name) ?? { mark: 'never', since: now };
      const seconds = (now - remember.since) / 1000;
      const message = `No worker has been seen on the queue ${queue} for ${span(seconds)}: is it running?`;
      return [name, aged({ seconds, value: 0, remember, message }, thresholds)];
    });
    return new Map(await Promise.all(findings));
  },
};
