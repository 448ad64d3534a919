import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { deliveryHeaders } from '../../src/webhooks/messages/messages.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { scriptsBeside } from '../support/page-scripts.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { startWebhookSite, type WebhookSite } from '../support/webhook-site.ts';

const clock = fixedClock('2026-01-15T12:00:00Z');
const secret = '0123456789abcdef'.repeat(4);

describe('/webhooks', () => {
  const database = withDatabase();
  const redis = withRedis();
  let receiver: Receiver;
  let site: WebhookSite;
  let folder: string;

  before(async () => {
    receiver = await startReceiver();
    site = await startWebhookSite({ database, redis }, { clock, receivers: [receiver] });
    folder = mkdtempSync(join(tmpdir(), 'webhooks-page-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await site.close();
    await receiver.close();
  });
  beforeEach(async () => {
    await redis.redis.flushdb();
    await database.database('webhook_subscriptions').delete();
  });

  const page = async () => (await site.ask('/webhooks')).text;
  const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    site.ask('/webhooks', {
      body: new URLSearchParams(fields).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });
  const filled = () => ({
    owner_email: ' owner@mail.net ',
    target_url: receiver.url('/a-path'),
    capper_handle: '',
    sport: 'NFL',
  });

  describe('the form', () => {
    it('is on a cacheable page without inline scripts', async () => {
      const { status, headers, text } = await site.ask('/webhooks');
      expect(status).to.equal(200);
      expect(headers.get('cache-control')).to.match(/^public, max-age=300/);
      expect(headers.get('content-security-policy')).to.contain("form-action 'self'");
      expect(scriptsBeside(text)).to.deep.equal([]);
      expect(text).to.contain('<form ');
    });

    it('subscribes, and shows a working secret on an uncacheable page', async () => {
      const { status, headers, text } = await send(filled());
      expect(status).to.equal(201);
      expect(headers.get('cache-control')).to.equal('no-store');
      const [, id] = /id="subscription-id">(\d+)</.exec(text) ?? [];
      const [, shown] = /id="subscription-secret">([0-9a-f]{64})</.exec(text) ?? [];
      expect(text).to.contain(`<code>whsec_${Buffer.from(String(shown)).toString('base64')}</code>`);
      const pinged = await site.ask(`/api/webhooks/${id}/ping`, {
        method: 'POST',
        headers: { 'X-Webhook-Secret': String(shown) },
      });
      expect(pinged.body).to.include({ status: 204 });
      const { body } = await site.ask('/api/webhooks?email=owner@mail.net');
      expect(body.subscriptions[0]).to.include({ sport: 'nfl', capper_handle: null });
    });

    it('comes back with the input and its faults', async () => {
      const { status, headers, text } = await send({ ...filled(), owner_email: '', sport: 'nfl"><script>' });
      expect(status).to.equal(400);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(text).to.contain('role="alert"').and.to.contain('value="nfl&quot;&gt;&lt;script&gt;" selected>');
      expect(text).to.match(/<input id="owner_email"[^>]*aria-invalid="true"/);
      const refused = await send({ ...filled(), target_url: 'https://192.168.0.1/' });
      expect(refused.status).to.equal(422);
      expect(refused.text).to.match(/<input id="target_url"[^>]*aria-invalid="true"/);
    });

    it('offers existing cappers and sports', async () => {
      await database
        .database('cappers')
        .insert({ handle: 'zoe', tier: 'listed', verified: true, created_at: new Date(0) });
      await redis.redis.flushdb();
      const refused = await send({ ...filled(), owner_email: '' });
      expect(refused.text).to.contain('<option value="zoe"></option>');
      expect(refused.text).to.contain('<option value="nfl" selected>NFL</option>');
      expect(await page()).to.contain('<option value="soccer">Soccer</option>');
    });

    it('shares its limit with the API: 429 with Retry-After', async () => {
      for (let time = 0; time < 5; time++) expect((await send(filled())).status).to.equal(201);
      const sixth = await send(filled());
      expect(sixth.status).to.equal(429);
      expect(Number(sixth.headers.get('retry-after'))).to.be.greaterThan(3500);
      expect(sixth.headers.get('content-type')).to.contain('text/html');
    });

    it('refuses a cross-site post with 403 and a page, and stores nothing', async () => {
      const own = new URL(site.site.address);
      const posts: [headers: Record<string, string>, status: number][] = [
        [{ 'Sec-Fetch-Site': 'cross-site', Origin: own.origin }, 403],
        [{ 'Sec-Fetch-Site': 'same-site', Origin: own.origin }, 403],
        [{ Origin: 'https://elsewhere.example' }, 403],
        [{ Origin: `https://${own.hostname}:1` }, 403],
        [{ Origin: 'null' }, 403],
        [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 201],
        [{ Origin: own.origin }, 201],
        [{ Origin: 'https://picks.example' }, 201],
      ];
      for (const [headers, code] of posts) {
        await database.database('webhook_subscriptions').delete();
        const answer = await send(filled(), headers);
        expect(answer.status, JSON.stringify(headers)).to.equal(code);
        expect(answer.headers.get('content-type')).to.contain('text/html');
        expect(await database.database('webhook_subscriptions')).to.have.lengthOf(code === 201 ? 1 : 0);
      }
    });

    it('accepts only form bodies', async () => {
      expect((await site.ask('/webhooks', { body: filled() })).status).to.equal(415);
      expect((await site.ask('/webhooks', { method: 'POST' })).status).to.equal(400);
    });
  });

  describe('the samples', () => {
    const body = '{"event":"pick.posted","webhook_id":"7","pick":{"pick":"Café -3"}}';
    let headers: Record<string, string>;

    /** Returns a sample as a reader would copy it from the page. */
    const sample = async (id: string) => {
      const [, code] = new RegExp(`<pre[^>]*><code id="${id}">([^<]*)</code></pre>`).exec(await page()) ?? [];
      const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
      return String(code).replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => signs[name] as string);
    };
    const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
    before(() => {
      headers = deliveryHeaders({ event: 'pick.posted', deliveryId: 'msg_7_9', timestamp: 0, body, secret });
      writeFileSync(join(folder, 'body.json'), body);
    });

    it('sample-openssl distinguishes a genuine delivery from a forged one', async function () {
      if (!has('openssl', 'version')) return leftOut(this, 'sample-openssl', 'openssl');
      const code = await sample('sample-openssl');
      const run = (secret: string) =>
        spawnSync('sh', ['-c', code], {
          cwd: folder,
          env: { ...process.env, SIGNATURE: headers['X-Service-Signature'], SECRET: secret },
          encoding: 'utf8',
        }).stdout.trim();
      expect(run(secret)).to.equal('genuine');
      expect(run('f'.repeat(64))).to.equal('forged');
    });

    for (const [id, program, args] of [
      ['sample-node', process.execPath, ['--input-type=module', '-e']],
      ['sample-python', 'python3', ['-c']],
    ] as const)
      it(`${id} accepts genuine deliveries and refuses others`, async function () {
        if (!has(program, '--version')) return leftOut(this, id, program);
        const port = await freePort();
        const child = spawn(program, [...args, await sample(id)], {
          env: { ...process.env, SECRET: secret, PORT: String(port) },
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        let output = '';
        child.stdout.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
        try {
          const url = `http://127.0.0.1:${port}/`;
          await listening(url);
          const post = async (text: string, given: Record<string, string>) =>
            (await fetch(url, { method: 'POST', body: text, headers: given })).status;
          expect(await post(body, headers)).to.equal(204);
          const ping = '{"event":"ping","webhook_id":"7"}';
          const named = { event: 'ping', deliveryId: 'ping_7', timestamp: 0, secret };
          expect(await post(ping, deliveryHeaders({ ...named, body: ping }))).to.equal(204);
          expect(await post(`${body} `, headers)).to.equal(401);
          expect(await post(body, { ...headers, 'X-Service-Signature': 'sha256=00' })).to.equal(401);
          expect(await post(body, {})).to.equal(401);
          expect(output.match(/pick\.posted/g)).to.have.lengthOf(1);
        } finally {
          await ended(child);
        }
      });

    it('sample-subscribe and sample-manage subscribe, list, ping, pause, resume, and revoke', async function () {
      if (!has('curl', '--version')) return leftOut(this, 'sample-subscribe', 'curl');
      const here = (code: string) =>
        code
          .replaceAll('https://picks.example', site.site.address)
          .replaceAll('https://receiver.example.com/picks', receiver.url('/picks'));
      receiver.received.length = 0;
      const shell = (code: string, environment: object) =>
        new Promise<string>((done) => {
          const child = spawn(
            'sh',
            ['-c', here(code).replaceAll(/^(\s*)curl /gm, '$1curl -sS -w "\\n%{http_code}\\n" ')],
            {
              env: { ...process.env, ...environment },
              stdio: ['ignore', 'pipe', 'inherit'],
            },
          );
          let output = '';
          child.stdout.setEncoding('utf8').on('data', (text) => {
            output += text;
          });
          child.once('close', () => done(output));
        });
      const subscribed = (await shell(await sample('sample-subscribe'), {})).trim().split('\n');
      expect(subscribed[1]).to.equal('201');
      const { id, secret: given } = JSON.parse(String(subscribed[0]));
      const output = await shell(await sample('sample-manage'), { ID: String(id), SECRET: given });
      expect(output.match(/^\d{3}$/gm)).to.deep.equal(['200', '200', '200', '200', '200', '204']);
      expect(receiver.received.map(({ headers: got }) => got['x-service-event'])).to.deep.equal(['ping']);
      const [row] = await database.database('webhook_subscriptions').where({ id });
      expect(row.status).to.equal('revoked');
    });

    function leftOut(test: Mocha.Context, id: string, needs: string): never {
      process.stderr.write(`SKIPPED: ${id}, since this machine lacks ${needs}\n`);
      return test.skip();
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function listening(url: string): Promise<void> {
  await until(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((done) => child.once('close', done));
  child.kill('SIGKILL');
  await gone;
}
