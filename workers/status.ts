// The status worker: looks at all of the service, on connections of its own, and tells the chat.

import { postgresProbe } from '../src/cache/reach.ts';
import { runWorker } from '../src/jobs/runtime/process.ts';
import { handles } from '../src/jobs/runtime/worker.ts';
import { lookAround } from '../src/jobs/status.ts';
import { createChat } from '../src/status/alerts/chat.ts';
import { checksOf } from '../src/status/index.ts';
import { createWatch, type Watch } from '../src/status/watch.ts';

let watch: Watch | undefined;
const timers: NodeJS.Timeout[] = [];

runWorker(
  'status',
  ({ settings, log, clock, database, redis, enqueue }) => {
    const { ALERT_WEBHOOK_URL, DATABASE_URL, DEPLOY_ENVIRONMENT, HEARTBEAT_URL } = settings;
    const opened = createWatch({
      // Longer than it takes to be called down.
      checks: checksOf(settings, postgresProbe(DATABASE_URL, 6000)),
      database,
      redis,
      queues: enqueue.queues,
      clock,
      log,
      chat: ALERT_WEBHOOK_URL === '' ? undefined : createChat(ALERT_WEBHOOK_URL, log),
      heading: `Public Picks, ${DEPLOY_ENVIRONMENT}`,
      heartbeat: HEARTBEAT_URL === '' ? undefined : new URL(HEARTBEAT_URL),
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
