import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { allowedHosts } from '../../../src/platform/config/kinds.mjs';
import { dueVerifications, verify as sendVerify } from '../../../src/webhooks/delivery/verify.ts';
import { prove } from '../../../src/webhooks/subscriptions/limits.ts';
import { revoke } from '../../../src/webhooks/subscriptions/manage.ts';
import { withDatabase } from '../../support/database.ts';
import { createFanout, type TestFanout } from '../../support/fanout.ts';
import { type Receiver, receiversAuthority, startReceiver, status } from '../../support/receivers.ts';

const minute = 60_000;

describe('webhook.verify', () => {
  const stores = withDatabase();
  let receiver: Receiver;
  let channel: Receiver;
  let fanout: TestFanout;
  let verify: (id: number) => ReturnType<typeof sendVerify>;
  let allow: string[];

  before(async () => {
    receiver = await startReceiver();
    channel = await startReceiver({ names: ['discord.com'], authority: await receiversAuthority() });
    allow = [receiver.host, `discord.com:${channel.port}`];
    fanout = await createFanout(stores.database, {
      allow,
      client: { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
    });
    const { deps, sealer } = fanout;
    const allowed = allowedHosts(allow.join(','));
    verify = (id) => sendVerify({ ...deps, sealer, allowed, database: stores.database }, id);
  });
  after(async () => {
    await fanout.close();
    await Promise.all([receiver.close(), channel.close()]);
  });
  afterEach(async () => {
    receiver.answer = status(204);
    receiver.received.length = 0;
    await stores.database('webhook_subscriptions').delete();
    await stores.database('webhook_attempts').delete();
  });

  const row = async (id: number) => (await stores.database('webhook_subscriptions').where({ id }))[0];
  const due = () => dueVerifications(stores.database, fanout.clock.now());
  const pass = (ms: number) => fanout.clock.set(fanout.clock.now() + ms);

  it('is due at once, signed, and proves the subscription when the receiver answers 2xx', async () => {
    const { id, secret } = await fanout.subscribe(receiver.url());
    expect(await due()).to.deep.equal([id]);
    expect(await verify(id)).to.deep.equal({ outcome: 'ok', figures: { status: 204, error: null } });
    const [got] = receiver.received;
    expect(JSON.parse(got!.body)).to.deep.equal({
      event: 'webhook.verify',
      webhook_id: String(id),
      delivered_at: new Date(fanout.clock.now()).toISOString(),
    });
    expect(got!.headers).to.include({
      'x-service-event': 'webhook.verify',
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(got!.body).digest('hex')}`,
    });
    expect(await row(id)).to.include({
      ...{ proven_at: fanout.clock.now(), client: null, verify_at: null },
      ...{ consecutive_failures: 0, last_delivery_at: null },
    });
    const attempts = await stores.database('webhook_attempts').select('event', 'status', 'delivery_id');
    expect(attempts).to.deep.equal([{ event: 'webhook.verify', status: 204, delivery_id: `verify_${id}` }]);
    expect(await due()).to.deep.equal([]);
    expect(await verify(id)).to.include({ outcome: 'cancelled' });
    expect(receiver.received).to.have.length(1);
  });

  it('is tried five times, a cycle apart, under one id; the failures are not those of deliveries', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    receiver.answer = status(500);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await due(), `attempt ${attempt}`).to.deep.equal([id]);
      await verify(id);
      expect(await due()).to.deep.equal([]);
      expect(await verify(id)).to.include({ outcome: 'cancelled' });
      pass(minute);
    }
    expect(await due()).to.deep.equal([]);
    expect(receiver.received).to.have.length(5);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1);
    expect(await row(id)).to.include({
      ...{ status: 'active', consecutive_failures: 0, proven_at: null, verify_at: null, verify_attempts: 5 },
    });
  });

  it('waits as long as Retry-After asks for, up to an hour', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    receiver.answer = status(503, { 'Retry-After': '600' });
    await verify(id);
    expect((await row(id)).verify_at).to.equal(fanout.clock.now() + 10 * minute);
    pass(10 * minute);
    receiver.answer = status(503, { 'Retry-After': '86400' });
    await verify(id);
    expect((await row(id)).verify_at).to.equal(fanout.clock.now() + 60 * minute);
  });

  it('does not count an attempt that failed on our side', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const { deps, sealer } = fanout;
    const failed = { status: null, durationMs: 1, retryAfterMs: null, rateLimitMs: null };
    const client = { post: async () => ({ ...failed, error: 'dns' as const, ours: true }) };
    const allowed = allowedHosts(receiver.host);
    await sendVerify({ ...deps, client, sealer, allowed, database: stores.database }, id);
    expect(await row(id)).to.include({ verify_attempts: 0, verify_at: fanout.clock.now() + minute });
  });

  it('is sent once where two jobs meet, and never to what was revoked or is proven', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    await Promise.all([verify(id), verify(id), verify(id)]);
    expect(receiver.received).to.have.length(1);
    const revoked = await fanout.subscribe(receiver.url());
    await revoke(stores.database, revoked.id, fanout.clock.now());
    const proven = await fanout.subscribe(receiver.url());
    await prove(stores.database, proven.id, fanout.clock.now());
    expect(await due()).to.deep.equal([]);
    for (const each of [revoked.id, proven.id, 2 ** 30]) await verify(each);
    expect(receiver.received).to.have.length(1);
  });

  it('does not reach a target that the guard refuses by now', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    const { deps, sealer } = fanout;
    await sendVerify({ ...deps, sealer, allowed: new Set(), database: stores.database }, id);
    expect(receiver.received).to.have.length(0);
    const [attempt] = await stores.database('webhook_attempts').select('status', 'error');
    expect(attempt).to.deep.equal({ status: null, error: 'refused' });
    expect(await row(id)).to.include({ proven_at: null, verify_attempts: 1 });
  });

  it('is a message to a chat channel, which proves it when the platform takes it', async () => {
    const { id } = await fanout.subscribe(`https://discord.com:${channel.port}/api/webhooks/1/a-token`);
    await verify(id);
    const [got] = channel.received;
    expect(got!.body).to.contain('subscribed to picks');
    for (const name of Object.keys(got!.headers)) expect(name).not.to.match(/^x-service|^webhook-/);
    expect((await row(id)).proven_at).to.equal(fanout.clock.now());
  });

  it('leaves a subscription unproven where its limit was reached meanwhile, and does not ask again', async () => {
    const { id } = await fanout.subscribe(receiver.url());
    for (let index = 0; index < 20; index += 1)
      await prove(stores.database, (await fanout.subscribe(receiver.url())).id, fanout.clock.now());
    await verify(id);
    expect(receiver.received).to.have.length(1);
    expect(await row(id)).to.include({ status: 'active', proven_at: null, verify_at: null });
  });
});
