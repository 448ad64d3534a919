// The boards worker: keeps the projections of the log, publishes what became stale, and refreshes answers ahead.

import { aheadOf } from '../src/boards/board.ts';
import { createBoardCache } from '../src/boards/board-cache.ts';
import { boards } from '../src/boards/index.ts';
import { followLog, renderAhead } from '../src/jobs/boards.ts';
import { runWorker } from '../src/jobs/runtime/process.ts';
import { handles } from '../src/jobs/runtime/worker.ts';
import { choosePickOfTheDay } from '../src/projections/pick-of-the-day.ts';
import { tags } from '../src/projections/tags.ts';
import { updateProjections } from '../src/projections/update.ts';

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
    // A killed predecessor may have read from the log without publishing what changed.
    void cache.renewEpoch();
    // Any two bumps differ, also those without a new log entry.
    let version = 0;
    const bump = (touched: readonly string[]) => {
      version = Math.max(version + 1, Date.now());
      return cache.bump(touched, version);
    };
    return [
      handles(followLog, async () => {
        const entries = await updateProjections(database, async (touched) => {
          await bump(touched);
          await enqueue.add(renderAhead, {});
        });
        return { entries };
      }),
      handles(renderAhead, async () => {
        const chosen = await choosePickOfTheDay(database, clock.now());
        if (chosen) await bump([tags.pickOfTheDay]);
        return { ...(await cache.refreshAhead(aheadOf(boards))), chosen };
      }),
    ];
  },
  { concurrency: 2 },
);
