// The boards worker: reads the log, keeps rollups and streaks, tells boards that they are stale, renders ahead.

import { followLog as follow } from '../src/boards/follow-log.ts';
import { boards } from '../src/boards/index.ts';
import { choosePickOfTheDay } from '../src/boards/pick-of-the-day.ts';
import { tags } from '../src/boards/tags.ts';
import { createBoardCache } from '../src/cache/board-cache.ts';
import { followLog, renderAhead } from '../src/jobs/boards.ts';
import { runWorker } from '../src/jobs/runtime/process.ts';
import { handles } from '../src/jobs/runtime/worker.ts';

runWorker(
  'boards',
  ({ config, log, clock, database, redis, enqueue }) => {
    const cache = createBoardCache({
      redis,
      database,
      clock,
      baseUrl: config.site.baseUrl,
      helpLine: config.site.helpLine.name,
      log,
    });
    // What a killed predecessor read from the log without telling the boards of it is made up for.
    void cache.renewEpoch();
    // Any two bumps differ, also those of changes that left the log as it was.
    let version = 0;
    const bump = (touched: readonly string[]) => {
      version = Math.max(version + 1, Date.now());
      return cache.bump(touched, version);
    };
    return [
      handles(followLog, async () => {
        const entries = await follow(database, async ({ touched }) => {
          await bump(touched.tags);
          await enqueue.add(renderAhead, {});
        });
        return { entries };
      }),
      handles(renderAhead, async () => {
        const chosen = await choosePickOfTheDay(database, clock.now());
        if (chosen) await bump([tags.pickOfTheDay]);
        return { ...(await cache.refreshStale(boards)), chosen };
      }),
    ];
  },
  { concurrency: 2 },
);
