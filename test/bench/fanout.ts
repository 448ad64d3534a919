import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allowedHosts } from '../../src/platform/config/kinds.ts';
import type { Database } from '../../src/platform/database.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { parseTarget } from '../../src/webhooks/guard/target.ts';
import {
  createSealer,
  makeSecret,
  secretContext,
  targetContext,
} from '../../src/webhooks/subscriptions/secrets.ts';
import { post, stage } from '../support/announcements.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import { secretKey } from '../support/fanout.ts';
import { quiet } from '../support/quiet.ts';
import { until } from '../support/until.ts';
import { type WorkerProcesses, workerProcesses } from '../support/worker-processes.ts';
import { answerOf, withChild } from './children.ts';
import type { Note } from './figures.ts';
import type { Arrived, Round, Start, Started } from './webhook-receivers.ts';

/** The most subscriptions with readable secrets. The fanout finds them first, and the run ends before it reaches the others. */
const mostSendable = 20_000;

/**
 * One event and a million matching subscriptions (`FANOUT_DUE`), two worker processes (`FANOUT_WORKERS`), and receivers in another
 * process. Stops after a minute (`FANOUT_SECONDS`), or when everything has arrived. Halfway through, one worker is killed and restarted.
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  {
    due = Number(process.env.FANOUT_DUE ?? 1_000_000),
    seconds = Number(process.env.FANOUT_SECONDS ?? 60),
    workerCount = Number(process.env.FANOUT_WORKERS ?? 2),
    receivers = 16,
  } = {},
): Promise<void> {
  const sendable = Math.min(due, mostSendable);
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-fanout-'));
  const store = await createDatabase();
  const redis = openRedis(process.env.REDIS_URL ?? '', quiet);
  const workers: WorkerProcesses[] = [];
  try {
    await withChild('webhook-receivers.ts', async (child) => {
      const { ca, ports } = await answerOf<Started>(child, { receivers } satisfies Start);
      writeFileSync(join(folder, 'ca.pem'), ca);
      const hosts = ports.map((port) => `localhost:${port}`);
      await until(() => redis.status === 'ready');
      await redis.flushdb();
      await insertSubscriptions(store.database, hosts, due, sendable);
      const world = await stage(store.database, ['ada'], ['nba']);
      await post(store.database, world, [{}], Date.now());
      await store.owner.raw('vacuum analyze webhook_subscriptions, webhook_filters');
      say(`${due} subscriptions are due`);

      const memory = async () => Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
      const settings = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), WEBHOOK_ALLOW_HOSTS: hosts.join(',') };
      for (let index = 0; index < workerCount; index += 1)
        workers.push(
          workerProcesses({ databaseUrl: store.url, redisUrl: process.env.REDIS_URL ?? '' }, settings),
        );
      const before = await memory();
      let peak = before;
      child.send({ wanted: Number.POSITIVE_INFINITY } satisfies Round);
      for (const worker of workers) worker.start('webhooks');
      const report = () => answerOf<Arrived>(child, 'report');
      await until(async () => (await report()).count > 0, 600_000);
      // In the first cycle: a later one begins after a minute.
      const [{ started_at: startedAt }] = await store.database('webhook_cycles').select('started_at');
      const began = Date.now();
      let killed = false;
      for (let count = 0; count < sendable && Date.now() < began + seconds * 1000; ) {
        peak = Math.max(peak, await memory());
        ({ count } = await report());
        if (!killed && (Date.now() > began + seconds * 500 || count > sendable / 2)) {
          killed = true;
          await workers[0]!.kill('webhooks');
          workers[0]!.start('webhooks');
        }
        await sleep(200);
      }
      await Promise.all(workers.map((worker) => worker.stop()));
      const arrived = await report();
      const { count: behind } = (await store
        .database('webhook_subscriptions')
        .where('cursor_seq', 0)
        .count({ count: '*' })
        .first()) as { count: number };
      const firstMs = arrived.first - startedAt;
      const unit = 'MB';
      note({ name: 'cycle to first request', ours: firstMs / 1000, unit: 's', aim: { atMost: 5 } });
      note({ name: 'growth of Redis', ours: (peak - before) / 2 ** 20, unit, aim: { atMost: 20 } });
      note({ name: 'repeated requests, one worker killed', ours: arrived.repeated, unit: 'requests' });
      note({
        name: 'deliveries',
        ours: (arrived.count - 1) / ((arrived.last - arrived.first) / 1000),
        unit: 'deliveries/s',
      });
      say(`${arrived.count} requests arrived, ${behind} subscriptions are behind`);
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    redis.disconnect();
    await dropDatabase(store);
    rmSync(folder, { recursive: true });
  }
}

/** Inserts subscriptions to all events, each with its own owner. None has received an event yet. */
async function insertSubscriptions(
  database: Database,
  hosts: readonly string[],
  due: number,
  sendable: number,
): Promise<void> {
  const sealer = createSealer(secretKey);
  const allowed = allowedHosts(hosts.join(','));
  const [filter] = await database('webhook_filters').insert({}).returning('id');
  const batch = 10_000;
  for (let from = 1; from <= sendable; from += batch) {
    const rows = Array.from({ length: Math.min(batch, sendable - from + 1) }, (_, index) => {
      const id = from + index;
      const verdict = parseTarget(`https://${hosts[id % hosts.length]}/${id}`, allowed);
      if (!verdict.ok) throw new Error(verdict.reason);
      const { url, host, masked } = verdict.target;
      const sealed = {
        url: sealer.seal(url, targetContext(id)),
        secret: sealer.seal(makeSecret(), secretContext(id)),
      };
      return { id, host, masked, url: sealed.url.toString('hex'), secret: sealed.secret.toString('hex') };
    });
    await database.raw(
      `insert into webhook_subscriptions (id, filter_id, owner_email, target_url_sealed, target_host, target_url_masked, secret_sealed,
         cursor_seq, created_at)
       overriding system value
       select id, :filter, 'owner-' || id || '@example.org', decode(url, 'hex'), host, masked, decode(secret, 'hex'), 0, now()
       from json_to_recordset(:rows) as g (id int, host text, masked text, url text, secret text)`,
      { filter: filter.id, rows: JSON.stringify(rows) },
    );
  }
  await database.raw(
    `insert into webhook_subscriptions (id, filter_id, owner_email, target_url_sealed, target_host, target_url_masked, secret_sealed,
       cursor_seq, created_at)
     overriding system value
     select id, :filter, 'owner-' || id || '@example.org', '\\x00', 'other-' || id % 1000 || '.example', 'https://example/***', '\\x00',
       0, now()
     from generate_series(cast(:from as int), cast(:to as int)) as g (id)`,
    { filter: filter.id, from: sendable + 1, to: due },
  );
}
