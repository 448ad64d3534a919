import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { laneJobs, laneNames } from '../../src/jobs/declared.ts';
import type { QueueName } from '../../src/jobs/job.ts';
import { type Enqueue, openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { handles } from '../../src/jobs/runtime/handlers.ts';
import { startWorker } from '../../src/jobs/runtime/worker.ts';
import { allowedHosts } from '../../src/platform/config/kinds.ts';
import type { Database } from '../../src/platform/database.ts';
import { openRedis, openWaitingRedis } from '../../src/platform/redis.ts';
import { createDeliveryClient } from '../../src/webhooks/client/client.ts';
import { beginCycle } from '../../src/webhooks/delivery/cycle.ts';
import { createDeliverPage } from '../../src/webhooks/delivery/deliver.ts';
import { fillLane } from '../../src/webhooks/delivery/fill-lane.ts';
import { createLanes } from '../../src/webhooks/delivery/lanes.ts';
import { createLeases } from '../../src/webhooks/delivery/lease.ts';
import { sharedPermits } from '../../src/webhooks/delivery/permits.ts';
import { parseTarget } from '../../src/webhooks/guard/target.ts';
import { createEventPages } from '../../src/webhooks/messages/events.ts';
import { createMessages } from '../../src/webhooks/messages/messages.ts';
import { createSealer } from '../../src/webhooks/subscriptions/secrets.ts';
import { subscribe } from '../../src/webhooks/subscriptions/subscribe.ts';
import { post, stage } from '../support/announcements.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import { secretKey } from '../support/fanout.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { quiet } from '../support/quiet.ts';
import { answerOf, withChild } from './children.ts';
import type { Arrived, Round, Start, Started } from './webhook-receivers.ts';

/** Events for each subscription in a round. */
export const perSubscription = 50;

/** The cost of a round of deliveries. */
export interface Speed {
  perSecond: number;
  /** CPU time of this process per delivery, in microseconds. It is more reliable than the speed on a busy machine. */
  cpu: number;
}

/** A database, queues, a worker of all lanes in this process, and receivers in another one. */
export interface WebhookSite {
  receivers: ChildProcess;
  /** `localhost:<port>` of each receiver, and the certificate of their authority. */
  hosts: string[];
  ca: string;
  /** Posts 50 picks, starts a cycle, and waits until all deliveries have arrived and are stored. */
  deliverAll(round?: Omit<Round, 'wanted'>): Promise<Speed>;
  /** Forgets what this process knows about receivers, and resets failures. */
  restart(): Promise<void>;
}

/** @param subscriptions in total, assigned to receivers in turn */
export function withWebhookSite(
  receivers: number,
  subscriptions: number,
  work: (site: WebhookSite) => Promise<void>,
): Promise<void> {
  return withChild('webhook-receivers.ts', async (child) => {
    const { ca, ports } = await answerOf<Started>(child, { receivers } satisfies Start);
    const hosts = ports.map((port) => `localhost:${port}`);
    const store = await createDatabase();
    const { database } = store;
    const redis = openRedis(process.env.REDIS_URL ?? '', quiet);
    const waiting = openWaitingRedis(process.env.REDIS_URL ?? '', quiet);
    await waiting.flushdb();
    const enqueue = openQueues(redis, quiet);
    const clock = fixedClock('2029-06-01T12:00:00Z');
    const allowed = allowedHosts(hosts.join(','));
    const sealer = createSealer(secretKey);
    const permits = sharedPermits(redis, quiet);
    let stop = async () => {};

    const restart = async () => {
      await stop();
      await database('webhook_subscriptions').update({ consecutive_failures: 0 });
      const client = createDeliveryClient({ allowed, ca, limits: { total: 400 } });
      const closing = new AbortController();
      const deliverPage = createDeliverPage({
        clock,
        client,
        log: quiet,
        lanes: createLanes({
          ...permits,
          // Not the rate per host, which would decide everything.
          take: (limited, atOnce) => permits.take({ ...limited, rates: [] }, atOnce),
        }),
        messages: createMessages({ sealer, allowed, baseUrl: 'https://picks.example' }),
        events: createEventPages(database),
        leases: createLeases(database, clock),
        moveToSlow: (subscriptionId) => enqueue.add(laneJobs.slow, { subscriptionIds: [subscriptionId] }),
        closing: closing.signal,
      });
      const workers = laneNames.map((lane) => {
        const handler = handles(laneJobs[lane], ({ subscriptionIds }) => deliverPage(subscriptionIds, lane));
        return startWorker(
          laneJobs[lane].queue as QueueName,
          [handler],
          { redis: waiting, enqueue, log: quiet },
          64,
        );
      });
      stop = async () => {
        closing.abort();
        await Promise.all(workers.map((worker) => worker.close()));
        await client.close();
      };
    };

    try {
      const world = await stage(database, ['ada'], ['nba']);
      for (let index = 0; index < subscriptions; index += 1) {
        const verdict = parseTarget(`https://${hosts[index % hosts.length]}/${index}`, allowed);
        if (!verdict.ok) throw new Error(verdict.reason);
        const client = { ownerEmail: `o${index}@example.org`, client: `client ${index}` };
        const wanted = { ...client, target: verdict.target, capperHandle: null, sport: null };
        const subscribed = await subscribe(database, sealer, wanted, clock.now());
        if (!subscribed.ok) throw new Error(subscribed.fault.message);
      }
      await beginCycle(database, clock.now());
      await restart();
      await work({
        receivers: child,
        hosts,
        ca,
        restart,
        async deliverAll(round = {}) {
          const each = subscriptions / receivers;
          const wanted = (receivers - (round.hanging ?? 0)) * each * perSubscription;
          const picks = Array.from({ length: perSubscription }, () => ({}));
          await post(database, world, picks, clock.now());
          clock.set(clock.now() + 60_000);
          const arrived = answerOf<Arrived>(child, { ...round, wanted } satisfies Round);
          const speed = speedOf(wanted);
          await cycle({ database, enqueue, clock });
          // On a busy machine a subscription's time in a cycle may be too short for all of it.
          const again = setInterval(() => {
            clock.set(clock.now() + 60_000);
            void cycle({ database, enqueue, clock });
          }, 40_000);
          const { last } = await arrived.finally(() => clearInterval(again));
          while (await isLeased(database)) await sleep(20);
          return speed(last);
        },
      });
    } finally {
      await stop();
      await enqueue.close();
      redis.disconnect();
      waiting.disconnect();
      await dropDatabase(store);
    }
  });
}

/** Starts to measure this many requests. @returns a function that computes their speed, given the instant when the last one arrived */
export function speedOf(requests: number): (last: number) => Speed {
  const began = Date.now();
  const usage = process.cpuUsage();
  return (last) => {
    const { user, system } = process.cpuUsage(usage);
    return { perSecond: requests / ((last - began) / 1000), cpu: (user + system) / requests };
  };
}

async function cycle(deps: { database: Database; enqueue: Enqueue; clock: { now(): number } }) {
  const { behind } = await beginCycle(deps.database, deps.clock.now());
  await Promise.all(behind.map((lane) => fillLane({ ...deps, closing: new AbortController().signal }, lane)));
}

async function isLeased(database: Database): Promise<boolean> {
  const rows = await database('webhook_subscriptions').whereNotNull('lease_until').limit(1).select('id');
  return rows.length > 0;
}
