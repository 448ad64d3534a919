// The boards worker: follows the log, updates rollups and streaks, invalidates boards and renders them ahead of requests.

import { followLog } from '../src/boards/follow-log.ts';
import { boards } from '../src/boards/index.ts';
import { choosePickOfTheDay } from '../src/boards/pick-of-the-day.ts';
import { tags } from '../src/boards/tags.ts';
import { createBoardCache } from '../src/cache/board-cache.ts';
import { followLogJob, renderAhead } from '../src/jobs/boards.ts';
import { jobs } from '../src/jobs/index.ts';
import { ok } from '../src/jobs/outcome.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { runWorker } from '../src/jobs/runtime/process.ts';

runWorker(
  'boards',
  jobs,
  ({ config, log, clock, database, redis, enqueue }) => {
    const cache = createBoardCache({
      redis,
      database,
      clock,
      baseUrl: config.site.baseUrl,
      helpLine: config.site.helpLine.name,
      log,
    });
    // Invalidates everything: a killed worker may have read entries without invalidating the boards they affect.
    void cache.renewEpoch();
    // Versions are unique, also those of changes outside the log.
    let version = 0;
    const bump = (touched: readonly string[]) => {
      version = Math.max(version + 1, Date.now());
      return cache.bump(touched, version);
    };
    return [
      handles(followLogJob, async () => {
        const entries = await followLog(database, async ({ touched }) => {
          await bump(touched.tags);
          await enqueue.add(renderAhead, {});
        });
        return ok({ entries });
      }),
      handles(renderAhead, async () => {
        const chosen = await choosePickOfTheDay(database, clock.now());
        if (chosen) await bump([tags.pickOfTheDay]);
        return ok({ ...(await cache.refreshStale(boards)), chosen });
      }),
    ];
  },
  { concurrency: 2 },
);
