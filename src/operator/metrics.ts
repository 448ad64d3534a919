import { Counter, Gauge, type Registry } from 'prom-client';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { processRegistry } from '../jobs/runtime/process-metrics.ts';
import { pendingWork } from '../ledger/sealing/pending-work.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { statuses } from '../status/check.ts';
import { openIncidents, storedRounds } from '../status/state.ts';

interface Stores {
  database: Database;
  queues: Enqueue['queues'];
  /** The time of the scrape. */
  now: EpochMs;
}

/** A gauge that is read on each scrape: a row has a value, and its labels. */
interface Figure {
  name: string;
  help: string;
  labels?: readonly string[];
  /** A query, in which `:now` is the time of the scrape; or what reads the rows otherwise. */
  read: string | ((stores: Stores) => Promise<Row[]>);
}

type Row = { value: number } & Record<string, string | number>;

const figures: readonly Figure[] = [
  {
    name: 'public_picks_jobs',
    help: 'Jobs by queue and state.',
    labels: ['queue', 'state'],
    async read({ queues }) {
      const counts = await Promise.all(
        [...queues].map(async ([queue, handle]) => ({ queue, counts: await handle.getJobCounts() })),
      );
      return counts.flatMap(({ queue, counts: own }) =>
        Object.entries(own).map(([state, value]) => ({ queue, state, value })),
      );
    },
  },
  {
    name: 'public_picks_backlog',
    help: 'Pending work: events to seal, entries that boards have not read, picks to grade.',
    labels: ['kind'],
    read: async ({ database }) =>
      Object.entries(await pendingWork(database)).map(([kind, value]) => ({ kind, value })),
  },
  {
    name: 'public_picks_ledger_entries',
    help: 'Entries of the log.',
    read: 'select coalesce(max(seq) + 1, 0) as value from ledger_entries',
  },
  {
    name: 'public_picks_pending_picks',
    help: 'Picks without a settlement.',
    read: 'select count(*) as value from pending_picks',
  },
  {
    name: 'public_picks_checkpoint_size',
    help: 'Entries covered by the last signed checkpoint.',
    read: 'select coalesce(max(size), 0) as value from checkpoints',
  },
  {
    name: 'public_picks_webhook_subscriptions',
    help: 'Webhook subscriptions by status.',
    labels: ['status'],
    read: `select s.status, count(w.id) as value from unnest(array['active', 'paused', 'disabled', 'revoked']) as s (status)
      left join webhook_subscriptions w on w.status = s.status group by s.status`,
  },
  {
    name: 'public_picks_webhook_attempts_last_hour',
    help: 'Delivery attempts in the last hour, by outcome: delivered, or the class of error.',
    labels: ['outcome'],
    read: `select case when error is not null then error when status between 200 and 299 then 'delivered' else 'refused' end as outcome,
        count(*) as value
      from webhook_attempts where at > cast(:now as timestamptz) - interval '1 hour' group by 1`,
  },
  {
    name: 'public_picks_source_failures',
    help: 'Consecutive failures of each provider feed; 0 if it is healthy.',
    labels: ['source'],
    read: 'select source, failures as value from source_runs',
  },
  {
    name: 'public_picks_source_left_out',
    help: 'Items of the last answer of each provider feed that were skipped, by reason.',
    labels: ['source', 'reason'],
    read: 'select source, key as reason, cast(value as int) as value from source_runs, jsonb_each(left_out)',
  },
  {
    name: 'public_picks_odds_api_credits',
    help: 'Credits left at The Odds API.',
    read: "select quota_remaining as value from source_runs where source = 'odds-api' and quota_remaining is not null",
  },
  // Findings of the status worker, for paging through Alertmanager (deploy/prometheus).
  {
    name: 'public_picks_check_status',
    help: 'State of each status check: 0 ok, 1 degraded, 2 down. Checks explained by another one are included.',
    labels: ['check'],
    async read({ database }) {
      const { checks = {} } = (await storedRounds(database)) ?? {};
      return Object.entries(checks).map(([check, { status }]) => ({
        check,
        value: statuses.indexOf(status),
      }));
    },
  },
  {
    name: 'public_picks_incident_opened_seconds',
    help: 'Start of each open incident, as a Unix timestamp in seconds.',
    labels: ['check', 'status', 'id'],
    async read({ database }) {
      const open = await openIncidents(database);
      return open.map(({ check, status, id, openedAt }) => ({ check, status, id, value: openedAt / 1000 }));
    },
  },
  {
    name: 'public_picks_status_age_seconds',
    help: 'Seconds since the last round of the status worker.',
    async read({ database, now }) {
      const state = await storedRounds(database);
      return state === undefined ? [] : [{ value: Math.max(0, (now - state.at) / 1000) }];
    },
  },
];

/**
 * Creates metrics of the whole service: queues, ledger, deliveries, providers. A figure that cannot be read is omitted from the scrape and
 * counted by `public_picks_unread_figures_total`.
 */
export function createMetrics(
  database: Database,
  clock: Clock,
  { queues }: Pick<Enqueue, 'queues'>,
): Registry {
  const registry = processRegistry('operator');
  const unread = new Counter({
    name: 'public_picks_unread_figures_total',
    help: 'Failed reads of figures, by name.',
    labelNames: ['figure'],
    registers: [registry],
  });
  const rowsOf = async (read: Figure['read']): Promise<Row[]> => {
    const now = clock.now();
    if (typeof read === 'function') return read({ database, queues, now });
    return (await database.raw(read, { now: new Date(now) })).rows;
  };
  for (const { name, help, labels = [], read } of figures)
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        this.reset();
        try {
          for (const { value, ...of } of await rowsOf(read)) this.set(of, value);
        } catch {
          // Without this, a gauge without labels would report 0.
          if (labels.length === 0) this.remove();
          unread.inc({ figure: name });
        }
      },
    });
  return registry;
}
