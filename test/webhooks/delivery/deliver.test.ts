import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { openDatabase } from '../../../src/platform/database.ts';
import { checker } from '../../../src/platform/schema.ts';
import { beginCycle } from '../../../src/webhooks/delivery/cycle.ts';
import { deliver } from '../../../src/webhooks/delivery/deliver.ts';
import { createLeases, type Lease } from '../../../src/webhooks/delivery/lease.ts';
import { deliveryId, payloadSchemas } from '../../../src/webhooks/messages/payloads.ts';
import { resume, revoke, rotate } from '../../../src/webhooks/subscriptions/manage.ts';
import { findSubscription } from '../../../src/webhooks/subscriptions/subscriptions.ts';
import { post, type Stage, settle, stage } from '../../support/announcements.ts';
import { withDatabase } from '../../support/database.ts';
import { createFanout, type TestFanout } from '../../support/fanout.ts';
import { withOutage } from '../../support/outage.ts';
import { type Received, type Receiver, startReceiver, status } from '../../support/receivers.ts';
import { until } from '../../support/until.ts';

describe('deliveries', () => {
  const stores = withDatabase();
  let receiver: Receiver;
  let fanout: TestFanout;
  let world: Stage;

  before(async () => {
    world = await stage(stores.database, ['ada'], ['nba']);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    fanout = await createFanout(stores.database, { allow: [receiver.host], at: new Date().toISOString() });
  });
  afterEach(async () => {
    await stores.database('webhook_subscriptions').update({ status: 'revoked' });
    await fanout.close();
    await receiver.close();
  });

  const publish = (count: number) =>
    post(
      stores.database,
      world,
      Array.from({ length: count }, () => ({})),
      fanout.clock.now(),
    );
  const row = async (id: number) => (await findSubscription(stores.database, id))!;
  const uuidsOf = (received: readonly Received[]) =>
    received.map(({ body }) => JSON.parse(body).pick.pickUuid as string);
  const settings = async (id: number): Promise<Record<string, unknown>> =>
    stores.database('webhook_subscriptions').where({ id }).first();

  it('are signed verifiably, with exactly the headers of the interface and of Standard Webhooks', async () => {
    const { id, secret } = await fanout.subscribe(receiver.url('/a/path?with=query'));
    const [uuid] = await publish(1);
    await settle(stores.database, [uuid!], fanout.clock.now(), 105);
    await fanout.cycle();
    expect(receiver.received).to.have.length(2);
    for (const [index, request] of receiver.received.entries()) {
      const { body, headers, rawHeaders, method, path } = request;
      const event = index === 0 ? 'pick.posted' : 'pick.settled';
      expect([method, path]).to.deep.equal(['POST', '/a/path?with=query']);
      const names = rawHeaders.filter((_, position) => position % 2 === 0).map((name) => name.toLowerCase());
      expect(names.sort()).to.deep.equal([
        'connection',
        'content-length',
        'content-type',
        'host',
        'webhook-id',
        'webhook-signature',
        'webhook-timestamp',
        'x-service-event',
        'x-service-signature',
      ]);
      expect(headers['content-type']).to.equal('application/json');
      expect(headers['x-service-event']).to.equal(event);
      const mac = createHmac('sha256', Buffer.from(secret, 'ascii')).update(Buffer.from(body, 'utf8'));
      expect(headers['x-service-signature']).to.equal(`sha256=${mac.digest('hex')}`);
      const library = new Webhook(Buffer.from(secret, 'ascii').toString('base64'));
      // The library reads only the machine's clock. A minute ahead is within its tolerance.
      expect(library.verify(body, headers as Record<string, string>)).to.deep.equal(JSON.parse(body));
      expect(() => library.verify(`${body} `, headers as Record<string, string>)).to.throw();
      expect(headers['webhook-id']).to.match(new RegExp(`^msg_${id}_\\d+$`));
    }
  });

  it('contain the pick as posted and, once settled, its settlement, as the interface specifies', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const at = fanout.clock.now();
    const told = { pick: 'Home “to win” — ünïcode', oddsAmerican: 150 };
    const [closed] = await post(stores.database, world, [told], at);
    const [open] = await post(stores.database, world, [{}], at);
    await fanout.cycle();
    await settle(stores.database, [closed!], at + 1, -105);
    await settle(stores.database, [open!], at + 2);
    await fanout.cycle();
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    for (const body of bodies) {
      const checked = checker(payloadSchemas[body.event as 'pick.posted'])(body);
      expect(checked.ok, JSON.stringify(checked)).to.equal(true);
      expect(body.webhook_id).to.equal(String(id));
      expect(Date.parse(body.delivered_at)).to.be.within(at, fanout.clock.now());
    }
    expect(bodies[0].pick).to.include({
      pickUuid: closed,
      capperHandle: 'ada',
      capperTier: 'elite',
      capperVerified: true,
      sport: 'nba',
      market: 'moneyline',
      pick: 'Home “to win” — ünïcode',
      oddsAmerican: 150,
      oddsDecimal: 2.5,
      stakeUnits: 1.5,
      postedAt: new Date(at).toISOString(),
      verifyUrl: `https://picks.example/p/${closed}`,
    });
    expect(bodies[0].pick.bet).to.match(/^Home \w+ ML$/);
    expect(bodies[0].pick.game).to.match(/^Away (\w+) @ Home \1$/);
    const unchecked = {
      verdict: 'unchecked',
      oddsAmerican: null,
      book: null,
      capturedAt: null,
      countedAmerican: 150,
    };
    expect(bodies[0].priceCheck).to.deep.equal({ ...unchecked, provisional: true });
    expect(bodies[0]).not.to.have.property('settlement');
    expect(bodies[2].pick).to.deep.equal(bodies[0].pick);
    expect(bodies[2].settlement).to.deep.equal({
      result: 'win',
      half: false,
      settledAt: new Date(at + 1).toISOString(),
      closingOddsAmerican: -105,
      priceCheck: {
        verdict: 'above_market',
        provisional: false,
        oddsAmerican: -105,
        book: 'north',
        capturedAt: new Date(at + 1).toISOString(),
        countedAmerican: -105,
      },
    });
    expect(bodies[3].settlement.closingOddsAmerican).to.equal(null);
  });

  it("are all recorded, including failed ones, with the receiver's answer", async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const [uuid] = await publish(1);
    receiver.answer = status(503);
    await fanout.cycle();
    receiver.answer = status(202);
    await fanout.cycle();
    const attempts = await stores.database('webhook_attempts').where('subscription_id', id).orderBy('at');
    expect(
      attempts.map(({ status: code, error, pick_uuid, event }) => [code, error, pick_uuid, event]),
    ).to.deep.equal([
      [503, 'http', uuid, 'pick.posted'],
      [202, null, uuid, 'pick.posted'],
    ]);
    expect(new Set(attempts.map(({ delivery_id }) => delivery_id)).size).to.equal(1);
    expect(await settings(id)).to.include({ last_status: 202, last_error: null, lease_until: null });
  });

  it('are made by one job only, however many compete', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const posted = await publish(10);
    receiver.answer = (response) => setTimeout(() => response.writeHead(204).end(), 5);
    fanout.clock.set(fanout.clock.now() + 60_000);
    const rivals = Array.from({ length: 5 }, () => deliver(fanout.deps, id, 'healthy'));
    await Promise.all([fanout.tick(), ...rivals]);
    await fanout.tick();
    expect(uuidsOf(receiver.received)).to.deep.equal(posted);
  });

  it('are made by one of two workers that claim the same subscriptions at once, with none left behind', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 20; index += 1)
      ids.push((await fanout.subscribe(receiver.url(`/${index}`))).id);
    await publish(1);
    fanout.clock.set(fanout.clock.now() + 60_000);
    await beginCycle(stores.database, fanout.clock.now());
    const workers = Array.from({ length: 2 }, () => createLeases(stores.database, fanout.clock));
    const leases = await Promise.all(
      workers.flatMap((leases, worker) =>
        // In orders that could deadlock, with one requested twice.
        (worker === 0 ? ids : ids.toReversed()).concat(ids[0]!).map((id) => leases.claim(id)),
      ),
    );
    const had = leases.flatMap((lease) => (lease === undefined ? [] : [lease.subscription.id]));
    expect(had.toSorted((a, b) => a - b)).to.deep.equal(ids);
  });

  it('are taken over when the lease of a killed worker has expired, and not before', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    await publish(2);
    fanout.clock.set(fanout.clock.now() + 60_000);
    await beginCycle(stores.database, fanout.clock.now());
    // A worker that was killed right after it claimed the subscription.
    const lease = await createLeases(stores.database, fanout.clock).claim(id);
    expect(lease?.subscription).to.include({ id, sent: 0 });
    expect((await fanout.tick()).fanout.due).to.equal(0);
    await stores
      .database('webhook_subscriptions')
      .where({ id })
      .update({ lease_until: new Date(Date.now() - 1) });
    expect((await fanout.tick()).fanout.due).to.equal(1);
    expect(receiver.received).to.have.length(2);
  });

  /** Simulates a worker that delivers some due events, one at a time, and dies before it releases the subscription. Its lease expires. */
  async function deliverAndDie(id: number, count: number): Promise<Lease> {
    fanout.clock.set(fanout.clock.now() + 60_000);
    await beginCycle(stores.database, fanout.clock.now());
    const lease = (await createLeases(stores.database, fanout.clock).claim(id))!;
    for (let sent = 1; sent <= count; sent += 1) await noteNext(lease, sent);
    await stores
      .database('webhook_subscriptions')
      .where({ id })
      .update({ lease_until: new Date(Date.now() - 1) });
    return lease;
  }

  const noteNext = (lease: Lease, sent: number) => {
    const { id, cursorSeq } = lease.subscription;
    const seq = cursorSeq + sent - 1;
    const attempt = {
      delivery_id: deliveryId(id, seq),
      event: 'pick.posted',
      pick_uuid: null,
      picks: 1,
    } as const;
    return lease.note(
      { cursorSeq: seq + 1, sent, failures: 0 },
      { ...attempt, subscription_id: id, at: fanout.clock.now(), status: 204, error: null, duration_ms: 1 },
    );
  };

  it('are not repeated if a killed worker had stored only the attempts', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const posted = await publish(5);
    await stores.database('webhook_subscriptions').where({ id }).update({ consecutive_failures: 3 });
    await deliverAndDie(id, 3);
    await fanout.tick();
    expect(uuidsOf(receiver.received)).to.deep.equal(posted.slice(3));
    expect(await settings(id)).to.include({ consecutive_failures: 0, cycle_sent: 5, last_status: 204 });
    expect(await stores.database('webhook_attempts').where('subscription_id', id)).to.have.length(5);
  });

  it('count toward the 50 of a cycle even if their worker was killed', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const posted = await publish(60);
    await deliverAndDie(id, 20);
    await fanout.tick();
    expect(uuidsOf(receiver.received)).to.deep.equal(posted.slice(20, 50));
    await fanout.cycle();
    expect(uuidsOf(receiver.received)).to.deep.equal(posted.slice(20));
  });

  it('are known to the next worker even after two kills', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const posted = await publish(5);
    await deliverAndDie(id, 2);
    await deliverAndDie(id, 1);
    await deliverAndDie(id, 0);
    await fanout.tick();
    expect(uuidsOf(receiver.received)).to.deep.equal(posted.slice(3));
  });

  it("are repeated from an earlier point on the owner's request, whatever killed workers had delivered", async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const posted = await publish(5);
    const { subscription } = await deliverAndDie(id, 4);
    const fault = await resume(stores.database, await row(id), { seq: subscription.cursorSeq + 1 });
    expect(fault).to.equal(undefined);
    // A second one, killed before it sends anything.
    await deliverAndDie(id, 0);
    await fanout.tick();
    expect(uuidsOf(receiver.received)).to.deep.equal(posted.slice(1));
  });

  it('cannot be recorded by a worker whose lease expired and passed to another', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const posted = await publish(4);
    const frozen = await deliverAndDie(id, 1);
    const rival = await createLeases(stores.database, fanout.clock).claim(id);
    expect(rival?.subscription).to.include({ cursorSeq: frozen.subscription.cursorSeq + 1, sent: 1 });
    expect(await noteNext(frozen, 2), 'by the frozen worker').to.equal(false);
    expect(await noteNext(rival!, 1), 'by its rival').to.equal(true);
    await stores
      .database('webhook_subscriptions')
      .where({ id })
      .update({ lease_until: new Date(0) });
    await fanout.tick();
    expect(uuidsOf(receiver.received)).to.deep.equal(posted.slice(2));
  });

  it('renew a lease that is too short for the next request, and keep earlier records', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const posted = await publish(3);
    fanout.clock.set(fanout.clock.now() + 60_000);
    await beginCycle(stores.database, fanout.clock.now());
    const lease = (await createLeases(stores.database, fanout.clock).claim(id))!;
    const expire = () =>
      stores
        .database('webhook_subscriptions')
        .where({ id })
        .update({ lease_until: new Date(0) });
    await noteNext(lease, 1);
    await expire();
    expect(await lease.renew(1000)).to.equal(true);
    expect(Number((await settings(id)).lease_until), 'long enough').to.equal(0);
    expect(await lease.renew(60_000)).to.equal(true);
    expect(Number((await settings(id)).lease_until)).to.be.greaterThan(Date.now());
    await noteNext(lease, 2);
    await expire();
    await fanout.tick();
    expect(uuidsOf(receiver.received)).to.deep.equal(posted.slice(2));
    expect(await lease.renew(60_000), 'taken over').to.equal(false);
  });

  it('are not committed by a worker that lost its subscription to another one', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    await publish(3);
    fanout.clock.set(fanout.clock.now() + 60_000);
    let release: (() => void) | undefined;
    receiver.answer = (response) => {
      release = () => response.writeHead(204).end();
    };
    const slow = fanout.tick();
    await until(() => release !== undefined);
    // Another worker finds the lease expired.
    await stores
      .database('webhook_subscriptions')
      .where({ id })
      .update({ lease_until: new Date(0) });
    const rival = await createLeases(stores.database, fanout.clock).claim(id);
    release?.();
    const { outcomes } = await slow;
    expect(outcomes[0]).to.include({ sent: 1, ended: 'the subscription was changed' });
    expect(await settings(id)).to.include({
      cursor_seq: rival?.subscription.cursorSeq,
      generation: rival?.subscription.generation,
    });
    expect(receiver.received, 'nothing after the refused commit').to.have.length(1);
  });

  it('stop as soon as the subscription is revoked', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    await publish(5);
    receiver.answer = (response, received) => {
      if (receiver.received.length < 2) return status(204)(response, received);
      void revoke(stores.database, id, fanout.clock.now()).then(() => status(204)(response, received));
      return undefined;
    };
    await fanout.cycle();
    await fanout.cycle();
    expect(receiver.received).to.have.length(2);
  });

  /** Delivers three events, with a rotation during the second. @returns both secrets */
  async function rotateAmid(overlap: number): Promise<{ secret: string; renewed: string }> {
    const { id, secret } = await fanout.subscribe(receiver.url());
    const posted = await publish(3);
    let renewed = '';
    receiver.answer = (response, received) => {
      if (receiver.received.length !== 1) return status(204)(response, received);
      void row(id)
        .then((found) => rotate(stores.database, fanout.sealer, found, overlap, fanout.clock.now()))
        .then((next) => {
          renewed = next!;
          status(204)(response, received);
        });
      return undefined;
    };
    await fanout.cycle();
    await fanout.tick();
    expect(uuidsOf(receiver.received)).to.deep.equal(posted);
    return { secret, renewed };
  }
  const check = (key: string, { body, headers }: Received) =>
    new Webhook(Buffer.from(key).toString('base64')).verify(body, headers as Record<string, string>);

  it('are signed with both secrets after a rotation, even one in mid-delivery', async () => {
    const { secret, renewed } = await rotateAmid(86_400);
    for (const received of receiver.received.slice(1))
      for (const key of [secret, renewed]) check(key, received);
    expect(receiver.received[0]?.headers['webhook-signature']).not.to.include(' ');
  });

  it('are signed only with the new secret after a rotation without overlap, even one in mid-delivery', async () => {
    const { secret, renewed } = await rotateAmid(0);
    const [first, ...rest] = receiver.received;
    check(secret, first!);
    expect(rest).to.have.length(2);
    for (const received of rest) {
      check(renewed, received);
      expect(() => check(secret, received)).to.throw('signature');
    }
  });

  it('are not repeated if the database was down when the answer came', async () => {
    const outage = await withOutage(stores.url);
    const database = openDatabase(outage.url, { name: 'behind an outage', connectTimeout: 500 });
    try {
      const { id } = await fanout.subscribe(receiver.url());
      const posted = await publish(3);
      fanout.clock.set(fanout.clock.now() + 60_000);
      let cut = false;
      receiver.answer = (response, received) => {
        if (cut) return status(204)(response, received);
        cut = true;
        void outage.cut().then(() => {
          status(204)(response, received);
          setTimeout(() => void outage.restore(), 300);
        });
        return undefined;
      };
      Object.assign(fanout.deps, { leases: createLeases(database, fanout.clock) });
      await fanout.tick();
      expect(uuidsOf(receiver.received)).to.deep.equal(posted);
      expect(await settings(id)).to.include({ consecutive_failures: 0, lease_until: null });
    } finally {
      await database.destroy();
      await outage.close();
    }
  });

  it('are skipped for this cycle, without counting as failed, if the secret cannot be unsealed', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    await publish(1);
    await stores
      .database('webhook_subscriptions')
      .where({ id })
      .update({ secret_sealed: Buffer.from('nothing') });
    fanout.clock.set(fanout.clock.now() + 60_000);
    const failure = await fanout.tick().then(
      () => undefined,
      (error: Error) => error,
    );
    expect(failure?.message).to.include('is not a sealed value');
    expect(await settings(id)).to.include({ consecutive_failures: 0, status: 'active', lease_until: null });
    expect((await fanout.tick()).fanout.due, 'in this cycle').to.equal(0);
  });

  it('end with the current request at shutdown', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const posted = await publish(3);
    const closing = new AbortController();
    receiver.answer = (response, received) => {
      closing.abort();
      status(204)(response, received);
    };
    Object.assign(fanout.deps, { closing: closing.signal });
    const { outcomes } = await fanout.cycle();
    expect(outcomes).to.deep.equal([{ id, lane: 'healthy', sent: 1, ended: 'shutting down' }]);
    Object.assign(fanout.deps, { closing: new AbortController().signal });
    receiver.answer = status(204);
    await fanout.tick();
    expect(uuidsOf(receiver.received)).to.deep.equal(posted);
  });
});
