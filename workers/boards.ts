// The boards worker: follows the log, updates projections, invalidates answers that depend on them, and renders answers ahead of requests.

import { createAnswers } from '../src/answers/answers.ts';
import { createPurger } from '../src/answers/purger.ts';
import { aheadOf } from '../src/boards/board.ts';
import { boards } from '../src/boards/index.ts';
import { demoHistoryPlayed } from '../src/demo/progress.ts';
import { followLogJob, renderAhead, reportPurges } from '../src/jobs/declared.ts';
import { failed, ok, snoozed } from '../src/jobs/job.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { worker } from '../src/jobs/runtime/process.ts';
import { openReplica } from '../src/platform/replica.ts';
import { choosePickOfTheDay } from '../src/projections/pick-of-the-day.ts';
import { tags } from '../src/projections/tags.ts';
import { projectionsBehind, updateProjections } from '../src/projections/update.ts';
import { pickOfTheDayFrom } from '../src/rules/confidence.ts';
import { etDay } from '../src/rules/et-day.ts';
import { run } from '../src/workers.ts';

/**
 * Minimum pause between rounds of rendering ahead, in ms; the pause is also at least twice the length of a round. A round for each batch of
 * picks would delay the next batch. Meanwhile, requests render what they need.
 */
const restMs = 2000;

/**
 * Pauses while a demo loads its history, in ms. Each of its steps changes every record, and following each took half of the time of loading.
 */
const loadingRestMs = { follow: 5_000, render: 20_000 };

/** How long a cache refuses purges before a job reports it, in ms. A restart of the cache takes less. */
const refusedMs = 60_000;

export const boardsWorker = worker(
  'boards',
  ({ config, log, clock, database, cacheRedis: redis, enqueue, closing, beforeClose }) => {
    const { replicaUrl } = config.database;
    const replica =
      replicaUrl === undefined ? undefined : openReplica(replicaUrl, log, { name: 'public-picks boards' });
    const answers = createAnswers({
      redis,
      database,
      replica,
      clock,
      baseUrl: config.site.baseUrl,
      helpLine: config.site.helpLine.name,
      log,
    });
    // Invalidates everything, because a killed worker could have read entries without invalidating their boards.
    void answers.renewEpoch();
    const { purgeUrls: urls, purgeHeader: header } = config.cdn;
    const purger = createPurger({ urls, header, log });
    beforeClose(async () => {
      await purger.close();
      await replica?.close();
    });
    purger.purgeAll();
    // Versions are unique, including those for changes outside the log.
    let version = 0;
    let nextRoundAt = Number.NEGATIVE_INFINITY;
    let nextFollowAt = Number.NEGATIVE_INFINITY;
    const isLoading = async () => config.site.demo && (await demoHistoryPlayed(database, clock.now())) < 1;
    /** When the worker last tried to choose a Pick of the Day, by the service's clock. */
    let chosenAt = Number.NEGATIVE_INFINITY;
    const bump = async (touched: readonly string[]) => {
      version = Math.max(version + 1, Date.now());
      await answers.bump(touched, version);
      purger.purge(touched);
    };
    return [
      handles(
        followLogJob,
        async () => {
          const began = performance.now();
          if (began < nextFollowAt) return snoozed(Math.ceil(nextFollowAt - began));
          const follow = async (touched: readonly string[]) => {
            await bump(touched);
            await enqueue.add(renderAhead, {});
          };
          const entries = await updateProjections(database, follow, closing);
          if (await isLoading()) nextFollowAt = performance.now() + loadingRestMs.follow;
          return ok({ entries });
        },
        { due: () => projectionsBehind(database) },
      ),
      handles(
        renderAhead,
        async () => {
          const began = performance.now();
          if (began < nextRoundAt) return snoozed(Math.ceil(nextRoundAt - began));
          const now = clock.now();
          const chosen = await choosePickOfTheDay(database, now);
          chosenAt = now;
          if (chosen) await bump([tags.pickOfTheDay]);
          const refreshed = await answers.refreshAhead(aheadOf(boards));
          const ended = performance.now();
          const rest = (await isLoading()) ? loadingRestMs.render : restMs;
          nextRoundAt = ended + Math.max(rest, 2 * (ended - began));
          return ok({ ...refreshed, chosen });
        },
        {
          async due() {
            const now = clock.now();
            const from = pickOfTheDayFrom(etDay(now));
            return (chosenAt < from && now >= from) || answers.aheadDue();
          },
        },
      ),
      handles(
        reportPurges,
        async () => {
          const refusals = purger.refusals(refusedMs);
          return refusals.length === 0 ? ok() : failed(refusals.join(' '));
        },
        { on: urls.length > 0, due: async () => purger.refusals(refusedMs).length > 0 },
      ),
    ];
  },
  { concurrency: 2 },
);

if (import.meta.main) await run([boardsWorker]);
