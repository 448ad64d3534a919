import { expect } from 'chai';
import { resend } from '../../../src/webhooks/delivery/deliver.ts';
import { type From, pause, resume } from '../../../src/webhooks/subscriptions/manage.ts';
import { findSubscription } from '../../../src/webhooks/subscriptions/subscriptions.ts';
import { post, type Stage, stage } from '../../support/announcements.ts';
import { withDatabase } from '../../support/database.ts';
import { createFanout, type TestFanout } from '../../support/fanout.ts';
import { type Receiver, startReceiver, status } from '../../support/receivers.ts';
import { until } from '../../support/until.ts';

describe('a subscription that its owner pauses, resumes, and resends', () => {
  const stores = withDatabase();
  let receiver: Receiver;
  let fanout: TestFanout;
  let world: Stage;

  before(async () => {
    world = await stage(stores.database, ['ada', 'bea'], ['nba']);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    fanout = await createFanout(stores.database, { allow: [receiver.host] });
  });
  afterEach(async () => {
    await stores.database('webhook_subscriptions').update({ status: 'revoked' });
    await fanout.close();
    await receiver.close();
  });

  const publish = (count: number, capper = 'ada') =>
    post(
      stores.database,
      world,
      Array.from({ length: count }, () => ({ capper })),
      fanout.clock.now(),
    );
  const row = async (id: number) => (await findSubscription(stores.database, id))!;
  const pauseNow = (id: number) => pause(stores.database, id, fanout.clock.now());
  const resumeNow = async (id: number, from: From = 'cursor') => resume(stores.database, await row(id), from);
  const uuids = () => receiver.received.map(({ body }) => JSON.parse(body).pick.pickUuid as string);
  const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);
  const seqs = () => receiver.received.map(({ body }) => JSON.parse(body).seq as number);

  it('receives nothing while paused, and everything after that, once and in order', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const before = await publish(2);
    await fanout.cycle();
    expect(await pauseNow(id)).to.equal(undefined);
    const meanwhile = await publish(3);
    for (let cycle = 0; cycle < 3; cycle += 1) {
      const { fanout: look, outcomes } = await fanout.cycle();
      expect(look).to.deep.include({ behind: [], due: 0 });
      expect(outcomes).to.deep.equal([]);
    }
    expect(await row(id)).to.include({ status: 'paused', consecutive_failures: 0 });
    expect(await resumeNow(id)).to.equal(undefined);
    expect(await row(id)).to.include({ status: 'active', paused_at: null });
    await fanout.cycle();
    expect(uuids()).to.deep.equal([...before, ...meanwhile]);
  });

  it('commits the request in progress, sends nothing after it, and repeats nothing on an immediate resume', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const posted = await publish(3);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.answer = async (response, received) => {
      await held;
      status(204)(response, received);
    };
    const cycle = fanout.cycle();
    await until(() => receiver.received.length === 1);
    await pauseNow(id);
    release();
    await cycle;
    expect(uuids()).to.deep.equal(posted.slice(0, 1));
    expect(await row(id)).to.include({ status: 'paused' });
    await resumeNow(id);
    await fanout.cycle();
    expect(uuids()).to.deep.equal(posted);
  });

  it('stays paused, and enabled, if the request in progress was its fifth failure', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    receiver.answer = status(500);
    const posted = await publish(1);
    for (let cycle = 0; cycle < 4; cycle += 1) await fanout.cycle();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.answer = async (response, received) => {
      await held;
      status(500)(response, received);
    };
    const cycle = fanout.cycle();
    await until(() => receiver.received.length === 5);
    await pauseNow(id);
    release();
    await cycle;
    expect(await row(id)).to.include({ status: 'paused', disabled_at: null });
    receiver.answer = status(204);
    receiver.received.length = 0;
    await resumeNow(id);
    expect(await row(id)).to.include({ consecutive_failures: 0 });
    await fanout.cycle();
    expect(uuids()).to.deep.equal(posted);
  });

  it("resumes from a position or an instant, with the events' original ids", async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const first = await publish(2);
    await fanout.cycle();
    const between = fanout.clock.now() + 1;
    const second = await publish(2);
    await fanout.cycle();
    const sent = { uuids: uuids(), ids: ids(), seqs: seqs() };
    expect(sent.uuids).to.deep.equal([...first, ...second]);
    for (const [from, of] of [
      [{ seq: sent.seqs[1]! }, 1],
      [{ since: between }, 2],
      [{ since: fanout.clock.now() + 3_600_000 }, 4],
      ['head', 4],
      [{ seq: 0 }, 0],
    ] as const) {
      receiver.received.length = 0;
      if (from !== 'head') await pauseNow(id);
      expect(await resumeNow(id, from), JSON.stringify(from)).to.equal(undefined);
      await fanout.cycle();
      expect(ids().slice(-4), JSON.stringify(from)).to.deep.equal(sent.ids.slice(of));
    }
    expect(await resumeNow(id, { seq: 1e9 })).to.have.property('path', '/from');
  });

  it('resumes from an instant with events that are sealed but not announced yet', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    await publish(1);
    await fanout.cycle();
    receiver.received.length = 0;
    await pauseNow(id);
    const sealed = await publish(1);
    await resumeNow(id, { since: fanout.clock.now() + 1 });
    await fanout.cycle();
    expect(uuids()).to.deep.equal(sealed);
  });

  it('can start before it was created, and receives 50 events a cycle', async () => {
    await publish(60, 'bea');
    await fanout.cycle();
    const { id } = await fanout.subscribe(receiver.url(), { capper: 'bea' });
    await resumeNow(id, { seq: 0 });
    await fanout.cycle();
    expect(receiver.received).to.have.lengthOf(50);
    await fanout.cycle();
    expect(receiver.received).to.have.lengthOf(60);
    expect(seqs()).to.deep.equal(seqs().toSorted((one, other) => one - other));
  });

  it('ignores a second pause, and refuses one while disabled', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    await pauseNow(id);
    const { paused_at } = await row(id);
    fanout.clock.set(fanout.clock.now() + 1000);
    expect(await pauseNow(id)).to.equal(undefined);
    expect(await row(id)).to.include({ paused_at });
    await stores.database('webhook_subscriptions').where({ id }).update({ status: 'disabled' });
    expect((await pauseNow(id))?.message).to.contain('disabled');
  });

  it('resends one event out of order, and nothing that it did not receive', async () => {
    const { id } = await fanout.subscribe(receiver.url(), { capper: 'ada' });
    const [wanted] = await publish(2);
    const [other] = await publish(1, 'bea');
    await fanout.cycle();
    const before = await row(id);
    const [deliveryId] = ids();
    receiver.received.length = 0;
    const again = async (name: string) =>
      resend(stores.database, fanout.deps, await row(id), name, fanout.clock.now());
    expect(await again(String(deliveryId))).to.include({
      delivery_id: deliveryId,
      pick_uuid: wanted,
      status: 204,
      error: null,
    });
    expect([ids(), uuids()]).to.deep.equal([[deliveryId], [wanted]]);
    receiver.answer = status(500);
    expect(await again(String(deliveryId))).to.include({ status: 500, error: 'http' });
    expect(await row(id)).to.deep.equal(before);
    const [{ seq }] = await stores.database('ledger_entries').where('uuid', other!).select('seq');
    for (const name of [
      `msg_${id}_${seq}`,
      `msg_${id}_99999999`,
      `msg_${id + 1}_1`,
      `msg_${id}_01`,
      `ping_${id}_x`,
      '',
    ])
      expect(await again(name), name).to.equal(undefined);
    expect(receiver.received).to.have.lengthOf(2);
  });
});
