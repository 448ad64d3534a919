import type { Redis } from 'ioredis';
import { migrationNames } from '../../migrations/names.ts';
import type { Availability } from '../platform/availability.ts';
import { createBreaker } from '../platform/breaker.ts';
import type { Database } from '../platform/database.ts';
import type { Route } from './routes.ts';

export interface HealthDeps {
  database: Database;
  redis: Redis;
  availability: Availability;
  isShuttingDown(): boolean;
}

/**
 * `/livez`: the process runs. `/readyz`: it can do its work, which takes PostgreSQL with this version's schema; Redis being away makes
 * it slower, not unready.
 */
export function healthRoutes({ database, redis, availability, isShuttingDown }: HealthDeps): Route[] {
  const redisBreaker = createBreaker({ timeoutMs: 500, openMs: 0 });
  let migrated = false;

  async function postgres(): Promise<'ok' | 'away' | 'not migrated'> {
    if (!(await availability.check())) return 'away';
    migrated ||= await availability.run(() => isMigrated(database)).catch(() => false);
    return migrated ? 'ok' : 'not migrated';
  }

  return [
    { method: 'GET', path: '/livez', handle: () => ({ body: { status: 'live' } }) },
    {
      method: 'GET',
      path: '/readyz',
      async handle() {
        const [ledger, pong] = await Promise.all([postgres(), redisBreaker.attempt(() => redis.ping())]);
        const stopping = isShuttingDown();
        const ready = ledger === 'ok' && !stopping;
        return {
          status: ready ? 200 : 503,
          body: {
            status: stopping ? 'shutting down' : ready ? 'ready' : 'not ready',
            postgres: ledger,
            redis: pong === undefined ? 'away' : 'ok',
          },
        };
      },
    },
  ];
}

const noSuchTable = '42P01';
const noRight = '42501';

/** Whether all migrations that this version knows have been run. */
async function isMigrated(database: Database): Promise<boolean> {
  try {
    const run = new Set(await database('knex_migrations').pluck('name'));
    return migrationNames.every((name) => run.has(name));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === noSuchTable) return false;
    if (code !== noRight) throw error;
    // Where the service's role may not read what knex notes, the tables themselves have to tell.
    const [row] = await database.select(database.raw(`to_regclass('board_picks') is not null as there`));
    return row.there;
  }
}
