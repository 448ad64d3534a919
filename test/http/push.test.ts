import { expect } from 'chai';
import { subjectForm } from '../../src/games/names/players.ts';
import { eraseSubscriptions } from '../../src/webhooks/subscriptions/retention.ts';
import { withDatabase } from '../support/database.ts';
import { makeDevice } from '../support/device.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { type Receiver, startReceiver, status } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { startWebhookSite, type WebhookSite } from '../support/webhook-site.ts';

describe('/api/push', () => {
  const database = withDatabase();
  const redis = withRedis();
  const clock = fixedClock('2026-01-15T12:00:00Z');
  let service: Receiver;
  let site: WebhookSite;
  let ask: WebhookSite['ask'];

  before(async () => {
    service = await startReceiver({ answer: status(201) });
    site = await startWebhookSite({ database, redis }, { clock, receivers: [service] });
    ask = site.ask;
    await database
      .database('cappers')
      .insert({ handle: 'ada', tier: 'elite', verified: true, created_at: new Date(0) });
  });
  after(async () => {
    await site.close();
    await service.close();
  });
  beforeEach(() => redis.redis.flushdb());
  afterEach(() => database.database('webhook_subscriptions').delete());

  const device = makeDevice();
  const wanted = () => ({ endpoint: service.url('/send/a-secret'), expirationTime: null, keys: device.keys });
  const follow = (further: object = {}) => ask('/api/push', { body: { ...wanted(), ...further } });
  const auth = { 'X-Push-Auth': device.keys.auth };
  const rows = () => database.database('webhook_subscriptions');

  it('tells the public key, the same after a restart', async () => {
    const { body } = await ask('/api/push');
    expect(body.public_key).to.match(/^B[\w-]{86}$/);
    const again = await startWebhookSite({ database, redis }, { clock, receivers: [service] });
    expect((await again.ask('/api/push')).body).to.deep.equal(body);
    await again.close();
  });

  it('lets a device follow several filters, each once, and stop each', async () => {
    const first = await follow({ capper_handle: 'Ada' });
    expect(first.status, first.text).to.equal(201);
    expect(first.headers.get('cache-control')).to.equal('no-store');
    expect(first.body).to.deep.equal({
      id: first.body.id,
      capper_handle: 'ada',
      sport: null,
      market: null,
      tier: null,
      team: null,
      player: null,
      event: null,
      status: 'active',
      created_at: '2026-01-15T12:00:00.000Z',
    });
    expect((await follow({ capper_handle: 'ada' })).body).to.deep.equal(first.body);
    const second = await follow({ sport: 'NBA' });
    expect(second.body.id).not.to.equal(first.body.id);
    const path = `/api/push/${first.body.id}`;
    expect((await ask(path, { headers: auth })).body).to.deep.equal(first.body);
    expect((await ask(path, { method: 'DELETE', headers: auth })).status).to.equal(204);
    expect((await ask(path, { headers: auth })).status).to.equal(404);
    expect((await ask(path, { method: 'DELETE', headers: auth })).status).to.equal(404);
    expect((await follow({ capper_handle: 'ada' })).status).to.equal(201);
  });

  it('follows a team and a player, by any of their names', async () => {
    const [game] = await database
      .database('games')
      .insert({ sport: 'nba', name: 'Los Angeles Lakers @ Boston Celtics', day: '2026-01-16' })
      .returning('id');
    const spelled = { spelling: 'J. Tatum', subject: 'Jayson Tatum' };
    await database.database('subjects').insert([
      { game_id: game.id, form: subjectForm(spelled.spelling), ...spelled },
      { game_id: game.id, form: subjectForm(spelled.subject), ...spelled, spelling: spelled.subject },
    ]);
    const team = await follow({ sport: 'nba', team: 'lakers' });
    expect(team.body).to.include({ sport: 'nba', team: 'Los Angeles Lakers', player: null });
    expect((await follow({ sport: 'NBA', team: 'LAL' })).body).to.deep.equal(team.body);
    const player = await follow({ sport: 'nba', player: 'jayson tatum' });
    expect(player.body).to.include({ team: null, player: 'Jayson Tatum' });
    expect((await follow({ sport: 'nba', player: 'J. Tatum' })).body).to.deep.equal(player.body);
    const filters = await database
      .database('webhook_filters')
      .whereNotNull('about')
      .orderBy('id')
      .pluck('about');
    expect(filters[0]).to.include('team:los angeles lakers').and.not.include('team:boston celtics');
    expect(filters[1]).to.deep.equal(['player:Jayson Tatum']);
    for (const [given, path, said] of [
      [{ team: 'Lakers' }, '/sport', 'is needed'],
      [{ sport: 'nba', team: 'Atlantis Sharks' }, '/team', 'is no team of a game or pick in nba'],
      [{ sport: 'nba', player: 'Nobody Known' }, '/player', 'is no player'],
      [{ sport: 'nfl', player: 'Jayson Tatum' }, '/player', 'is no player of a game or pick in nfl'],
      [{ sport: 'nba', team: 'LAL', player: 'J. Tatum' }, '/player', 'cannot be given with a team'],
    ] as const) {
      const refused = await follow(given);
      expect([refused.status, refused.body.errors[0].path]).to.deep.equal([422, path]);
      expect(refused.body.detail).to.contain(said);
    }
  });

  it('keeps endpoint and keys encrypted, and erases them when the device stops', async () => {
    const { body } = await follow();
    const [row] = await rows();
    const stored = JSON.stringify(row, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    for (const secret of ['a-secret', device.keys.auth, device.keys.p256dh])
      expect(stored).not.to.contain(secret);
    expect(row).to.include({ owner_email: null, target_url_masked: `https://${service.host}/…` });
    await ask(`/api/push/${body.id}`, { method: 'DELETE', headers: auth });
    const [stopped] = await rows();
    expect(stopped).to.include({ status: 'revoked', device: null, client: null });
    expect(stopped!.secret_sealed).to.have.length(0);
    expect(stopped!.target_url_sealed).to.have.length(0);
    await eraseSubscriptions(database.database, clock.now());
    expect(await rows()).to.have.length(0);
  });

  const targets: [string, string][] = [
    ['a private address', 'https://10.0.0.8/send/1'],
    ['the address of a cloud’s metadata', 'https://169.254.169.254/send/1'],
    ['loopback', 'https://127.0.0.1/send/1'],
    ['http', 'http://fcm.googleapis.com/fcm/send/1'],
    ['another host', 'https://push.example.com/send/1'],
    ['a name that ends in that of a push service', 'https://notfcm.googleapis.com/fcm/send/1'],
    ['a name that begins with that of a push service', 'https://fcm.googleapis.com.example.com/fcm/send/1'],
    ['another service of the same company', 'https://storage.googleapis.com/fcm/send/1'],
    ['the bare domain of a push service', 'https://notify.windows.com/w/1'],
    ['another port of a push service', 'https://web.push.apple.com:8443/1'],
    ['a user name', 'https://fcm.googleapis.com@10.0.0.8/'],
  ];
  for (const [what, endpoint] of targets)
    it(`refuses ${what}, and stores nothing`, async () => {
      const answer = await follow({ endpoint });
      expect(answer.status).to.equal(422);
      expect(answer.body.errors[0].path).to.equal('/endpoint');
      expect(await rows()).to.have.length(0);
    });

  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/1:a',
    'https://updates.push.services.mozilla.com/wpush/v2/1',
    'https://web.push.apple.com/1',
    'https://wns2-par02p.notify.windows.com/w/?token=1',
  ])
    it(`takes ${new URL(endpoint).hostname}`, async () => {
      expect((await follow({ endpoint })).status).to.equal(201);
    });

  it('refuses keys that are none, of any size', async () => {
    const { p256dh, auth: secret } = device.keys;
    const off = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url');
    for (const [keys, code] of [
      [undefined, 400],
      [{ p256dh }, 400],
      [{ p256dh: p256dh.slice(1), auth: secret }, 400],
      [{ p256dh: 'B'.repeat(10_000), auth: secret }, 400],
      [{ p256dh, auth: 'A'.repeat(10_000) }, 400],
      [{ p256dh: 'B'.repeat(100_000), auth: secret }, 413],
      [{ p256dh: off, auth: secret }, 422],
    ] as const)
      expect((await follow({ keys })).status).to.equal(code);
    expect(await rows()).to.have.length(0);
  });

  it('refuses an unknown capper or sport', async () => {
    for (const [filter, path] of [
      [{ capper_handle: 'nobody-here' }, '/capper_handle'],
      [{ sport: 'curling' }, '/sport'],
    ] as const) {
      const { status: code, body } = await follow(filter);
      expect([code, body.errors[0].path]).to.deep.equal([422, path]);
    }
  });

  it('does not let a stranger stop, read, or change what a device follows', async () => {
    const { body } = await follow();
    const path = `/api/push/${body.id}`;
    const stranger = makeDevice();
    const wrong = { 'X-Push-Auth': stranger.keys.auth };
    expect((await ask(path, { method: 'DELETE' })).status).to.equal(401);
    expect((await ask(path, { method: 'DELETE', headers: wrong })).status).to.equal(403);
    expect((await ask(path, { headers: wrong })).status).to.equal(403);
    // A thief of only the endpoint gets a subscription of its own, whose messages the device cannot read.
    const other = await follow({ keys: stranger.keys });
    expect(other.body.id).not.to.equal(body.id);
    expect((await ask(path, { headers: auth })).body).to.deep.equal(body);
  });

  it('does not show devices as webhooks, nor webhooks as devices', async () => {
    const { body } = await follow();
    const secret = `${device.keys.p256dh}.${device.keys.auth}`;
    const headers = { 'X-Webhook-Secret': secret };
    for (const action of ['ping', 'pause', 'rotate', 'resume', 'enable'])
      expect((await ask(`/api/webhooks/${body.id}/${action}`, { headers, body: {} })).status).to.equal(404);
    expect((await ask(`/api/webhooks/${body.id}`, { method: 'DELETE', headers })).status).to.equal(404);
    const { body: webhook } = await ask('/api/webhooks', {
      body: { owner_email: 'owner@mail.net', target_url: service.url() },
    });
    expect(
      (await ask(`/api/push/${webhook.id}`, { headers: { 'X-Push-Auth': webhook.secret } })).status,
    ).to.equal(404);
    expect((await ask('/api/webhooks?email=owner@mail.net')).body.count).to.equal(1);
  });

  it('limits an address to 30 an hour and 100 in all, and counts no refusal', async () => {
    for (let count = 0; count < 30; count += 1)
      expect((await follow({ keys: makeDevice().keys })).status).to.equal(201);
    const flooding = await follow({ keys: makeDevice().keys });
    expect(flooding.status).to.equal(429);
    expect(Number(flooding.headers.get('retry-after'))).to.be.within(1, 3600);
    expect(await rows()).to.have.length(30);
    await redis.redis.flushdb();
    for (let count = 0; count < 31; count += 1)
      expect((await follow({ sport: 'curling', keys: makeDevice().keys })).status).to.equal(422);
    const { id: _, ...row } = (await rows())[0]!;
    const copy = { ...row, device: null, created_at: new Date(0) };
    await rows().insert(Array.from({ length: 70 }, () => copy));
    const full = await follow({ keys: makeDevice().keys });
    expect([full.status, full.body.detail]).to.deep.equal([
      422,
      'Your address already has 100 subscriptions: revoke one.',
    ]);
  });
});
