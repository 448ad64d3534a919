import { expect } from 'chai';
import { createLanes, type Leave, type Pace, type Visit } from '../../../src/webhooks/delivery/lanes.ts';
import { findSubscription } from '../../../src/webhooks/subscriptions/subscriptions.ts';
import { post, type Stage, stage } from '../../support/announcements.ts';
import { withDatabase } from '../../support/database.ts';
import { createFanout, type TestFanout } from '../../support/fanout.ts';
import { type Receiver, startReceiver, status } from '../../support/receivers.ts';

/** Returns how many promises have settled by now. */
async function settledOf(promises: readonly Promise<unknown>[]): Promise<number> {
  let settled = 0;
  for (const promise of promises) void promise.then(() => (settled += 1));
  await new Promise((next) => setTimeout(next, 10));
  return settled;
}

const long = 60_000;

/** A host without a rate. */
const at = (key: string): Visit => ({ key, client: 'a client', rates: [] });

describe('the lanes', () => {
  it('allow more requests to a host while it answers quickly, and a single one otherwise', async () => {
    const lanes = createLanes();
    const all = Array.from({ length: 20 }, () => lanes.enter('slow', at('a'), long));
    const leave = async (index: number, pace?: Pace) => ((await all[index]) as Leave)(pace);
    expect(await settledOf(all)).to.equal(2);
    for (let index = 0; index < 6; index += 1) await leave(index, 'quick');
    expect(await settledOf(all)).to.equal(6 + 8);
    await leave(6, 'failed');
    for (let index = 7; index < 13; index += 1) await leave(index);
    expect(await settledOf(all), 'one is still inside').to.equal(14);
    await leave(13);
    expect(await settledOf(all)).to.equal(15);
    await leave(14, 'quick');
    expect(await settledOf(all)).to.equal(17);
  });

  it('move everyone who waits for a hanging host to the slow lane at once, and later ones too', async () => {
    const lanes = createLanes();
    const all = Array.from({ length: 50 }, () => lanes.enter('healthy', at('a'), long));
    ((await all[0]) as Leave)('failed');
    expect(await Promise.all(all.slice(2))).to.deep.equal(Array(48).fill('slow'));
    expect(await lanes.enter('healthy', at('a'), long)).to.equal('slow');
    ((await all[1]) as Leave)('quick');
    expect(await lanes.enter('healthy', at('a'), long)).to.be.a('function');
  });

  it('keep nobody waiting beyond the limit', async () => {
    const lanes = createLanes();
    const all = Array.from({ length: 3 }, () => lanes.enter('slow', at('a'), 20));
    expect(await all[2]).to.equal('late');
    ((await all[0]) as Leave)('quick');
    expect(await lanes.enter('slow', at('a'), 20)).to.be.a('function');
  });

  it('keep nobody waiting at shutdown', async () => {
    const lanes = createLanes();
    const all = Array.from({ length: 5 }, (_, index) =>
      lanes.enter(index % 2 ? 'healthy' : 'slow', at('a'), long),
    );
    expect(await settledOf(all)).to.equal(2);
    lanes.stop();
    expect(await Promise.all(all.slice(2))).to.deep.equal(['late', 'late', 'late']);
    expect(await lanes.enter('chat', at('a'), long)).to.equal('late');
    for (const entered of all.slice(0, 2)) ((await entered) as Leave)('quick');
  });

  it('keep capacity for other hosts while many wait for one', async () => {
    const lanes = createLanes();
    const waiting = Array.from({ length: 1000 }, () => lanes.enter('healthy', at('hangs'), long));
    expect(await settledOf(waiting)).to.equal(2);
    const others = Array.from({ length: 100 }, (_, host) => lanes.enter('healthy', at(`host-${host}`), long));
    expect(await settledOf(others)).to.equal(100);
    ((await waiting[0]) as Leave)('failed');
    await Promise.all(waiting.slice(2));
  });

  it('have separate capacities', async () => {
    const lanes = createLanes();
    const many = Array.from({ length: 300 }, (_, host) => lanes.enter('healthy', at(`host-${host}`), long));
    expect(await settledOf(many)).to.equal(256);
    const others = [lanes.enter('slow', at('another'), long), lanes.enter('chat', at('discord.com'), long)];
    expect(await settledOf(others)).to.equal(2);
  });
});

describe('slow and failing receivers', () => {
  const stores = withDatabase();
  let receivers: Receiver[];
  let fanout: TestFanout;
  let world: Stage;

  before(async () => {
    world = await stage(stores.database, ['ada'], ['nba']);
  });
  beforeEach(async () => {
    receivers = await Promise.all(Array.from({ length: 7 }, () => startReceiver()));
    fanout = await createFanout(stores.database, {
      allow: receivers.map(({ host }) => host),
      // Receivers must answer in time even on a busy machine.
      client: { limits: { totalMs: 1500 } },
    });
  });
  afterEach(async () => {
    await stores.database('webhook_subscriptions').update({ status: 'revoked' });
    await fanout.close();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });
  const publish = (count: number) =>
    post(
      stores.database,
      world,
      Array.from({ length: count }, () => ({})),
      fanout.clock.now(),
    );
  const strikes = async (ids: number[]) =>
    Promise.all(ids.map(async (id) => (await findSubscription(stores.database, id))?.consecutive_failures));
  const hang = () => {};

  it('leave the healthy lane when they fail, and return when they answer', async () => {
    const { id } = await fanout.subscribe(receivers[0]!.url());
    await publish(1);
    receivers[0]!.answer = hang;
    const lanesOf = ({ outcomes }: { outcomes: { lane: string }[] }) => outcomes.map(({ lane }) => lane);
    const first = await fanout.cycle();
    expect(first.outcomes).to.deep.equal([{ id, lane: 'healthy', sent: 0, ended: 'failed: timeout' }]);
    expect(lanesOf(await fanout.cycle())).to.deep.equal(['slow']);
    receivers[0]!.answer = status(204);
    expect(lanesOf(await fanout.cycle())).to.deep.equal(['slow']);
    await publish(1);
    expect(lanesOf(await fanout.cycle())).to.deep.equal(['healthy']);
  });

  it('move other subscriptions of their host with them', async () => {
    const hanging = await fanout.subscribe(receivers[0]!.url('/hangs'));
    await publish(1);
    receivers[0]!.answer = hang;
    await fanout.cycle();
    const other = await fanout.subscribe(receivers[0]!.url('/well'));
    receivers[0]!.answer = (response, received) => {
      if (received.path === '/well') status(204)(response, received);
    };
    await publish(1);
    const { outcomes } = await fanout.cycle();
    expect(outcomes.find(({ id, lane }) => id === other.id && lane === 'healthy')).to.include({
      sent: 0,
      ended: 'moved to the slow lane',
    });
    expect(outcomes.find(({ id, lane }) => id === other.id && lane === 'slow')).to.include({ sent: 1 });
    expect(await strikes([hanging.id, other.id])).to.deep.equal([2, 0]);
  });

  it('are not blamed when most healthy hosts fail alike in one cycle, which enables the disabled ones again', async () => {
    const ids: number[] = [];
    for (const receiver of receivers) ids.push((await fanout.subscribe(receiver.url())).id);
    await publish(1);
    receivers[0]!.answer = status(500);
    for (const receiver of receivers.slice(1)) receiver.answer = status(204);
    for (let cycle = 0; cycle < 4; cycle += 1) await fanout.cycle();
    expect(await strikes(ids)).to.deep.equal([4, 0, 0, 0, 0, 0, 0]);
    await publish(1);
    for (const receiver of receivers) receiver.answer = hang;
    await fanout.cycle();
    expect((await findSubscription(stores.database, ids[0]!))?.status).to.equal('disabled');
    for (const receiver of receivers) receiver.answer = status(204);
    const { fanout: next } = await fanout.cycle();
    expect(next.takenBack).to.equal(7);
    expect(await strikes(ids)).to.deep.equal([0, 0, 0, 0, 0, 0, 0]);
    const states = await stores.database('webhook_subscriptions').whereIn('id', ids).pluck('status');
    expect(new Set(states)).to.deep.equal(new Set(['active']));
  });

  it('are blamed if others answer, whatever they answer', async () => {
    const ids: number[] = [];
    for (const receiver of receivers) ids.push((await fanout.subscribe(receiver.url())).id);
    await publish(1);
    for (const [index, receiver] of receivers.entries()) receiver.answer = index < 3 ? hang : status(404);
    await fanout.cycle();
    await fanout.cycle();
    expect(await strikes(ids)).to.deep.equal([2, 2, 2, 2, 2, 2, 2]);
  });

  it('are not blamed for a fault of the service', async () => {
    const { id } = await fanout.subscribe(receivers[0]!.url());
    await publish(1);
    const post = async () => ({
      status: null,
      error: 'dns' as const,
      durationMs: 1,
      retryAfterMs: null,
      rateLimitMs: null,
      ours: true,
    });
    Object.assign(fanout.deps, { client: { post } });
    for (let cycle = 0; cycle < 6; cycle += 1) await fanout.cycle();
    expect(await findSubscription(stores.database, id)).to.include({
      status: 'active',
      consecutive_failures: 0,
      last_status: null,
    });
  });
});
