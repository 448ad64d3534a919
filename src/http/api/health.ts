import { schemaName } from '../../../migrations/index.ts';
import type { Availability } from '../../platform/availability.ts';
import { createBreaker } from '../../platform/breaker.ts';
import type { Database } from '../../platform/database.ts';
import type { RedisClient } from '../../platform/redis.ts';
import type { Route } from '../routes.ts';

export interface HealthDeps {
  database: Database;
  redis: RedisClient;
  availability: Availability;
  /** Reports whether this process has answers in memory. */
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
  const redisBreaker = createBreaker({ timeoutMs: 500, openMs: 0 });
  let migrated = false;

  async function postgres(): Promise<'ok' | 'away' | 'not migrated'> {
    if (!(await availability.check())) return 'away';
    // The probe's own connection may answer while those of the pool hang.
    const has = await availability
      .run(() => (migrated ? answers(database) : isMigrated(database)), answerMs)
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
        const [ledger, pong] = await Promise.all([postgres(), redisBreaker.attempt(() => redis.ping())]);
        const isCached = pong !== undefined || remembers();
        const isWhole = ledger === 'ok' && pong !== undefined;
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
          body: { status, postgres: ledger, redis: pong === undefined ? 'away' : 'ok' },
        };
      },
    },
  ];
}

/** Timeout for PostgreSQL, in ms. */
const answerMs = 2000;

async function answers(database: Database): Promise<true> {
  await database.raw('select 1');
  return true;
}

const noSuchTable = '42P01';
const noRight = '42501';

/** Reports whether the database has the schema of this version. */
async function isMigrated(database: Database): Promise<boolean> {
  try {
    const names: string[] = await database('knex_migrations').pluck('name');
    return names.includes(schemaName);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === noSuchTable) return false;
    if (code !== noRight) throw error;
    // The login may not read knex's table: check for a table of the schema.
    const [row] = await database.select(database.raw(`to_regclass('board_picks') is not null as there`));
    return row.there;
  }
}
