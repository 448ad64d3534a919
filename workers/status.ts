// The status worker: looks at all of the service, on connections of its own, and tells the chat.

import { runWorker } from '../src/jobs/runtime/process.ts';
import { handles } from '../src/jobs/runtime/worker.ts';
import { lookAround } from '../src/jobs/status.ts';
import { postgresProbe } from '../src/platform/availability.ts';
import { createChat } from '../src/status/alerts/chat.ts';
import { checksOf } from '../src/status/index.ts';
import { createWatch, type Watch } from '../src/status/watch.ts';

let watch: Watch | undefined;
const timers: NodeJS.Timeout[] = [];

runWorker(
  'status',
  ({ config, log, clock, database, redis, enqueue }) => {
    const { alertUrl, checks, heartbeatUrl } = config.status;
    const opened = createWatch({
      // Longer than it takes to be called down.
      checks: checksOf(checks, postgresProbe(config.database.url, 6000)),
      database,
      redis,
      queues: enqueue.queues,
      clock,
      log,
      chat: alertUrl && createChat(alertUrl.href, log),
      heading: `Public Picks, ${config.deployment.environment}`,
      heartbeat: heartbeatUrl,
    });
    watch = opened;
    // Jobs need Redis, and this has to go on without it.
    const tick = () => void opened.tick().catch((error) => log.error({ err: error }, 'round failed'));
    timers.push(setTimeout(tick, 1000), setInterval(tick, 15_000));
    return [handles(lookAround, () => opened.tick())];
  },
  {
    async beforeClose() {
      for (const timer of timers) clearTimeout(timer);
      await watch?.close();
    },
  },
);
