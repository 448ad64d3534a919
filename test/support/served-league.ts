import { type RunningApi, startApi } from './api.ts';
import { type TestDatabase, withDatabase } from './database.ts';
import { league } from './folders.ts';
import { type TestRedis, withRedis } from './redis.ts';
import { ingest, runPipeline } from './whole-way.ts';

/** The project's season, settled and served. For use inside hooks and tests. */
export interface ServedLeague {
  database: TestDatabase;
  redis: TestRedis;
  readonly site: RunningApi;
}

/** Serves the season to the tests of the surrounding `describe`. @param now the service's clock, in epoch milliseconds */
export function withServedLeague(now: number): ServedLeague {
  const database = withDatabase();
  const redis = withRedis();
  let site: RunningApi;
  before(async () => {
    await ingest(database.database, league, now);
    await runPipeline(database.database, now);
    site = await startApi({ database, redis }, { clock: { now: () => now } });
  });
  after(() => site.close());
  return {
    database,
    redis,
    get site() {
      return site;
    },
  };
}
