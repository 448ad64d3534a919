import { Counter, Gauge, type Registry } from 'prom-client';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { processRegistry } from '../jobs/runtime/process-metrics.ts';
import { pendingWork } from '../ledger/sealing/pending-work.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { statuses } from '../status/check.ts';
import { storedState } from '../status/store.ts';

/** A gauge that is read on each scrape: one value for each combination of labels. */
interface Figure {
  name: string;
  help: string;
  labels?: readonly string[];
  read(): Promise<{ labels?: Record<string, string>; value: number }[]>;
}

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
  const figures = [
    queueFigure(queues),
    ...ledgerFigures(database),
    ...fanoutFigures(database, clock),
    ...sourceFigures(database),
    ...statusFigures(database, clock),
  ];
  for (const { name, help, labels = [], read } of figures)
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        this.reset();
        try {
          for (const { labels: of = {}, value } of await read()) this.set(of, value);
        } catch {
          // Without this, a gauge without labels would report 0.
          if (labels.length === 0) this.remove();
          unread.inc({ figure: name });
        }
      },
    });
  return registry;
}

function queueFigure(queues: Enqueue['queues']): Figure {
  return {
    name: 'public_picks_jobs',
    help: 'Jobs by queue and state.',
    labels: ['queue', 'state'],
    async read() {
      const counts = await Promise.all(
        [...queues].map(async ([queue, handle]) => ({ queue, counts: await handle.getJobCounts() })),
      );
      return counts.flatMap((of) =>
        Object.entries(of.counts).map(([state, value]) => ({ labels: { queue: of.queue, state }, value })),
      );
    },
  };
}

function ledgerFigures(database: Database): Figure[] {
  const one = (sql: string) => async () => {
    const { rows }: { rows: { value: number }[] } = await database.raw(sql);
    return rows;
  };
  return [
    {
      name: 'public_picks_backlog',
      help: 'Pending work: events to seal, entries that boards have not read, picks to grade.',
      labels: ['kind'],
      async read() {
        return Object.entries(await pendingWork(database)).map(([kind, value]) => ({
          labels: { kind },
          value,
        }));
      },
    },
    {
      name: 'public_picks_ledger_entries',
      help: 'Entries of the log.',
      read: one('select coalesce(max(seq) + 1, 0) as value from ledger_entries'),
    },
    {
      name: 'public_picks_pending_picks',
      help: 'Picks without a settlement.',
      read: one('select count(*) as value from pending_picks'),
    },
    {
      name: 'public_picks_checkpoint_size',
      help: 'Entries covered by the last signed checkpoint.',
      read: one('select coalesce(max(size), 0) as value from checkpoints'),
    },
  ];
}

function fanoutFigures(database: Database, clock: Clock): Figure[] {
  return [
    {
      name: 'public_picks_webhook_subscriptions',
      help: 'Webhook subscriptions by status.',
      labels: ['status'],
      async read() {
        const { rows }: { rows: { status: string; value: number }[] } = await database.raw(
          `select s.status, count(w.id) as value from unnest(array['active', 'paused', 'disabled', 'revoked']) as s (status)
           left join webhook_subscriptions w on w.status = s.status group by s.status`,
        );
        return rows.map(({ status, value }) => ({ labels: { status }, value }));
      },
    },
    {
      name: 'public_picks_webhook_attempts_last_hour',
      help: 'Delivery attempts in the last hour, by outcome: delivered, or the class of error.',
      labels: ['outcome'],
      async read() {
        const { rows }: { rows: { outcome: string; value: number }[] } = await database.raw(
          `select case when error is not null then error when status between 200 and 299 then 'delivered' else 'refused' end as outcome,
             count(*) as value
           from webhook_attempts where at > ? group by 1`,
          [new Date(clock.now() - 3_600_000)],
        );
        return rows.map(({ outcome, value }) => ({ labels: { outcome }, value }));
      },
    },
  ];
}

function sourceFigures(database: Database): Figure[] {
  return [
    {
      name: 'public_picks_source_failures',
      help: 'Consecutive failures of each provider feed; 0 if it is healthy.',
      labels: ['source'],
      async read() {
        const rows: { source: string; value: number }[] = await database('source_runs').select({
          source: 'source',
          value: 'failures',
        });
        return rows.map(({ source, value }) => ({ labels: { source }, value }));
      },
    },
    {
      name: 'public_picks_source_left_out',
      help: 'Items of the last answer of each provider feed that were skipped, by reason.',
      labels: ['source', 'reason'],
      async read() {
        const { rows }: { rows: { source: string; reason: string; value: number }[] } = await database.raw(
          'select source, key as reason, value::int as value from source_runs, jsonb_each(left_out)',
        );
        return rows.map(({ source, reason, value }) => ({ labels: { source, reason }, value }));
      },
    },
    {
      name: 'public_picks_odds_api_credits',
      help: 'Credits left at The Odds API.',
      async read() {
        return database('source_runs')
          .where('source', 'odds-api')
          .whereNotNull('quota_remaining')
          .select({ value: 'quota_remaining' });
      },
    },
  ];
}

/** Findings of the status worker, for paging through Alertmanager (deploy/prometheus). */
function statusFigures(database: Database, clock: Clock): Figure[] {
  return [
    {
      name: 'public_picks_check_status',
      help: 'State of each status check: 0 ok, 1 degraded, 2 down. Checks explained by another one are included.',
      labels: ['check'],
      async read() {
        const { checks = {} } = (await storedState(database)) ?? {};
        return Object.entries(checks).map(([check, { status }]) => ({
          labels: { check },
          value: statuses.indexOf(status),
        }));
      },
    },
    {
      name: 'public_picks_incident_opened_seconds',
      help: 'Start of each open incident, as a Unix timestamp in seconds.',
      labels: ['check', 'status', 'id'],
      async read() {
        const { incidents = [] } = (await storedState(database)) ?? {};
        return incidents
          .filter(({ closedAt }) => closedAt === null)
          .map(({ check, status, id, openedAt }) => ({
            labels: { check, status, id },
            value: openedAt / 1000,
          }));
      },
    },
    {
      name: 'public_picks_status_age_seconds',
      help: 'Seconds since the last round of the status worker.',
      async read() {
        const state = await storedState(database);
        return state === undefined ? [] : [{ value: Math.max(0, (clock.now() - state.at) / 1000) }];
      },
    },
    {
      name: 'public_picks_outlet_failing_seconds',
      help: 'Seconds since a shared cache or the published log files were last up to date; 0 if they are.',
      labels: ['outlet'],
      async read() {
        const rows: { name: string; failing_since: number | null }[] = await database('outlets').select(
          'name',
          'failing_since',
        );
        return rows.map(({ name, failing_since: since }) => ({
          labels: { outlet: name },
          value: since === null ? 0 : Math.max(0, (clock.now() - since) / 1000),
        }));
      },
    },
  ];
}
