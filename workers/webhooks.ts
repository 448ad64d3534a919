// The webhooks worker: begins a fanout cycle each minute, delivers events, and erases ended subscriptions.

import {
  eraseSubscriptionsJob,
  fanoutCycle,
  fillLane,
  laneJobs,
  laneNames,
  trimAttemptsJob,
} from '../src/jobs/declared.ts';
import { ok } from '../src/jobs/job.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { worker } from '../src/jobs/runtime/process.ts';
import { createDeliveryClient } from '../src/webhooks/client/client.ts';
import { beginCycle, cycleDue, cycleMs, startWake } from '../src/webhooks/delivery/cycle.ts';
import { createDeliverPage } from '../src/webhooks/delivery/deliver.ts';
import { busyMs, fillLane as fill } from '../src/webhooks/delivery/fill-lane.ts';
import { createLanes, maxRequests } from '../src/webhooks/delivery/lanes.ts';
import { createLeases } from '../src/webhooks/delivery/lease.ts';
import { sharedPermits } from '../src/webhooks/delivery/permits.ts';
import { createEventPages } from '../src/webhooks/messages/events.ts';
import { createMessages } from '../src/webhooks/messages/messages.ts';
import { trimAttempts } from '../src/webhooks/subscriptions/attempts.ts';
import { eraseSubscriptions } from '../src/webhooks/subscriptions/retention.ts';
import { createSealer } from '../src/webhooks/subscriptions/secrets.ts';
import { run } from '../src/workers.ts';

export const webhooksWorker = worker(
  'webhooks',
  ({ config, log, clock, database, redis, enqueue, closing, beforeClose }) => {
    const allowed = config.webhooks.allowedHosts;
    // The lanes limit concurrency, so the client's own limits never block.
    const client = createDeliveryClient({ allowed, limits: { total: maxRequests, hosts: 4096 } });
    beforeClose(() => client.close());
    const sealer = createSealer(config.webhooks.secretKey);
    const lanes = createLanes(sharedPermits(redis, log));
    const deps = {
      database,
      clock,
      client,
      log,
      enqueue,
      events: createEventPages(database),
      leases: createLeases(database, clock),
      lanes,
      messages: createMessages({ allowed, baseUrl: config.site.baseUrl, sealer }),
      moveToSlow: (subscriptionId: number) =>
        enqueue.add(laneJobs.slow, { subscriptionIds: [subscriptionId] }),
      closing,
    };
    const deliverPage = createDeliverPage(deps);
    const wake = startWake((lane) => void enqueue.add(fillLane, { lane }));
    closing.addEventListener('abort', () => {
      wake.stop();
      lanes.stop();
    });
    return [
      handles(
        fanoutCycle,
        async () => {
          const { behind, ...cycle } = await beginCycle(database, clock.now());
          if (cycle.takenBack > 0)
            log.warn(cycle, 'most hosts failed in the same way, so their failures do not count');
          for (const lane of behind) await enqueue.add(fillLane, { lane });
          return ok({ ...cycle, behind: behind.join(' ') });
        },
        { due: cycleDue(database, clock) },
      ),
      handles(fillLane, async ({ lane }) => {
        const { againMs, ...filled } = await fill(deps, lane);
        // Later deliveries belong to the next cycle.
        if (againMs !== null && againMs < cycleMs) wake.laneIn(lane, againMs);
        return ok({ lane, ...filled, againMs });
      }),
      handles(eraseSubscriptionsJob, async () =>
        ok({ erased: await eraseSubscriptions(database, clock.now()) }),
      ),
      handles(trimAttemptsJob, async () => ok({ emptied: await trimAttempts(database, clock.now()) })),
      ...laneNames.map((lane) =>
        handles(laneJobs[lane], ({ subscriptionIds }) => {
          // Continues the lane even if the worker that filled it is killed.
          wake.laneIn(lane, busyMs);
          return deliverPage(subscriptionIds, lane);
        }),
      ),
    ];
  },
  {
    // For a cycle, the lanes that it fills, and other jobs.
    concurrency: 6,
    // Concurrent pages per lane, enough that a few slow subscriptions do not delay others.
    queues: { 'webhooks-healthy': 64, 'webhooks-slow': 64, 'webhooks-chat': 16, 'webhooks-push': 16 },
  },
);

if (import.meta.main) await run([webhooksWorker]);
