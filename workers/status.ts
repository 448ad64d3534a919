// The status worker: checks the whole service over separate connections, and sends alerts.

import { createPurger } from '../src/answers/purger.ts';
import { createStore } from '../src/answers/store.ts';
import { demoHistoryPlayed } from '../src/demo/progress.ts';
import { runChecksJob } from '../src/jobs/declared.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { worker } from '../src/jobs/runtime/process.ts';
import { connectionProbe } from '../src/platform/postgres-probe.ts';
import { tags } from '../src/projections/tags.ts';
import { createChat } from '../src/status/alerts.ts';
import { checksWith } from '../src/status/index.ts';
import { createWatch } from '../src/status/watch.ts';
import { run } from '../src/workers.ts';

/** Time that jobs, boards, and feeds need to catch up after a start, in ms. */
const startingMs = 60_000;

export const statusWorker = worker(
  'status',
  ({ config, log, clock, database, redis, cacheRedis, enqueue, beforeClose }) => {
    const { alertUrl, checks, heartbeatUrl } = config.status;
    const { purgeUrls: urls, purgeHeader: header } = config.cdn;
    const startedAt = performance.now();
    const purger = createPurger({ urls, header, log });
    // This worker stores no answers.
    const answers = createStore(cacheRedis, log, 0);
    const watch = createWatch({
      checks: checksWith(checks),
      // Longer than the timeout of the `database` check.
      probe: connectionProbe(config.database.url, 6000),
      database,
      redis,
      cacheRedis,
      queues: enqueue.queues,
      clock,
      log,
      chat: alertUrl && createChat(alertUrl.href, log),
      baseUrl: config.site.baseUrl,
      heading: `Public Picks, ${config.deployment.environment}`,
      heartbeat: heartbeatUrl,
      async isStarting(now) {
        if (performance.now() - startedAt < startingMs) return true;
        return config.site.demo && (await demoHistoryPlayed(database, now).catch(() => 1)) < 1;
      },
      async onIncidents() {
        await answers.bump([tags.incidents], Date.now());
        purger.purge([tags.incidents]);
      },
    });
    // A timer, not a job, because checks must run without Redis.
    const tick = () =>
      void watch
        .tick()
        .catch((error) =>
          log.error({ err: error }, 'a round of checks failed; the next one begins in 15 seconds'),
        );
    const timers = [setTimeout(tick, 1000), setInterval(tick, 15_000)];
    beforeClose(async () => {
      for (const timer of timers) clearTimeout(timer);
      await watch.close();
      answers.close();
      await purger.close();
    });
    return [handles(runChecksJob, () => watch.tick())];
  },
);

if (import.meta.main) await run([statusWorker]);
