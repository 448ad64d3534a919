// The webhooks worker: starts a fanout cycle each minute and delivers.

import { jobs } from '../src/jobs/index.ts';
import { ok } from '../src/jobs/outcome.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { runWorker } from '../src/jobs/runtime/process.ts';
import { fanoutCycle, trimAttemptsJob } from '../src/jobs/webhooks.ts';
import { createDeliveryClient, type DeliveryClient } from '../src/webhooks/client/client.ts';
import { fanOut, laneJobs } from '../src/webhooks/delivery/cycle.ts';
import { deliver } from '../src/webhooks/delivery/deliver.ts';
import { createLanes, type Lane, maxRequests } from '../src/webhooks/delivery/lanes.ts';
import { createLeases } from '../src/webhooks/delivery/lease.ts';
import { createEventPages } from '../src/webhooks/messages/event-pages.ts';
import { createMessages } from '../src/webhooks/messages/messages.ts';
import { trimAttempts } from '../src/webhooks/subscriptions/attempts.ts';
import { createSealer } from '../src/webhooks/subscriptions/secrets.ts';

let closing = false;
let client: DeliveryClient | undefined;

await runWorker(
  'webhooks',
  jobs,
  ({ config, log, clock, database, enqueue }) => {
    const allowed = config.webhooks.allowedHosts;
    // The lanes limit concurrency: the client's limits are high enough never to block.
    client = createDeliveryClient({ allowed, limits: { total: maxRequests, hosts: 4096 } });
    const deps = {
      ...{ clock, client },
      events: createEventPages(database),
      leases: createLeases(database, clock),
      lanes: createLanes(),
      messages: createMessages({
        allowed,
        baseUrl: config.site.baseUrl,
        sealer: createSealer(config.webhooks.secretKey),
      }),
      moveToSlow: (subscriptionId: number) => enqueue.add(laneJobs.slow, { subscriptionId }),
      closing: () => closing,
    };
    return [
      handles(fanoutCycle, async () => {
        const fanout = await fanOut({ database, enqueue }, clock.now());
        if (fanout.takenBack > 0) log.warn(fanout, 'most hosts failed alike: their failures do not count');
        return ok(fanout);
      }),
      handles(trimAttemptsJob, async () => ok({ emptied: await trimAttempts(database, clock.now()) })),
      ...(Object.keys(laneJobs) as Lane[]).map((lane) =>
        handles(laneJobs[lane], ({ subscriptionId }) => deliver(deps, subscriptionId, lane)),
      ),
    ];
  },
  {
    concurrency: 2,
    // More than the concurrent requests, so that jobs waiting for a busy host do not block others.
    queues: { 'webhooks-healthy': 512, 'webhooks-slow': 512, 'webhooks-chat': 128 },
    connections: 6,
    onClosing() {
      closing = true;
    },
    beforeClose: async () => client?.close(),
  },
);
