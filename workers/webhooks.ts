// The webhooks worker: starts a fanout cycle each minute, delivers, asks new receivers to prove themselves, erases what has ended.

import { jobs } from '../src/jobs/index.ts';
import { ok } from '../src/jobs/outcome.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { runWorkers, worker } from '../src/jobs/runtime/process.ts';
import {
  eraseSubscriptionsJob,
  fanoutCycle,
  trimAttemptsJob,
  verifyDue,
  verifyReceiver,
} from '../src/jobs/webhooks.ts';
import { createDeliveryClient, type DeliveryClient } from '../src/webhooks/client/client.ts';
import { fanOut, laneJobs } from '../src/webhooks/delivery/cycle.ts';
import { deliver } from '../src/webhooks/delivery/deliver.ts';
import { createLanes, type Lane, maxRequests } from '../src/webhooks/delivery/lanes.ts';
import { createLeases } from '../src/webhooks/delivery/lease.ts';
import { dueVerifications, verify } from '../src/webhooks/delivery/verify.ts';
import { createEventPages } from '../src/webhooks/messages/event-pages.ts';
import { createMessages } from '../src/webhooks/messages/messages.ts';
import { trimAttempts } from '../src/webhooks/subscriptions/attempts.ts';
import { eraseSubscriptions } from '../src/webhooks/subscriptions/erase.ts';
import { prove } from '../src/webhooks/subscriptions/prove.ts';
import { createSealer } from '../src/webhooks/subscriptions/secrets.ts';

let closing = false;
let client: DeliveryClient | undefined;

export const webhooksWorker = worker(
  'webhooks',
  ({ config, log, clock, database, enqueue }) => {
    const allowed = config.webhooks.allowedHosts;
    // The lanes limit concurrency: the client's limits are high enough never to block.
    client = createDeliveryClient({ allowed, limits: { total: maxRequests, hosts: 4096 } });
    const sealer = createSealer(config.webhooks.secretKey);
    const deps = {
      ...{ database, clock, client, sealer, allowed },
      events: createEventPages(database),
      leases: createLeases(database, clock),
      lanes: createLanes(),
      messages: createMessages({
        allowed,
        baseUrl: config.site.baseUrl,
        sealer,
      }),
      prove: (subscriptionId: number) => prove(database, subscriptionId, clock.now()),
      moveToSlow: (subscriptionId: number) => enqueue.add(laneJobs.slow, { subscriptionId }),
      closing: () => closing,
    };
    return [
      handles(fanoutCycle, async () => {
        const fanout = await fanOut({ database, enqueue }, clock.now());
        if (fanout.takenBack > 0) log.warn(fanout, 'most hosts failed alike: their failures do not count');
        return ok(fanout);
      }),
      handles(verifyDue, async () => {
        const due = await dueVerifications(database, clock.now());
        if (due.length > 0)
          await enqueue.addAll(
            verifyReceiver,
            due.map((subscriptionId) => ({ subscriptionId })),
          );
        return ok({ due: due.length });
      }),
      handles(verifyReceiver, ({ subscriptionId }) => verify(deps, subscriptionId)),
      handles(eraseSubscriptionsJob, async () => ok(await eraseSubscriptions(database, clock.now()))),
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

if (import.meta.main) await runWorkers(jobs, [webhooksWorker]);
