import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { QueueName } from '../../src/jobs/job.ts';
import { type Enqueue, openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { handles } from '../../src/jobs/runtime/handlers.ts';
import { type RunningWorker, startWorker } from '../../src/jobs/runtime/worker.ts';
import { allowedHosts } from '../../src/platform/config/kinds.mjs';
import type { Database } from '../../src/platform/database.ts';
import { openRedis, openWaitingRedis } from '../../src/platform/redis.ts';
import { createDeliveryClient } from '../../src/webhooks/client/client.ts';
import { fanOut, laneJobs } from '../../src/webhooks/delivery/cycle.ts';
import { deliver } from '../../src/webhooks/delivery/deliver.ts';
import { createLanes, type Lane } from '../../src/webhooks/delivery/lanes.ts';
import { createLeases } from '../../src/webhooks/delivery/lease.ts';
import { parseTarget } from '../../src/webhooks/guard/target.ts';
import { createEventPages } from '../../src/webhooks/messages/event-pages.ts';
import { createMessages } from '../../src/webhooks/messages/messages.ts';
import { prove } from '../../src/webhooks/subscriptions/prove.ts';
import { createSealer } from '../../src/webhooks/subscriptions/secrets.ts';
import { subscribe } from '../../src/webhooks/subscriptions/subscribe.ts';
import { post, stage } from '../support/announcements.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import { secretKey } from '../support/fanout.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { quiet } from '../support/quiet.ts';
import {
  type Received,
  type Receiver,
  receiversAuthority,
  startReceiver,
  status,
} from '../support/receivers.ts';

const perSubscription = 50;
/** Requests at once to one host, ours and the bare loop's. */
const perHost = 8;

/**
 * Deliveries a second through the queue, the leases and the database, to 1, 10 and 100 HTTPS receivers in this process; against a bare
 * loop of the same HTTP client that sends the same signed bodies, made before, as many at once. Then the same with receivers that take
 * their time, with receivers that hang, and a cycle in which nothing happened. Of rounds that take turns, the median counts.
 */
export async function bench(say: (line: string) => void): Promise<void> {
  await againstLoop(say, { receivers: 1, subscriptions: 50, rounds: 15 });
  await againstLoop(say, { receivers: 10, subscriptions: 300, rounds: 5 });
  await againstLoop(say, { receivers: 100, subscriptions: 500, rounds: 3 });
  await againstLoop(say, { receivers: 10, subscriptions: 300, rounds: 3, answerMs: 25 });
  await hanging(say);
  await quietCycle(say);
}

interface Course {
  receivers: number;
  subscriptions: number;
  rounds: number;
  /** How long a receiver takes to answer, in milliseconds; default: it answers at once. */
  answerMs?: number;
}

async function againstLoop(
  say: (line: string) => void,
  { receivers, subscriptions, rounds, answerMs = 0 }: Course,
): Promise<void> {
  const ours: number[] = [];
  const bare: number[] = [];
  await onSite(receivers, subscriptions, async (site) => {
    if (answerMs > 0) site.dawdle(answerMs);
    // The first two rounds warm up.
    for (let round = -2; round < rounds; round += 1) {
      const sent = await site.deliverAll();
      const looped = await site.bareLoop();
      if (round < 0) continue;
      ours.push(sent);
      bare.push(looped);
    }
  });
  const ratio = median(ours.map((sent, round) => sent / bare[round]!));
  say(
    `${String(receivers).padStart(3)} receivers${answerMs > 0 ? ` that take ${answerMs} ms` : ''}   ` +
      `${median(ours).toFixed(0)}/s, bare loop ${median(bare).toFixed(0)}/s   ` +
      `ratio ${ratio.toFixed(2)}   (aim: at least 0.80)`,
  );
}

/** In turns: all receivers answer, and five of a hundred never do. */
async function hanging(say: (line: string) => void): Promise<void> {
  const well: number[] = [];
  const beside: number[] = [];
  await onSite(100, 100, async (site) => {
    await site.deliverAll();
    for (let round = 0; round < 5; round += 1) {
      await site.disable(5);
      well.push(await site.deliverAll());
      await site.hang(5);
      beside.push(await site.deliverAll());
    }
  });
  const ratio = median(beside.map((sent, round) => sent / well[round]!));
  say(
    `95 receivers beside 5 that hang   ${median(beside).toFixed(0)}/s, without those ${median(well).toFixed(0)}/s   ` +
      `ratio ${ratio.toFixed(2)}   (aim: at least 0.95)`,
  );
}

async function quietCycle(say: (line: string) => void): Promise<void> {
  const database = await createDatabase();
  try {
    const { database: pool } = database;
    const now = Date.parse('2029-06-01T12:00:00Z');
    const handles = Array.from({ length: 1000 }, (_, index) => `capper-${index}`);
    const world = await stage(pool, handles, ['nba']);
    await pool.raw('insert into webhook_filters (capper_id, sport) select id, null from cappers');
    await pool.raw(
      `insert into webhook_subscriptions (filter_id, owner_email, target_url_sealed, target_host, target_url_masked,
         secret_sealed, cursor_seq, resting_seq, created_at)
       select f.id, 'owner@example.org', '\\x00', 'host-' || n || '.example', 'https://example/…', '\\x00', 1000, 1000, now()
       from generate_series(1, 100000) n join webhook_filters f on f.capper_id = (select min(id) from cappers) + n % 1000`,
    );
    // Every filter has a head: what costs most.
    await post(
      pool,
      world,
      handles.map((capper) => ({ capper })),
      now,
    );
    await database.owner.raw('vacuum analyze webhook_subscriptions, webhook_filters');
    const enqueue = { addAll: async () => true, queues: new Map() };
    const times: number[] = [];
    for (let cycle = 0; cycle < 30; cycle += 1) {
      const start = performance.now();
      const { due } = await fanOut({ database: pool, enqueue }, now + cycle * 60_000);
      if (due > 0) throw new Error(`${due} are due`);
      if (cycle > 0) times.push(performance.now() - start);
    }
    say(`a quiet cycle with 100,000 subscriptions and 1,000 filters   ${median(times).toFixed(1)} ms`);
  } finally {
    await dropDatabase(database);
  }
}

interface Site {
  /** Posts 50 picks, takes a cycle, and waits until every receiver that answers has them. @returns deliveries a second */
  deliverAll(): Promise<number>;
  /** Sends what was delivered last once more, with nothing around it. @returns requests a second */
  bareLoop(): Promise<number>;
  /** Every receiver takes so many milliseconds to answer. */
  dawdle(ms: number): void;
  /** Begins anew; the first so many receivers get nothing any more. */
  disable(count: number): Promise<void>;
  /** Begins anew; the first so many receivers are subscribed, without strikes, and never answer. */
  hang(count: number): Promise<void>;
}

async function onSite(
  receivers: number,
  subscriptions: number,
  work: (site: Site) => Promise<void>,
): Promise<void> {
  const store = await createDatabase();
  const redis = openRedis(process.env.REDIS_URL ?? '', quiet);
  const waiting = openWaitingRedis(process.env.REDIS_URL ?? '', quiet);
  await waiting.flushdb();
  const hosts = await Promise.all(Array.from({ length: receivers }, () => startReceiver()));
  const enqueue = openQueues(redis, quiet);
  const { certificate: ca } = await receiversAuthority();
  const bare = createBareLoop(hosts, ca, subscriptions / receivers);
  let closeWorkers = async () => {};
  try {
    const clock = fixedClock('2029-06-01T12:00:00Z');
    const allowed = allowedHosts(hosts.map(({ host }) => host).join(','));
    const { database } = store;
    const world = await stage(database, ['ada'], ['nba']);
    const sealer = createSealer(secretKey);
    await subscribeAll(database, hosts, subscriptions, sealer, allowed, clock.now());
    await fanOut({ database, enqueue }, clock.now());
    const restart = async () => {
      await closeWorkers();
      const client = createDeliveryClient({ allowed, ca, limits: { total: 400 } });
      let closing = false;
      const deps = {
        ...{ clock, client, lanes: createLanes() },
        messages: createMessages({ sealer, allowed, baseUrl: 'https://picks.example' }),
        events: createEventPages(database),
        leases: createLeases(database, clock),
        prove: (subscriptionId: number) => prove(database, subscriptionId, clock.now()),
        moveToSlow: (subscriptionId: number) => enqueue.add(laneJobs.slow, { subscriptionId }),
        closing: () => closing,
      };
      const workers = lanesOf(waiting, enqueue, (id, lane) => deliver(deps, id, lane));
      closeWorkers = async () => {
        closing = true;
        await Promise.all(workers.map((worker) => worker.close()));
        await client.close();
      };
    };
    await restart();
    let silent = 0;
    const answering = () => hosts.slice(silent);
    const each = subscriptions / receivers;
    await work({
      async deliverAll() {
        const wanted = answering().length * each * perSubscription;
        for (const host of hosts) host.received.length = 0;
        await post(
          database,
          world,
          Array.from({ length: perSubscription }, () => ({})),
          clock.now(),
        );
        clock.set(clock.now() + 60_000);
        const start = performance.now();
        await fanOut({ database, enqueue }, clock.now());
        const count = () => answering().reduce((sum, { received }) => sum + received.length, 0);
        while (count() < wanted) {
          if (performance.now() - start > 120_000) throw new Error(`${count()} of ${wanted} arrived`);
          await sleep(2);
        }
        const seconds = (performance.now() - start) / 1000;
        // Until the last one is stored, and whoever hangs has timed out.
        while (await held(database)) await sleep(20);
        return wanted / seconds;
      },
      bareLoop: () => bare.run(),
      dawdle(ms) {
        const answer = status(204);
        for (const host of hosts)
          host.answer = (response, received) => void setTimeout(() => answer(response, received), ms);
      },
      async disable(count) {
        silent = count;
        await database('webhook_subscriptions')
          .whereIn(
            'target_host',
            hosts.slice(0, count).map(({ host }) => host),
          )
          .update({ status: 'disabled' });
        await restart();
      },
      async hang(count) {
        silent = count;
        for (const host of hosts.slice(0, count)) host.answer = () => {};
        await database('webhook_subscriptions')
          .whereIn(
            'target_host',
            hosts.slice(0, count).map(({ host }) => host),
          )
          .update({ status: 'active', consecutive_failures: 0 });
        // As if never seen before: known to be slow, they would not even be tried beside the others. So the rounds without them begin anew too.
        await restart();
      },
    });
  } finally {
    await closeWorkers();
    await bare.close();
    await enqueue.close();
    redis.disconnect();
    waiting.disconnect();
    await Promise.all(hosts.map((host) => host.close()));
    await dropDatabase(store);
  }
}

function lanesOf(
  redis: ReturnType<typeof openWaitingRedis>,
  enqueue: Enqueue,
  work: (id: number, lane: Lane) => ReturnType<typeof deliver>,
): RunningWorker[] {
  return (Object.keys(laneJobs) as Lane[]).map((lane) => {
    const job = laneJobs[lane];
    const handler = handles(job, ({ subscriptionId }) => work(subscriptionId, lane));
    return startWorker(job.queue as QueueName, [handler], { redis, enqueue, log: quiet }, 512);
  });
}

async function subscribeAll(
  database: Database,
  hosts: readonly Receiver[],
  subscriptions: number,
  sealer: ReturnType<typeof createSealer>,
  allowed: ReturnType<typeof allowedHosts>,
  now: number,
): Promise<void> {
  for (let index = 0; index < subscriptions; index += 1) {
    const verdict = parseTarget(hosts[index % hosts.length]!.url(`/${index}`), allowed);
    if (!verdict.ok) throw new Error(verdict.reason);
    const wanted = { target: verdict.target, capperHandle: null, sport: null };
    const subscribed = await subscribe(
      database,
      sealer,
      { ownerEmail: `o${index}@example.org`, client: `client ${index}`, ...wanted },
      now,
    );
    if (!subscribed.ok) throw new Error(subscribed.fault.message);
  }
}

async function held(database: Database): Promise<boolean> {
  const rows = await database('webhook_subscriptions').whereNotNull('lease_until').limit(1).select('id');
  return rows.length > 0;
}

/** Requests that go out as soon as a connection is free, over connections that stay open, as ours do. */
function createBareLoop(hosts: readonly Receiver[], ca: string, each: number) {
  // A subscription has one request under way at most.
  const connections = Math.min(perHost, each);
  const pools = hosts.map(
    (host) => new Pool(`https://${host.host}`, { connections, pipelining: 1, connect: { ca } }),
  );
  return {
    /** @returns requests a second */
    async run(): Promise<number> {
      const queues = hosts.map(({ received }) => received.splice(0));
      const total = queues.reduce((sum, queue) => sum + queue.length, 0);
      const start = performance.now();
      await Promise.all(
        pools.flatMap((pool, index) =>
          Array.from({ length: connections }, () => drain(pool, queues[index]!)),
        ),
      );
      return total / ((performance.now() - start) / 1000);
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

async function drain(pool: Pool, queue: Received[]): Promise<void> {
  for (let request = queue.pop(); request !== undefined; request = queue.pop()) {
    const { path, body } = request;
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await pool.request({
      method: 'POST',
      path,
      headers: headers as Record<string, string>,
      body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`answered ${answer.statusCode}`);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
