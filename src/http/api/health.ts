import { migrationNames } from '../../../migrations/index.ts';
import { coded } from '../../answers/coded.ts';
import { lifetimes } from '../../boards/endpoint.ts';
import { demoHistoryPlayed } from '../../demo/progress.ts';
import { opsPage } from '../../pages/ops/page.ts';
import type { Site } from '../../pages/site.ts';
import type { Availability } from '../../platform/availability.ts';
import type { Database } from '../../platform/database.ts';
import type { RedisClient } from '../../platform/redis.ts';
import { withActiveTimeout, withTimeout } from '../../platform/timeout.ts';
import { createStatusReader, type ReaderDeps } from '../../status/reader.ts';
import { type StatusReport, statusReport } from '../../status/report.ts';
import { type Answer, pageType } from '../answer.ts';
import type { Route } from '../routes.ts';

export interface HealthDeps {
  database: Database;
  redis: RedisClient;
  availability: Availability;
  remembers(): boolean;
  isShuttingDown(): boolean;
}

/**
 * Serves the probes. `/livez`: the process runs. `/readyz`: PostgreSQL answers and has this version's schema. `degraded` lacks Redis, or
 * PostgreSQL while there are answers in Redis or memory. `/readyz?degraded` accepts the latter too: load balancers ask it, because no other
 * process is better off.
 */
export function healthRoutes(deps: HealthDeps): Route[] {
  const { database, redis, availability, isShuttingDown, remembers } = deps;
  let migrated = false;

  async function postgres(): Promise<'ok' | 'away' | 'not migrated'> {
    if (!(await availability.check())) return 'away';
    // The probe's own connection may answer while those of the pool hang.
    const has = await availability
      .run(() => (migrated ? database.raw('select 1').then(() => true) : isMigrated(database)), answerMs)
      .catch(() => undefined);
    if (has === undefined) return 'away';
    migrated = has;
    return migrated ? 'ok' : 'not migrated';
  }

  return [
    { method: 'GET', path: '/livez', handle: () => ({ body: { status: 'live' } }) },
    {
      method: 'GET',
      path: '/readyz',
      async handle({ search }) {
        const [ledger, hasRedis] = await Promise.all([
          withTimeout(postgres(), probedMs, () => 'away' as const),
          withActiveTimeout(redis.ping(), pingMs).then(
            () => true,
            () => false,
          ),
        ]);
        const isCached = hasRedis || remembers();
        const isWhole = ledger === 'ok' && hasRedis;
        const status = isShuttingDown()
          ? 'shutting down'
          : isWhole
            ? 'ready'
            : ledger === 'ok' || (ledger === 'away' && isCached)
              ? 'degraded'
              : 'not ready';
        const serves =
          status === 'ready' || (status === 'degraded' && (ledger === 'ok' || search.has('degraded')));
        return {
          status: serves ? 200 : 503,
          body: { status, postgres: ledger, redis: hasRedis ? 'ok' : 'away' },
        };
      },
    },
  ];
}

/** Timeouts for PostgreSQL and Redis, in ms, not counting time in which the event loop is blocked. */
const answerMs = 2000;
const pingMs = 500;

/** Longest wait for the probe of PostgreSQL and an answer, in ms, however busy the process is. */
const probedMs = 4500;

const noSuchTable = '42P01';

async function isMigrated(database: Database): Promise<boolean> {
  try {
    const names: string[] = await database('knex_migrations').pluck('name');
    return migrationNames.every((name) => names.includes(name));
  } catch (error) {
    if ((error as { code?: string }).code === noSuchTable) return false;
    throw error;
  }
}

const sharedMs = 1000;

/** `/api/status`, always with 200, and `/ops`, the same as a page. */
export function statusRoutes(deps: ReaderDeps & { site: Site }): Route[] {
  const reader = createStatusReader(deps);
  let shared: { report: StatusReport; answer: Answer; until: number } | undefined;

  async function current() {
    if (shared !== undefined && performance.now() < shared.until) return shared;
    const report = await reader.report();
    const { generatedAt, ...data } = report;
    const answer = coded(JSON.stringify({ generatedAt, ...data }), JSON.stringify(data));
    shared = { report, answer, until: performance.now() + sharedMs };
    return shared;
  }

  /** Returns the loaded share of the demo data; 1 without a demo or if nothing can be read. */
  async function loadedShare(): Promise<number> {
    const { site, database, availability, clock } = deps;
    if (!site.demo) return 1;
    return availability.run(() => demoHistoryPlayed(database, clock.now()), 1000).catch(() => 1);
  }

  return [
    {
      method: 'GET',
      path: '/api/status',
      lifetime: lifetimes.live,
      reference: {
        id: 'getStatus',
        section: 'status',
        about: 'Every check, the overall status, totals, incidents, and notices. Always 200.',
        answer: { schema: statusReport },
        examples: [{}],
      },
      handle: async () => (await current()).answer,
    },
    {
      method: 'GET',
      path: '/ops',
      page: true,
      lifetime: lifetimes.live,
      async handle() {
        const [{ report }, history, loaded] = await Promise.all([current(), reader.history(), loadedShare()]);
        const text = opsPage(report, history, deps.site, loaded);
        return { type: pageType, ...coded(text) };
      },
    },
  ];
}
