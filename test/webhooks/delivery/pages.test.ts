import { expect } from 'chai';
import { laneJobs } from '../../../src/jobs/declared.ts';
import { type Enqueue, openQueues } from '../../../src/jobs/runtime/enqueue.ts';
import { openRedis } from '../../../src/platform/redis.ts';
import { beginCycle } from '../../../src/webhooks/delivery/cycle.ts';
import { createDeliverPage } from '../../../src/webhooks/delivery/deliver.ts';
import { fillLane } from '../../../src/webhooks/delivery/fill-lane.ts';
import { post, type Stage, stage } from '../../support/announcements.ts';
import { withDatabase } from '../../support/database.ts';
import { createFanout, type TestFanout } from '../../support/fanout.ts';
import { quiet } from '../../support/quiet.ts';
import { type Receiver, startReceiver, status } from '../../support/receivers.ts';
import { withRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

describe('pages of deliveries', () => {
  const stores = withDatabase();
  const redis = withRedis();
  let world: Stage;
  let receiver: Receiver;
  let fanout: TestFanout;
  let connection: ReturnType<typeof openRedis>;
  let enqueue: Enqueue;

  before(async () => {
    world = await stage(stores.database, ['ada'], ['nba']);
    connection = openRedis(redis.url, quiet);
    await until(() => connection.status === 'ready');
    enqueue = openQueues(connection, quiet);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    fanout = await createFanout(stores.database, { allow: [receiver.host] });
  });
  afterEach(async () => {
    await stores.database('webhook_subscriptions').delete();
    await connection.flushdb();
    await fanout.close();
    await receiver.close();
  });
  after(async () => {
    await enqueue.close();
    connection.disconnect();
  });

  const closing = new AbortController().signal;
  const publish = () => post(stores.database, world, [{}, {}], fanout.clock.now());
  const minute = () => {
    fanout.clock.set(fanout.clock.now() + 60_000);
    return beginCycle(stores.database, fanout.clock.now());
  };
  const fill = () =>
    fillLane({ database: stores.database, enqueue, clock: fanout.clock, closing }, 'healthy');
  const pages = async () =>
    (await enqueue.queues.get(laneJobs.healthy.queue)!.getWaiting()).map(
      ({ data }) => (data as { subscriptionIds: number[] }).subscriptionIds,
    );

  /** Inserts subscriptions without deliveries, a given number per owner. @returns their ids */
  async function insert(counts: Record<string, number>): Promise<number[]> {
    const { id } = await fanout.subscribe(receiver.url());
    const [template] = await stores.database('webhook_subscriptions').where({ id });
    const { id: _, ...columns } = template;
    await stores.database('webhook_subscriptions').where({ id }).update({ status: 'revoked' });
    const ids: number[] = [];
    for (const [owner, count] of Object.entries(counts)) {
      const rows = Array.from({ length: count }, () => ({
        ...columns,
        owner_email: owner,
        created_at: new Date(columns.created_at),
      }));
      const inserted = await stores.owner.batchInsert('webhook_subscriptions', rows).returning('id');
      ids.push(...inserted.map((row: { id: number }) => row.id));
    }
    return ids;
  }

  it('contain every due subscription once, and are small if few are due, so that they spread over workers', async () => {
    const ids = await insert({ 'a@example.org': 350 });
    await publish();
    expect(await minute())
      .to.include({ began: true })
      .and.to.have.deep.property('behind', ['healthy']);
    expect(await fill()).to.deep.equal({ due: 350, pages: 32, againMs: 5000 });
    const added = await pages();
    expect(Math.max(...added.map(({ length }) => length))).to.equal(11);
    expect(added.flat().sort((a, b) => a - b)).to.deep.equal(ids);
  });

  it('interleave owners', async () => {
    await insert({ 'many@example.org': 300 });
    const few = await insert({ 'Few@example.org': 1, 'few@example.org': 1 });
    await publish();
    await minute();
    await fill();
    const places = (await pages()).flat();
    expect(few.map((id) => places.indexOf(id)).sort((a, b) => a - b)).to.deep.equal([1, 3]);
  });

  it('are enqueued only while few wait, and not for subscriptions already waiting', async () => {
    await insert({ 'a@example.org': 5_100 });
    await publish();
    await minute();
    const queue = enqueue.queues.get(laneJobs.healthy.queue)!;
    const fills = [fill()];
    await until(async () => (await queue.getWaitingCount()) === 50);
    for (const page of await pages()) expect(page).to.have.length(100);
    // A second fill, which starts once no page is waiting.
    fills.push(fill());
    let over = false;
    const both = Promise.all(fills).finally(() => {
      over = true;
    });
    await until(async () => {
      expect(await queue.getWaitingCount()).to.be.at.most(102);
      await queue.drain();
      return over;
    });
    expect((await both).map(({ due }) => due)).to.deep.equal([5_100, 5_100]);
  });

  it('are absent if no subscription is behind', async () => {
    await insert({ 'a@example.org': 1 });
    expect(await minute()).to.have.deep.property('behind', []);
    expect(await fill()).to.deep.equal({ due: 0, pages: 0, againMs: null });
  });

  it('report when to fill the lane again: when a lease ends', async () => {
    await insert({ 'a@example.org': 1 });
    await publish();
    await minute();
    const active = stores.database('webhook_subscriptions').where({ status: 'active' });
    await active.update({ lease_until: new Date(Date.now() + 9_000) });
    const { due, againMs } = await fill();
    expect(due).to.equal(0);
    expect(againMs).to.be.within(1, 9_500);
  });

  it('report the outcome of each subscription, and a faulty one does not affect the others', async () => {
    const well = await fanout.subscribe(receiver.url('/well'));
    const failing = await fanout.subscribe(receiver.url('/failing'));
    const broken = await fanout.subscribe(receiver.url('/broken'));
    await stores
      .database('webhook_subscriptions')
      .where({ id: broken.id })
      .update({ secret_sealed: '\\x00' });
    receiver.answer = (response, received) =>
      status(received.path === '/failing' ? 500 : 204)(response, received);
    await publish();
    await minute();
    const deliverPage = createDeliverPage({ ...fanout.deps, log: quiet });
    const ids = [well.id, failing.id, broken.id];
    const outcome = await deliverPage(ids, 'healthy');
    expect(outcome).to.deep.include({
      outcome: 'failed',
      figures: {
        subscriptions: 3,
        sent: 2,
        [`subscription ${well.id}`]: 'sent 2: everything sent',
        [`subscription ${failing.id}`]: 'sent 0: failed: http',
        [`subscription ${broken.id}`]: 'error',
      },
    });
    expect((outcome as { reason: string }).reason).to.match(
      /^1 of 3 subscriptions: .* is not a sealed value/,
    );
    const again = await deliverPage([well.id], 'healthy');
    expect(again.figures[`subscription ${well.id}`]).to.equal(
      'nothing is due, or another job holds the lease',
    );
  });
});
