import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { type Receiver, receiversAuthority, startReceiver, status } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { startWebhookSite, type WebhookSite } from '../support/webhook-site.ts';

const day = 24 * 3_600_000;
const library = (secret: string) => new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`);
const hmac = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

describe('/api/webhooks', () => {
  const database = withDatabase();
  const redis = withRedis();
  const clock = fixedClock(0);
  let receiver: Receiver;
  let channel: Receiver;
  let site: WebhookSite;
  let ask: WebhookSite['ask'];

  before(async () => {
    // The library judges the age of a delivery by the machine's clock.
    clock.set(Date.now());
    receiver = await startReceiver();
    channel = await startReceiver({ names: ['discord.com'], authority: await receiversAuthority() });
    const options = { clock, receivers: [receiver], names: [`discord.com:${channel.port}`] };
    site = await startWebhookSite({ database, redis }, options);
    ask = site.ask;
    await database
      .database('cappers')
      .insert({ handle: 'ada', tier: 'elite', verified: true, created_at: new Date(0) });
  });
  after(async () => {
    await site.close();
    await Promise.all([receiver.close(), channel.close()]);
  });
  beforeEach(() => redis.redis.flushdb());
  afterEach(async () => {
    receiver.answer = status(204);
    receiver.received.length = 0;
    await database.database('webhook_subscriptions').delete();
    await database.database('webhook_attempts').delete();
  });

  const wanted = () => ({ owner_email: 'owner@mail.net', target_url: receiver.url('/a-path?key=1') });
  const subscribed = async (further: object = {}) => {
    const { status: code, body } = await ask('/api/webhooks', { body: { ...wanted(), ...further } });
    expect(code, JSON.stringify(body)).to.equal(201);
    const headers = { 'X-Webhook-Secret': String(body.secret) };
    return { id: Number(body.id), secret: String(body.secret), headers, path: `/api/webhooks/${body.id}` };
  };
  const listed = async () => (await ask('/api/webhooks?email=owner@mail.net')).body.subscriptions[0];

  it('subscribes, and shows the secret only then', async () => {
    const {
      status: code,
      headers,
      body,
    } = await ask('/api/webhooks', {
      body: { ...wanted(), capper_handle: 'Ada', sport: 'NFL', more: 'is left out' },
    });
    expect(code).to.equal(201);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(body.secret).to.match(/^[0-9a-f]{64}$/);
    expect(body.id).to.be.a('number');
    expect(body).to.deep.equal({
      id: body.id,
      secret: body.secret,
      secret_whsec: `whsec_${Buffer.from(body.secret).toString('base64')}`,
      ...wanted(),
      capper_handle: 'ada',
      sport: 'nfl',
      market: null,
      tier: null,
      team: null,
      player: null,
      event: null,
      status: 'active',
      created_at: new Date(clock.now()).toISOString(),
    });
    const list = await ask('/api/webhooks?email=OWNER@mail.net');
    expect(list.headers.get('cache-control')).to.equal('no-store');
    expect(list.body.count).to.equal(1);
    expect(list.body.subscriptions[0]).to.include({
      id: body.id,
      target_host: receiver.host,
      capper_handle: 'ada',
      sport: 'nfl',
      status: 'active',
    });
    expect(list.text).not.to.contain(body.secret).and.not.to.contain('a-path');
  });

  it('accepts null for unwanted filters', async () => {
    await subscribed({ capper_handle: null, sport: null });
    expect(await listed()).to.include({ capper_handle: null, sport: null });
  });

  it('filters by market, tier, and event', async () => {
    const filters = { market: 'spread', tier: 'elite', event: 'pick.settled' };
    await subscribed({ ...filters, market: 'Spread' });
    expect(await listed()).to.include(filters);
    for (const [field, code] of [
      ['market', 422],
      ['tier', 400],
      ['event', 400],
    ] as const) {
      const refused = await ask('/api/webhooks', { body: { ...wanted(), [field]: 'curling' } });
      expect([refused.status, refused.body.errors[0].path]).to.deep.equal([code, `/${field}`]);
    }
  });

  it('lists nothing for an e-mail without subscriptions', async () => {
    expect((await ask('/api/webhooks?email=nobody@mail.net')).body).to.deep.equal({
      count: 0,
      subscriptions: [],
    });
  });

  it('revokes with only the secret: 401, 403, 404, 204, and 204 again', async () => {
    const { path, headers } = await subscribed();
    const revoke = async (at: string, given: Record<string, string>) =>
      (await ask(at, { method: 'DELETE', headers: given })).status;
    expect(await revoke(path, {})).to.equal(401);
    expect(await revoke(path, { 'X-Webhook-Secret': '0'.repeat(64) })).to.equal(403);
    expect(await revoke(path, { 'X-Webhook-Secret': 'short' })).to.equal(403);
    for (const id of ['999999', '0', '-1', '1.5', 'x', '4294967297', '%00'])
      expect(await revoke(`/api/webhooks/${id}`, headers), id).to.equal(404);
    expect((await listed()).status).to.equal('active');
    expect(await revoke(path, headers)).to.equal(204);
    expect((await listed()).status).to.equal('revoked');
    expect(await revoke(path, headers)).to.equal(204);
    expect(await revoke(path, { 'X-Webhook-Secret': '0'.repeat(64) })).to.equal(403);
  });

  it('pings with a signature that the Standard Webhooks library and a plain HMAC accept', async () => {
    const { id, secret, path, headers } = await subscribed();
    const { status: code, body } = await ask(`${path}/ping`, { method: 'POST', headers });
    expect(code).to.equal(200);
    expect(body).to.include({ event: 'ping', status: 204, error: null, pick_uuid: null, picks: 0 });
    const [got] = receiver.received;
    expect(got).to.include({ method: 'POST', path: '/a-path?key=1' });
    expect(JSON.parse(got?.body ?? '')).to.deep.equal({
      event: 'ping',
      webhook_id: String(id),
      delivered_at: new Date(clock.now()).toISOString(),
    });
    expect(got?.headers).to.include({
      'content-type': 'application/json',
      'x-service-event': 'ping',
      'x-service-signature': hmac(secret, got?.body ?? ''),
      'webhook-id': body.delivery_id,
    });
    library(secret).verify(got?.body ?? '', got?.headers as Record<string, string>);
  });

  it("reports the outcome of a ping, without counting it as a failure or storing the receiver's text", async () => {
    receiver.answer = (response) => response.writeHead(503).end('the words of the receiver');
    const { path, headers } = await subscribed();
    const { status: code, body } = await ask(`${path}/ping`, { method: 'POST', headers });
    expect(code).to.equal(200);
    expect(body).to.include({ status: 503, error: 'http' });
    const attempts = await ask(`${path}/attempts`, { headers });
    expect(attempts.status).to.equal(200);
    expect(attempts.body).to.deep.equal({ count: 1, attempts: [body] });
    expect(attempts.text).not.to.contain('words');
    expect(await listed()).to.include({ consecutive_failures: 0, last_status: null });
  });

  it('pings a chat channel with an unsigned message', async () => {
    const target_url = `https://discord.com:${channel.port}/api/webhooks/1/a-token?thread_id=2`;
    const { path, headers } = await subscribed({ target_url });
    expect((await ask(`${path}/ping`, { method: 'POST', headers })).body).to.include({ status: 204 });
    const [got] = channel.received;
    expect(got?.path).to.equal('/api/webhooks/1/a-token?thread_id=2&wait=true');
    expect(JSON.parse(got?.body ?? '')).to.deep.include({ allowed_mentions: { parse: [] } });
    for (const name of Object.keys(got?.headers ?? {})) expect(name).not.to.match(/^x-service|^webhook-/);
  });

  it('accepts five pings an hour', async () => {
    const { path, headers } = await subscribed();
    const other = await subscribed();
    for (let time = 0; time < 5; time++)
      expect((await ask(`${path}/ping`, { method: 'POST', headers })).status).to.equal(200);
    const sixth = await ask(`${path}/ping`, { method: 'POST', headers });
    expect(sixth.status).to.equal(429);
    expect(Number(sixth.headers.get('retry-after'))).to.be.within(3500, 3600);
    expect(receiver.received).to.have.lengthOf(5);
    const { status: code } = await ask(`${other.path}/ping`, { method: 'POST', headers: other.headers });
    expect(code).to.equal(200);
  });

  it('sends a target that has accepted nothing one ping a minute', async () => {
    const { path, headers } = await subscribed();
    receiver.answer = status(500);
    const ping = () => ask(`${path}/ping`, { method: 'POST', headers });
    expect((await ping()).body).to.include({ status: 500 });
    const second = await ping();
    expect(second.status, second.text).to.equal(429);
    expect(Number(second.headers.get('retry-after'))).to.be.within(50, 60);
    expect(receiver.received).to.have.lengthOf(1);
  });

  it('rotates the secret: only the new one manages, and both sign for 24 hours', async () => {
    const began = clock.now();
    const { secret, path, headers } = await subscribed();
    const { status: code, body } = await ask(`${path}/rotate`, { method: 'POST', headers });
    expect(code).to.equal(200);
    expect(body.secret)
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.to.equal(secret);
    expect(body.previous_secret_until).to.equal(new Date(began + day).toISOString());
    expect((await ask(`${path}/attempts`, { headers })).status).to.equal(403);
    const renewed = { 'X-Webhook-Secret': String(body.secret) };
    await ask(`${path}/ping`, { method: 'POST', headers: renewed });
    const during = receiver.received[0];
    expect(during?.headers['x-service-signature']).to.equal(hmac(body.secret, during?.body ?? ''));
    for (const key of [secret, body.secret])
      library(key).verify(during?.body ?? '', during?.headers as Record<string, string>);
    clock.set(began + day);
    try {
      await ask(`${path}/ping`, { method: 'POST', headers: renewed });
      const after = receiver.received[1];
      expect(after?.headers['x-service-signature']).to.equal(hmac(body.secret, after?.body ?? ''));
      expect(after?.headers['webhook-signature']).not.to.contain(' ');
    } finally {
      clock.set(began);
    }
  });

  it('rotates without overlap: the old secret stops signing and managing at once', async () => {
    const { secret, path, headers } = await subscribed();
    const given = { headers, body: { overlap_seconds: 0 } };
    const { status: code, body } = await ask(`${path}/rotate`, given);
    expect(code).to.equal(200);
    expect(body.previous_secret_until).to.equal(body.rotated_at);
    expect((await ask(`${path}/attempts`, { headers })).status).to.equal(403);
    await ask(`${path}/ping`, { method: 'POST', headers: { 'X-Webhook-Secret': String(body.secret) } });
    const [got] = receiver.received;
    const gotHeaders = got?.headers as Record<string, string>;
    library(body.secret).verify(got?.body ?? '', gotHeaders);
    expect(() => library(secret).verify(got?.body ?? '', gotHeaders)).to.throw('signature');
    expect(gotHeaders['x-service-signature']).to.equal(hmac(body.secret, got?.body ?? ''));
  });

  it('accepts an overlap of 0 to 86,400 whole seconds, and does not count refused rotations', async () => {
    const { path, headers } = await subscribed();
    for (const overlap_seconds of [-1, 86_401, 1.5, '60', null]) {
      const refused = await ask(`${path}/rotate`, { headers, body: { overlap_seconds } });
      expect(refused.status, String(overlap_seconds)).to.equal(400);
      expect(refused.body.errors[0].path).to.equal('/overlap_seconds');
    }
    const { body } = await ask(`${path}/rotate`, { headers, body: { overlap_seconds: 60 } });
    expect(Date.parse(body.previous_secret_until) - Date.parse(body.rotated_at)).to.equal(60_000);
  });

  it('accepts five rotations and five activations an hour', async () => {
    const made = await subscribed();
    let { headers } = made;
    for (let time = 0; time < 5; time++) {
      const { status: code, body } = await ask(`${made.path}/rotate`, { method: 'POST', headers });
      expect(code).to.equal(200);
      headers = { 'X-Webhook-Secret': String(body.secret) };
      expect((await ask(`${made.path}/enable`, { method: 'POST', headers })).status).to.equal(200);
    }
    for (const action of ['rotate', 'enable']) {
      const sixth = await ask(`${made.path}/${action}`, { method: 'POST', headers });
      expect(sixth.status, action).to.equal(429);
      expect(Number(sixth.headers.get('retry-after'))).to.be.within(3500, 3600);
    }
    expect((await ask(`${made.path}/ping`, { method: 'POST', headers })).status).to.equal(200);
  });

  it('sends nothing unrequested', async () => {
    await subscribed();
    expect(receiver.received).to.deep.equal([]);
    expect(await database.database('webhook_attempts')).to.deep.equal([]);
  });

  it('enables a disabled subscription from where it stopped or from the head', async () => {
    const { id, path, headers } = await subscribed();
    const disable = () =>
      database
        .database('webhook_subscriptions')
        .where({ id })
        .update({ status: 'disabled', disabled_at: new Date(clock.now()), consecutive_failures: 5 });
    for (const given of [{}, { body: {} }, { body: { from: 'cursor' } }, { body: { from: 'head' } }]) {
      await disable();
      expect(await listed()).to.include({ status: 'disabled', consecutive_failures: 5 });
      const { status: code, body } = await ask(`${path}/enable`, { method: 'POST', headers, ...given });
      expect(code, JSON.stringify(given)).to.equal(200);
      expect(body).to.include({ id, status: 'active', consecutive_failures: 0, disabled_at: null });
    }
    await disable();
    const refused = await ask(`${path}/enable`, { headers, body: { from: 'yesterday' } });
    expect(refused.status).to.equal(400);
    expect(refused.body.errors).to.deep.equal([{ path: '/from', message: 'must be one of cursor, head' }]);
    expect((await listed()).status).to.equal('disabled');
  });

  it('pauses, and resumes from where it stopped, the head, a position in the log, or an instant', async () => {
    const { id, path, headers } = await subscribed();
    const act = (action: string, body?: object) =>
      ask(`${path}/${action}`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
    for (const from of [undefined, 'cursor', 'head', 0, '2026-01-10T17:05:00Z']) {
      await redis.redis.flushdb();
      const paused = await act('pause');
      expect(paused.body).to.deep.include({
        status: 'paused',
        paused_at: new Date(clock.now()).toISOString(),
      });
      expect((await act('pause')).status).to.equal(200);
      const resumed = await act('resume', from === undefined ? undefined : { from });
      expect(resumed.status, JSON.stringify(from)).to.equal(200);
      expect(resumed.body).to.deep.include({ id, status: 'active', paused_at: null, next_seq: 0 });
    }
    for (const from of ['yesterday', -1, 1.5, '17:05', null, {}, 2 ** 53]) {
      const refused = await act('resume', { from });
      expect(refused.status, JSON.stringify(from)).to.equal(400);
      expect(refused.body.errors[0].path).to.equal('/from');
    }
    expect((await act('resume', { from: 10 })).body.errors).to.deep.equal([
      { path: '/from', message: "lies beyond the log's end" },
    ]);
    await database.database('webhook_subscriptions').where({ id }).update({ status: 'disabled' });
    expect((await act('pause')).status).to.equal(422);
  });

  it('accepts five pauses, five resumptions, and five resends an hour', async () => {
    const { id, path, headers } = await subscribed();
    for (const [action, body, code] of [
      ['pause', undefined, 200],
      ['resume', {}, 200],
      ['resend', { delivery_id: `msg_${id}_0` }, 422],
    ] as const) {
      const act = () => ask(`${path}/${action}`, { method: 'POST', headers, body });
      for (let time = 0; time < 5; time++) expect((await act()).status, action).to.equal(code);
      const sixth = await act();
      expect(sixth.status, action).to.equal(429);
      expect(Number(sixth.headers.get('retry-after'))).to.be.within(3500, 3600);
    }
    expect(receiver.received).to.have.lengthOf(0);
  });

  it('only shows the attempts of a revoked subscription', async () => {
    const { path, headers } = await subscribed();
    await ask(path, { method: 'DELETE', headers });
    for (const action of ['ping', 'pause', 'resume', 'enable', 'rotate']) {
      const { status: code, body } = await ask(`${path}/${action}`, { method: 'POST', headers });
      expect(code, action).to.equal(422);
      expect(body.detail).to.contain('revoked');
    }
    expect((await ask(`${path}/attempts`, { headers })).status).to.equal(200);
    expect(receiver.received).to.have.lengthOf(0);
  });

  it('requires the secret for every request about a subscription', async () => {
    const { path } = await subscribed();
    for (const [method, action] of [
      ['DELETE', ''],
      ['GET', '/attempts'],
      ['POST', '/ping'],
      ['POST', '/resend'],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/enable'],
      ['POST', '/rotate'],
    ] as const) {
      const without = await ask(path + action, { method });
      expect(without.status, action).to.equal(401);
      expect(without.headers.get('www-authenticate')).to.contain('X-Webhook-Secret');
      expect(without.headers.get('cache-control')).to.equal('no-store');
      const wrong = await ask(path + action, { method, headers: { 'X-Webhook-Secret': 'a'.repeat(64) } });
      expect(wrong.status, action).to.equal(403);
      const unknown = await ask(`/api/webhooks/999999${action}`, {
        method,
        headers: { 'X-Webhook-Secret': 'a'.repeat(64) },
      });
      expect(unknown.status, action).to.equal(404);
    }
  });
});
