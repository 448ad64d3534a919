import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { allowedHosts } from '../../src/platform/config/kinds.ts';
import { parseTarget } from '../../src/webhooks/guard/target.ts';
import { createSealer } from '../../src/webhooks/subscriptions/secrets.ts';
import { subscribe } from '../../src/webhooks/subscriptions/subscribe.ts';
import { post, stage } from '../support/announcements.ts';
import { withDatabase } from '../support/database.ts';
import { secretKey } from '../support/fanout.ts';
import { type Receiver, receiversAuthority, startReceiver } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { type WorkerProcesses, workerProcesses } from '../support/worker-processes.ts';

/**
 * `FAULTS=long` waits for the leases of killed workers to expire. In the short form, which `npm test` runs, they expire at once when no
 * worker is left that could hold one.
 */
const long = process.env.FAULTS === 'long';
const perSubscription = 50;
const subscriptions = long ? 200 : 40;
const hosts = 4;
const kills = long ? 6 : 2;

describe('webhook deliveries during faults', function () {
  this.timeout(180_000);
  const stores = withDatabase();
  const redis = withRedis();
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-ca-'));
  const receivers: Receiver[] = [];
  const workers: WorkerProcesses[] = [];

  before(async () => {
    for (let host = 0; host < hosts; host += 1) receivers.push(await startReceiver());
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, (await receiversAuthority()).certificate);
    const allow = receivers.map(({ host }) => host).join(',');
    for (let worker = 0; worker < 2; worker += 1)
      workers.push(
        workerProcesses(
          { databaseUrl: stores.url, redisUrl: redis.url },
          { NODE_EXTRA_CA_CERTS: ca, WEBHOOK_ALLOW_HOSTS: allow },
        ),
      );
  });
  after(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await Promise.all(receivers.map((receiver) => receiver.close()));
    rmSync(folder, { recursive: true });
  });

  it('all arrive in order, with at most one repetition per kill, after two killed workers and a Redis flush', async () => {
    const { database } = stores;
    const world = await stage(database, ['ada'], ['nba']);
    const allowed = allowedHosts(receivers.map(({ host }) => host).join(','));
    const sealer = createSealer(secretKey);
    const now = Date.now();
    for (let index = 0; index < subscriptions; index += 1) {
      const verdict = parseTarget(receivers[index % hosts]!.url(`/${index}`), allowed);
      if (!verdict.ok) throw new Error(verdict.reason);
      const wanted = { target: verdict.target, capperHandle: null, sport: null };
      await subscribe(
        database,
        sealer,
        { ownerEmail: `owner-${index}@example.org`, client: `client ${index}`, ...wanted },
        now,
      );
    }
    const posted = await post(
      database,
      world,
      Array.from({ length: perSubscription }, () => ({})),
      now,
    );
    const received = () => receivers.flatMap(({ received }) => received).length;
    const complete = () => distinct(receivers) >= subscriptions * perSubscription;

    for (const worker of workers) worker.start('webhooks');
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = workers[kill % workers.length]!;
      // At any point, including between an answer and its commit.
      const until = received() + (subscriptions * perSubscription * (0.3 + Math.random())) / (2 * kills);
      await untilTrue(() => received() >= until || complete(), workers);
      await sleep(Math.random() * 20);
      await worker.kill('webhooks');
      if (kill === 1) await redis.redis.flushdb();
      if (long) worker.start('webhooks');
    }
    if (!long) {
      expect(complete(), 'killed after the last delivery').to.equal(false);
      await database('webhook_subscriptions')
        .whereNotNull('lease_until')
        .update({ lease_until: new Date(0) });
      for (const worker of workers) worker.start('webhooks');
    }
    await untilTrue(complete, workers);

    const bySubscription = new Map<string, string[]>();
    for (const { path, body } of receivers.flatMap(({ received }) => received)) {
      const list = bySubscription.get(path) ?? [];
      bySubscription.set(path, list);
      list.push(JSON.parse(body).pick.pickUuid);
    }
    expect(bySubscription.size).to.equal(subscriptions);
    for (const [path, uuids] of bySubscription) {
      const inOrder = uuids.filter((uuid, index) => uuid !== uuids[index - 1]);
      expect(inOrder, `the order at ${path}`).to.deep.equal(posted);
      expect(uuids.length - inOrder.length, `repetitions at ${path}`).to.be.at.most(kills);
    }
    const [left] = await database('webhook_subscriptions')
      .count({ n: '*' })
      .where('consecutive_failures', '>', 0);
    expect(left?.n, 'strikes').to.equal(0);
  });

  it('shut down in order on SIGTERM', async () => {
    const codes = (await Promise.all(workers.map((worker) => worker.stop()))).flat();
    expect(codes, workers.map((worker) => worker.output()).join('\n')).to.deep.equal([0, 0]);
  });
});

/** Returns the number of distinct events over all subscriptions. */
function distinct(receivers: readonly Receiver[]): number {
  const ids = receivers.flatMap(({ received }) => received).map(({ headers }) => headers['webhook-id']);
  return new Set(ids).size;
}

async function untilTrue(isSo: () => boolean, workers: readonly WorkerProcesses[]): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!isSo()) {
    if (Date.now() > deadline)
      throw new Error(`deliveries stopped\n${workers.map((worker) => worker.output()).join('\n')}`);
    await sleep(5);
  }
}
