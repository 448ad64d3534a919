import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Database } from '../database.ts';
import type { Enqueue } from '../jobs/enqueue.ts';
import { backlog } from '../ledger/backlog.ts';

/** What Prometheus is told: this process, the queues, and how far the ledger has come. */
export function createMetrics(database: Database, { queues }: Pick<Enqueue, 'queues'>): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'public_picks_jobs',
    help: 'Jobs by queue and state.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [queue, handle] of queues) {
        const counts = await handle.getJobCounts().catch(() => ({}));
        for (const [state, count] of Object.entries(counts)) this.set({ queue, state }, count);
      }
    },
  });
  new Gauge({
    name: 'public_picks_backlog',
    help: 'Work left: events to seal, entries that boards have not read, picks to grade.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      const left = await backlog(database).catch(() => ({}));
      for (const [kind, count] of Object.entries(left)) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: 'public_picks_ledger_entries',
    help: 'Entries of the log.',
    registers: [registry],
    async collect() {
      this.reset();
      const head = await database('ledger_entries')
        .max({ seq: 'seq' })
        .catch(() => undefined);
      if (head !== undefined) this.set((head[0]?.seq ?? -1) + 1);
    },
  });
  return registry;
}
