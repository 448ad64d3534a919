import type { ChildProcess } from 'node:child_process';
import { Pool } from 'undici';
import { beginCycle } from '../../src/webhooks/delivery/cycle.ts';
import type { AnnouncedEvent } from '../../src/webhooks/messages/events.ts';
import { deliveryHeaders } from '../../src/webhooks/messages/messages.ts';
import { deliveryId, payloadOf } from '../../src/webhooks/messages/payloads.ts';
import { makeSecret } from '../../src/webhooks/subscriptions/secrets.ts';
import { post, stage } from '../support/announcements.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import { storedPick } from '../support/stored-pick.ts';
import { answerOf, median } from './children.ts';
import type { Note } from './figures.ts';
import type { Arrived, Round } from './webhook-receivers.ts';
import { perSubscription, type Speed, speedOf, withWebhookSite } from './webhook-site.ts';

/** Concurrent requests to one host, for the service and the baseline. */
const perHost = 8;

/**
 * Deliveries per second through the queue, the leases, and the database to 1, 10, and 100 HTTPS receivers in another process. The baseline
 * is a bare loop that writes, signs, and sends the same bodies with the same HTTP client and concurrency. Then the same with slow
 * receivers, with receivers that hang, and a cycle in which nothing happened. Rounds alternate, and the median counts.
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  { isShort = false }: { isShort?: boolean } = {},
): Promise<void> {
  if (isShort) return againstLoop(say, note, { receivers: 2, subscriptions: 4, rounds: 1, warmUp: 0 });
  await againstLoop(say, note, { receivers: 1, subscriptions: 50, rounds: 7 });
  await againstLoop(say, note, { receivers: 10, subscriptions: 300, rounds: 5 });
  await againstLoop(say, note, { receivers: 100, subscriptions: 500, rounds: 3 });
  await againstLoop(say, note, { receivers: 10, subscriptions: 300, rounds: 3, answerMs: 25 });
  await hanging(note);
  await quietCycle(note);
}

interface Course {
  receivers: number;
  subscriptions: number;
  rounds: number;
  /** A receiver's delay before it answers, in milliseconds. Default: none. */
  answerMs?: number;
  /** Deliveries after which V8 has optimized the code of both: a worker runs for days. Default: 30,000. */
  warmUp?: number;
}

async function againstLoop(
  say: (line: string) => void,
  note: Note,
  { receivers, subscriptions, rounds, answerMs, warmUp = 30_000 }: Course,
): Promise<void> {
  const ours: Speed[] = [];
  const bare: Speed[] = [];
  const warmUps = Math.ceil(warmUp / (subscriptions * perSubscription));
  const answers = answerMs === undefined ? {} : { answerMs };
  await withWebhookSite(receivers, subscriptions, async (site) => {
    const loop = createBareLoop(site, subscriptions / receivers);
    try {
      for (let round = -warmUps; round < rounds; round += 1) {
        const sent = await site.deliverAll(answers);
        const looped = await loop.run(answers);
        if (round < 0) continue;
        ours.push(sent);
        bare.push(looped);
      }
    } finally {
      await loop.close();
    }
  });
  note({
    name: `${receivers} receivers${answerMs === undefined ? '' : ` that take ${answerMs} ms`}`,
    ours: median(ours.map(({ perSecond }) => perSecond)),
    baseline: median(bare.map(({ perSecond }) => perSecond)),
    unit: 'deliveries/s',
    aim: { atLeast: 0.85 },
  });
  const [own, loops] = [ours, bare].map((rounds) => median(rounds.map(({ cpu }) => cpu)).toFixed(0));
  say(`  CPU of the sender for each: ${own} µs, the loop's ${loops} µs`);
}

/** Alternates between 95 receivers that answer with five that never do, and all 100 answering. */
async function hanging(note: Note): Promise<void> {
  const well: number[] = [];
  const beside: number[] = [];
  await withWebhookSite(100, 100, async (site) => {
    await site.deliverAll();
    for (let round = 0; round < 3; round += 1) {
      // Hosts known to be slow would not be tried next to the others, so each kind of round starts with a new worker.
      await site.restart();
      well.push((await site.deliverAll()).perSecond);
      await site.restart();
      beside.push((await site.deliverAll({ hanging: 5 })).perSecond);
    }
  });
  note({
    name: '95 receivers next to 5 that hang',
    ours: median(beside),
    baseline: median(well),
    unit: 'deliveries/s',
    aim: { atLeast: 0.95 },
  });
}

async function quietCycle(note: Note): Promise<void> {
  const database = await createDatabase();
  try {
    const { database: pool } = database;
    const now = Date.parse('2029-06-01T12:00:00Z');
    const handles = Array.from({ length: 1000 }, (_, index) => `capper-${index}`);
    const world = await stage(pool, handles, ['nba']);
    await pool.raw('insert into webhook_filters (capper_id, sport) select id, null from cappers');
    await pool.raw(
      `insert into webhook_subscriptions (filter_id, owner_email, target_url_sealed, target_host, target_url_masked,
         secret_sealed, cursor_seq, created_at)
       select f.id, 'owner@example.org', '\\x00', 'host-' || n || '.example', 'https://example/…', '\\x00', 1000, now()
       from generate_series(1, 100000) n join webhook_filters f on f.capper_id = (select min(id) from cappers) + n % 1000`,
    );
    // Every filter has a head, the most expensive case.
    const picks = handles.map((capper) => ({ capper }));
    await post(pool, world, picks, now);
    await database.owner.raw('vacuum analyze webhook_subscriptions, webhook_filters');
    const times: number[] = [];
    for (let cycle = 0; cycle < 30; cycle += 1) {
      const start = performance.now();
      const { behind } = await beginCycle(pool, now + cycle * 60_000);
      if (behind.length > 0) throw new Error(`${behind.join(', ')} are behind`);
      if (cycle > 0) times.push(performance.now() - start);
    }
    const name = 'a quiet cycle, 100,000 subscriptions, 1,000 filters';
    note({ name, ours: median(times), unit: 'ms', aim: { atMost: 20 } });
  } finally {
    await dropDatabase(database);
  }
}

const event: AnnouncedEvent = {
  ...storedPick,
  verified: true,
  seq: 1,
  kind: 'posted',
  result: null,
  half: null,
  settledAt: null,
  closingOdds: null,
  priceVerdict: null,
  priceOdds: null,
  priceBook: null,
  priceCapturedAt: null,
  priceCounted: null,
  provisional: true,
};

/**
 * Creates a loop that writes, signs, and sends the body of each event to each of `each` subscriptions of every host. It keeps connections
 * open like the service, and stores nothing.
 */
function createBareLoop(site: { receivers: ChildProcess; hosts: string[]; ca: string }, each: number) {
  // A subscription has at most one request in progress.
  const connections = Math.min(perHost, each);
  const pools = site.hosts.map(
    (host) => new Pool(`https://${host}`, { connections, pipelining: 1, connect: { ca: site.ca } }),
  );
  const secrets = site.hosts.map(() => Array.from({ length: each }, () => makeSecret()));
  let rounds = 0;

  async function drain(pool: Pool, host: number, left: { count: number }): Promise<void> {
    while (left.count > 0) {
      left.count -= 1;
      const own = left.count % each;
      const seq = rounds * perSubscription + Math.floor(left.count / each);
      const subscriptionId = host * each + own;
      const now = Date.now();
      const payload = payloadOf({ ...event, seq }, { subscriptionId, now, baseUrl: 'https://picks.example' });
      const body = JSON.stringify(payload);
      const signed = { event: payload.event, deliveryId: deliveryId(subscriptionId, seq), body };
      const timestamp = Math.floor(now / 1000);
      const headers = deliveryHeaders({ ...signed, timestamp, secret: secrets[host]![own]! });
      const answer = await pool.request({ method: 'POST', path: `/${subscriptionId}`, headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`answered ${answer.statusCode}`);
    }
  }

  return {
    async run(round: Omit<Round, 'wanted'>): Promise<Speed> {
      rounds += 1;
      const wanted = pools.length * each * perSubscription;
      const arrived = answerOf<Arrived>(site.receivers, { ...round, wanted } satisfies Round);
      const speed = speedOf(wanted);
      await Promise.all(
        pools.flatMap((pool, host) => {
          const left = { count: each * perSubscription };
          return Array.from({ length: connections }, () => drain(pool, host, left));
        }),
      );
      return speed((await arrived).last);
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
