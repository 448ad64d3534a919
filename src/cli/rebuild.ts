import { Command } from 'commander';
import { createBoardCache } from '../boards/board-cache.ts';
import { cacheStore } from '../cache/store.ts';
import { createClock } from '../platform/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { openRedis } from '../platform/redis.ts';
import { rebuildProjections } from '../projections/rebuild.ts';
import { onDatabase } from './session.ts';
import type { Verb } from './verb.ts';

/** `rebuild`: makes the projections match the log, and all rendered boards stale. */
export const rebuildVerb: Verb = (config, say) =>
  new Command('rebuild')
    .description('compares what boards are computed from with the log and repairs it; the service may run')
    .action(async () => {
      const { database: settings, redis: address, process, site } = config('boards');
      const log = createLogger('cli', 'silent');
      const redis = openRedis(cacheStore(address), log);
      await onDatabase(settings.url, 'rebuild', async (database) => {
        const repaired = await rebuildProjections(database);
        for (const [table, rows] of Object.entries(repaired)) say(`${table}: ${rows} rows repaired.`);
        if (Object.values(repaired).every((rows) => rows === 0)) return;
        if ((await redis.ping().catch(() => null)) === null) {
          say('Redis is unavailable: restart the boards worker, which renders every board again.');
          return;
        }
        const { baseUrl, helpLine } = site;
        const clock = createClock(process.clock);
        const cache = createBoardCache({ redis, database, clock, baseUrl, helpLine: helpLine.name, log });
        await cache.renewEpoch();
        cache.close();
      }).finally(() => redis.disconnect());
    });
