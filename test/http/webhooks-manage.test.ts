import { expect } from 'chai';
import { announceEvents } from '../../src/webhooks/messages/events.ts';
import { post, stage } from '../support/announcements.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { scriptsBeside } from '../support/page-scripts.ts';
import { type Receiver, startReceiver, status } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { startWebhookSite, type WebhookSite } from '../support/webhook-site.ts';

const clock = fixedClock('2026-01-15T12:00:00Z');

describe('/webhooks/manage', () => {
  const database = withDatabase();
  const redis = withRedis();
  let receiver: Receiver;
  let site: WebhookSite;
  let uuid: string;
  let seq: number;

  before(async () => {
    receiver = await startReceiver();
    site = await startWebhookSite({ database, redis }, { clock, receivers: [receiver] });
    const world = await stage(database.database, ['ada'], ['nba']);
    [uuid = ''] = await post(database.database, world, [{}], clock.now());
    await announceEvents(database.database, clock.now());
    [{ seq }] = await database.database('ledger_entries').where({ uuid }).select('seq');
  });
  after(async () => {
    await site.close();
    await receiver.close();
  });
  beforeEach(async () => {
    await redis.redis.flushdb();
    receiver.received.length = 0;
    receiver.answer = status(204);
    await database.database('webhook_subscriptions').delete();
  });

  const subscribed = async () => {
    const body = { owner_email: 'owner@mail.net', target_url: receiver.url('/a-path') };
    const { body: made } = await site.ask('/api/webhooks', { body });
    return { id: String(made.id), secret: String(made.secret) };
  };
  const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    site.ask('/webhooks/manage', {
      body: new URLSearchParams(fields).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });
  const textOf = (text: string) => /<p role="(?:status|alert)"><strong>([^<]*)</.exec(text)?.[1];
  const rowOf = async (id: string) => (await database.database('webhook_subscriptions').where({ id }))[0];

  it('asks for id and secret in a separate form without autofill', async () => {
    const { status: code, headers, text } = await site.ask('/webhooks/manage?id=7&secret=abc');
    expect(code).to.equal(200);
    expect(headers.get('content-security-policy')).to.contain("form-action 'self'");
    expect(scriptsBeside(text)).to.deep.equal([]);
    expect(text).to.contain('method="post" action="/webhooks/manage"').and.not.to.contain('abc');
  });

  it('shows a subscription and its attempts, uncached, to a holder of its secret', async () => {
    const { id, secret } = await subscribed();
    const { status: code, headers, text } = await send({ id: ` ${id} `, secret: ` ${secret} ` });
    expect(code).to.equal(200);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('set-cookie')).to.equal(null);
    expect(text).to.contain('noindex').and.to.contain('owner@mail.net').and.to.contain('Nothing sent yet');
    expect(text).not.to.contain('a-path');
    for (const [, address] of text.matchAll(/(?:href|action|src)="([^"]*)"/g))
      expect(address).not.to.contain(secret);
    expect(scriptsBeside(text)).to.deep.equal([]);
  });

  it('refuses a wrong or missing secret, an unknown id, and cross-site posts with a page', async () => {
    const { id, secret } = await subscribed();
    for (const [fields, headers, code] of [
      [{ id, secret: '0'.repeat(64) }, {}, 403],
      [{ id, secret: '' }, {}, 401],
      [{ id: '999999', secret }, {}, 404],
      [{ id: 'x"><script>', secret }, {}, 404],
      [{ id, secret, action: 'destroy' }, {}, 400],
      [{ id, secret, action: 'pause' }, { 'Sec-Fetch-Site': 'cross-site' }, 403],
      [{ id, secret, action: 'pause' }, { Origin: 'https://elsewhere.example' }, 403],
    ] as const) {
      const answer = await send(fields, headers);
      expect(answer.status, JSON.stringify(fields)).to.equal(code);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      if (Object.keys(headers).length === 0) expect(answer.text).to.contain('role="alert"');
      expect(answer.text).not.to.contain('owner@mail.net');
      expect(answer.text).not.to.contain('<script>').and.not.to.contain(secret);
    }
    expect(await rowOf(id)).to.include({ status: 'active' });
  });

  it('pings, pauses, resumes from a position, and resends an event', async () => {
    const { id, secret } = await subscribed();
    const act = (fields: Record<string, string>) => send({ id, secret, ...fields });
    expect(textOf((await act({ action: 'ping' })).text)).to.equal('Ping sent: answered with 204.');
    expect(textOf((await act({ action: 'pause' })).text)).to.match(/^Paused/);
    expect(await rowOf(id)).to.include({ status: 'paused' });
    const resumed = await act({ action: 'resume', from: 'point', point: ` ${seq} ` });
    expect(textOf(resumed.text)).to.equal(`Active. Deliveries continue at log entry ${seq} within a minute.`);
    expect(await rowOf(id)).to.include({ status: 'active', cursor_seq: seq });
    for (const point of ['', 'head', 'yesterday', '-1'])
      expect((await act({ action: 'resume', from: 'point', point })).status, point).to.equal(400);
    await act({ action: 'resume', from: 'point', point: '2026-01-15T11:00:00Z' });
    expect((await rowOf(id)).cursor_seq).to.be.at.most(seq);
    receiver.answer = status(500);
    const resent = await act({ resend: `msg_${id}_${seq}` });
    expect(textOf(resent.text)).to.equal(`Resent msg_${id}_${seq}: answered with 500.`);
    expect(resent.text).to.contain(`href="/p/${uuid}"`).and.to.contain(`value="msg_${id}_${seq}"`);
    const [ping, event] = receiver.received;
    expect([ping?.headers['x-service-event'], event?.headers['webhook-id']]).to.deep.equal([
      'ping',
      `msg_${id}_${seq}`,
    ]);
  });

  it('shows a rotated secret once, and uses it from then on', async () => {
    const { id, secret } = await subscribed();
    const { text } = await send({ id, secret, action: 'rotate', leaked: 'yes' });
    const [, shown = ''] = /id="new-secret">([0-9a-f]{64})</.exec(text) ?? [];
    expect(shown).not.to.equal(secret);
    expect(text).to.contain(`name="secret" value="${shown}"`);
    expect((await rowOf(id)).previous_secret_sealed).to.equal(null);
    expect((await send({ id, secret })).status).to.equal(403);
    expect((await send({ id, secret: shown })).text).not.to.contain('id="new-secret"');
  });

  it('deletes only with the box ticked, and then offers nothing further', async () => {
    const { id, secret } = await subscribed();
    const unsure = await send({ id, secret, action: 'delete' });
    expect([unsure.status, textOf(unsure.text)]).to.deep.equal([
      400,
      'Check the box above Delete to confirm. Deleting cannot be undone.',
    ]);
    const { text } = await send({ id, secret, action: 'delete', sure: 'yes' });
    expect(textOf(text)).to.match(/^Deleted/);
    expect(text).not.to.contain('value="pause"');
    expect(await rowOf(id)).to.include({ status: 'revoked' });
  });

  it("has the API's limit of five an hour, and says so", async () => {
    const { id, secret } = await subscribed();
    for (let time = 0; time < 5; time++)
      await site.ask(`/api/webhooks/${id}/ping`, { method: 'POST', headers: { 'X-Webhook-Secret': secret } });
    const sixth = await send({ id, secret, action: 'ping' });
    expect(sixth.status).to.equal(429);
    expect(Number(sixth.headers.get('retry-after'))).to.be.greaterThan(3500);
    expect(textOf(sixth.text)).to.contain('five pings an hour');
  });
});
