import { Command } from 'commander';
import { createBoardCache } from '../boards/board-cache.ts';
import { cacheStore } from '../cache/store.ts';
import { createClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database.ts';
import { createLogger } from '../platform/logger.ts';
import { openRedis } from '../platform/redis.ts';
import { rebuildProjections } from '../projections/rebuild.ts';
import type { Say, Verb } from './verb.ts';

/** Repairs what boards are computed from, and makes all rendered boards stale. */
async function runRebuild(config: Config<'boards'>, say: Say): Promise<void> {
  const log = createLogger('cli', 'silent');
  const database = openDatabase(config.database.url, { name: 'public-picks rebuild', connections: 2 });
  const redis = openRedis(cacheStore(config.redis), log);
  try {
    const repaired = await rebuildProjections(database);
    for (const [table, rows] of Object.entries(repaired)) say(`${table}: ${rows} rows repaired.`);
    if (Object.values(repaired).every((rows) => rows === 0)) return;
    if ((await redis.ping().catch(() => null)) === null) {
      say('Redis is unavailable: restart the boards worker, which renders every board again.');
      return;
    }
    const { baseUrl, helpLine } = config.site;
    const clock = createClock(config.process.clock);
    const cache = createBoardCache({ redis, database, clock, baseUrl, helpLine: helpLine.name, log });
    await cache.renewEpoch();
    cache.close();
  } finally {
    redis.disconnect();
    await database.destroy();
  }
}

/** `rebuild`: makes the projections match the log. */
export const rebuildVerb: Verb = (config, say) =>
  new Command('rebuild')
    .description('compares what boards are computed from with the log and repairs it; the service may run')
    .action(() => runRebuild(config('boards'), say));
