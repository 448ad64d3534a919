import { expect } from 'chai';
import fc from 'fast-check';
import { createAvailability } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { type Resolve, ResolveError } from '../../src/webhooks/guard/resolve.ts';
import { startApi } from '../support/api.ts';
import { codePoint } from '../support/code-point.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { logLines } from '../support/log-lines.ts';
import { quiet } from '../support/quiet.ts';
import { type Answer, type Receiver, startReceiver, status } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { startWebhookSite, type WebhookSite } from '../support/webhook-site.ts';

const clock = fixedClock('2026-01-15T12:00:00Z');
const body = { owner_email: 'owner@mail.net', target_url: 'https://hooks.receiver.net/a-path?key=a-key' };
const someSecret = 'ab'.repeat(32);

describe('/api/webhooks', () => {
  const database = withDatabase();
  const redis = withRedis();
  let site: WebhookSite;
  let ask: WebhookSite['ask'];

  before(async () => {
    site = await startWebhookSite({ database, redis }, { clock, settings: { TRUST_PROXY: '1' } });
    ask = site.ask;
  });
  after(() => site.close());
  beforeEach(async () => {
    await redis.redis.flushdb();
    await database.database('webhook_subscriptions').delete();
  });

  const { owner_email, target_url } = body;
  const malformed: [what: string, given: unknown, path: string][] = [
    ['no e-mail', { target_url }, '/owner_email'],
    ['no target', { owner_email }, '/target_url'],
    ['nothing', {}, '/owner_email'],
    ['a text that is not an e-mail', { ...body, owner_email: 'owner' }, '/owner_email'],
    ['an e-mail with a line break', { ...body, owner_email: 'a@mail.net\nBcc: b@mail.net' }, '/owner_email'],
    ['an e-mail of 300 characters', { ...body, owner_email: `${'a'.repeat(290)}@mail.net` }, '/owner_email'],
    ['a number as the e-mail', { ...body, owner_email: 7 }, '/owner_email'],
    ['a list as the target', { ...body, target_url: [target_url] }, '/target_url'],
    ['an empty handle', { ...body, capper_handle: '' }, '/capper_handle'],
    ['a sport with a control character', { ...body, sport: 'nfl\u0000' }, '/sport'],
    ['an object as the sport', { ...body, sport: { $ne: null } }, '/sport'],
  ];
  for (const [what, given, path] of malformed)
    it(`refuses ${what}: 400 that names the field, without counting against the limit`, async () => {
      for (let time = 0; time < 6; time++) {
        const answer = await ask('/api/webhooks', { body: given });
        expect(answer.status).to.equal(400);
        expect(answer.headers.get('content-type')).to.equal('application/problem+json');
        expect(answer.headers.get('cache-control')).to.equal('no-store');
        expect(answer.body.errors.map((error: { path: string }) => error.path)).to.include(path);
      }
      expect((await ask('/api/webhooks', { body })).status).to.equal(201);
    });

  it('refuses a body that is not JSON, not declared as JSON, or too large', async () => {
    const refusals: [given: Parameters<typeof ask>[1], status: number][] = [
      [{ body: '{"owner_email":' }, 400],
      [{ body: '"a text"' }, 400],
      [{ body: '[]' }, 400],
      [{ body: 'owner_email=a', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415],
      [{ body: JSON.stringify(body), headers: { 'Content-Type': 'text/plain' } }, 415],
      [{ body: JSON.stringify(body), headers: { 'Content-Encoding': 'secret' } }, 415],
      [{ body: { ...body, sport: 'x'.repeat(20_000) } }, 413],
    ];
    for (const [given, code] of refusals) {
      const answer = await ask('/api/webhooks', given);
      expect(answer.status, JSON.stringify(given).slice(0, 80)).to.equal(code);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
    }
  });

  const refused: [what: string, given: object, path: string][] = [
    ['http', { target_url: 'http://hooks.receiver.net/' }, '/target_url'],
    ['a private address', { target_url: 'https://10.0.0.8/' }, '/target_url'],
    ['the address of a cloud’s metadata', { target_url: 'https://169.254.169.254/' }, '/target_url'],
    ['localhost', { target_url: 'https://localhost/' }, '/target_url'],
    ['another port', { target_url: 'https://hooks.receiver.net:9200/' }, '/target_url'],
    ['user info', { target_url: 'https://a:b@hooks.receiver.net/' }, '/target_url'],
    ['no URL', { target_url: 'hooks' }, '/target_url'],
    ['an unknown capper', { capper_handle: 'nobody-here' }, '/capper_handle'],
    ['an unknown sport', { sport: 'curling' }, '/sport'],
  ];
  for (const [what, changes, path] of refused)
    it(`refuses ${what}: 422 that names the field and stores nothing`, async () => {
      const answer = await ask('/api/webhooks', { body: { ...body, ...changes } });
      expect(answer.status).to.equal(422);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
      expect(answer.body.errors[0].path).to.equal(path);
      expect(answer.body.detail).to.have.length.greaterThan(10);
      expect(await database.database('webhook_subscriptions')).to.have.lengthOf(0);
    });

  it('refuses a host without a public address: 422; or 503 while the resolver is down', async () => {
    const answers: Record<string, Resolve> = {
      private: async () => [
        { address: '198.41.0.4', family: 4 },
        { address: '10.0.0.8', family: 4 },
      ],
      unknown: () => Promise.reject(new ResolveError('ENOTFOUND', false)),
      out: () => Promise.reject(new ResolveError('ECONNREFUSED', true)),
    };
    for (const [which, code] of [
      ['private', 422],
      ['unknown', 422],
      ['out', 503],
    ] as const) {
      const client = { post: () => Promise.reject(new Error('nothing is sent')) };
      const targets = { client, resolve: answers[which] as Resolve };
      const other = await startApi({ database, redis }, { clock, targets });
      try {
        const response = await fetch(`${other.address}/api/webhooks`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
        expect(response.status, which).to.equal(code);
        expect(response.headers.has('retry-after')).to.equal(code === 503);
        expect(await response.text())
          .not.to.contain('10.0.0.8')
          .and.not.to.contain('a-path');
      } finally {
        await other.close();
      }
    }
  });

  it('refuses any other body without failing', async () => {
    const value = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.jsonValue(),
      fc.webUrl({ validSchemes: ['https'], withFragments: true }),
      fc.emailAddress(),
    );
    const bodies = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { owner_email: value, target_url: value, capper_handle: value, sport: value },
        { requiredKeys: [] },
      ),
      fc.record({
        owner_email: fc.emailAddress(),
        target_url: fc.oneof(fc.webUrl({ validSchemes: ['https'] }), fc.string({ unit: codePoint })),
        sport: value,
      }),
    );
    await fc.assert(
      fc.asyncProperty(bodies, fc.ipV4(), async (given, address) => {
        const headers = { 'X-Forwarded-For': address };
        const { status: code } = await ask('/api/webhooks', { body: JSON.stringify(given), headers });
        expect(code).to.be.oneOf([201, 400, 422, 429]);
      }),
      { numRuns: 80 },
    );
  });

  it('refuses the sixth subscription of an hour: 429 with Retry-After; refused requests do not count, even when concurrent', async () => {
    const refusals = [
      [422, { ...body, sport: 'curling' }],
      [422, { ...body, capper_handle: 'nobody' }],
      [422, { ...body, target_url: 'https://localhost/x' }],
      [400, { ...body, owner_email: 'x' }],
    ] as const;
    for (let time = 0; time < 5; time++) {
      const refused = Promise.all(
        [...refusals, ...refusals].map(async ([status, given]) => [
          status,
          (await ask('/api/webhooks', { body: given })).status,
        ]),
      );
      for (const [expected, status] of await refused) expect(status).to.equal(expected);
      expect((await ask('/api/webhooks', { body })).status).to.equal(201);
    }
    const sixth = await ask('/api/webhooks', { body });
    expect(sixth.status).to.equal(429);
    expect(Number(sixth.headers.get('retry-after'))).to.be.within(3500, 3600);
    expect(sixth.headers.get('access-control-expose-headers')).to.contain('Retry-After');
  });

  it('counts by the address that the trusted proxy names, and an IPv6 client by its /64', async () => {
    const from = async (forwarded: string) =>
      (await ask('/api/webhooks', { body, headers: { 'X-Forwarded-For': forwarded } })).status;
    for (let time = 0; time < 5; time++)
      // Entries further left were written by the client.
      expect(await from(`203.0.113.${time}, 2001:db8:0:1::${time}`)).to.equal(201);
    expect(await from('203.0.113.77, 2001:db8:0:1:ffff::1')).to.equal(429);
    expect(await from('2001:db8:0:1::1, 2001:db8:0:2::1')).to.equal(201);
    expect(await from('192.0.2.1')).to.equal(201);
  });

  it('ignores X-Forwarded-For without a trusted proxy', async () => {
    const bare = await startWebhookSite({ database, redis }, { clock });
    try {
      for (let time = 0; time < 6; time++) {
        const headers = { 'X-Forwarded-For': `192.0.2.${time}` };
        const answer = await bare.ask('/api/webhooks', { body, headers });
        expect(answer.status).to.equal(time < 5 ? 201 : 429);
      }
    } finally {
      await bare.close();
    }
  });

  it('refuses a missing or invalid e-mail, and an invalid limit', async () => {
    for (const query of ['', '?email=', '?email=x', '?email=a@mail.net&email=b@mail.net', '?mail=a@mail.net'])
      expect((await ask(`/api/webhooks${query}`)).status, query).to.equal(400);
    const { body: made } = await ask('/api/webhooks', { body });
    const headers = { 'X-Webhook-Secret': String(made.secret) };
    for (const [limit, code] of [
      ['0', 400],
      ['-1', 400],
      ['many', 400],
      ['1', 200],
      ['9999999', 200],
      ['', 200],
    ] as const)
      expect(
        (await ask(`/api/webhooks/${made.id}/attempts?limit=${limit}`, { headers })).status,
        limit,
      ).to.equal(code);
  });

  it('refuses other methods with 405 and the allowed ones; preflights allow the header of the secret', async () => {
    for (const [path, method, allow] of [
      ['/api/webhooks', 'PUT', 'GET, HEAD, OPTIONS, POST'],
      ['/api/webhooks', 'DELETE', 'GET, HEAD, OPTIONS, POST'],
      ['/api/webhooks/7', 'GET', 'DELETE, OPTIONS'],
      ['/api/webhooks/7/attempts', 'POST', 'GET, HEAD, OPTIONS'],
      ['/api/webhooks/7/ping', 'GET', 'OPTIONS, POST'],
      ['/api/webhooks/7/enable', 'GET', 'OPTIONS, POST'],
      ['/api/webhooks/7/rotate', 'DELETE', 'OPTIONS, POST'],
    ] as const) {
      const answer = await ask(path, { method });
      expect(answer.status, path).to.equal(405);
      expect(answer.headers.get('allow')).to.equal(allow);
      const preflight = await ask(path, { method: 'OPTIONS' });
      expect(preflight.status).to.equal(204);
      expect(preflight.headers.get('access-control-allow-methods')).to.equal(allow);
      expect(preflight.headers.get('access-control-allow-headers')).to.contain('X-Webhook-Secret');
      expect(preflight.headers.get('access-control-allow-origin')).to.equal('*');
    }
  });

  it('answers 503 with Retry-After while PostgreSQL is unreachable', async () => {
    const availability = createAvailability(() => Promise.reject(new Error('away')), quiet);
    const dead = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { connectTimeout: 500 });
    const other = await startWebhookSite({ database, redis }, { clock, database: dead, availability });
    try {
      for (const [path, given] of [
        ['/api/webhooks', { body }],
        ['/api/webhooks?email=a@mail.net', {}],
        ['/api/webhooks/1', { method: 'DELETE', headers: { 'X-Webhook-Secret': someSecret } }],
        ['/api/webhooks/1/ping', { method: 'POST', headers: { 'X-Webhook-Secret': someSecret } }],
      ] as const) {
        const answer = await other.ask(path, given);
        expect(answer.status, path).to.equal(503);
        expect(answer.headers.get('retry-after')).to.equal('5');
      }
    } finally {
      await other.close();
      await dead.destroy();
    }
  });

  it('subscribes, and counts, while Redis is unreachable', async () => {
    const away = openRedis('redis://127.0.0.1:1', quiet);
    const other = await startWebhookSite({ database, redis }, { clock, redis: away });
    try {
      for (let time = 0; time < 6; time++)
        expect((await other.ask('/api/webhooks', { body })).status).to.equal(time < 5 ? 201 : 429);
    } finally {
      await other.close();
      away.disconnect();
    }
  });
});

describe('the logs of webhooks', () => {
  const database = withDatabase();
  const redis = withRedis();
  const { log, lines } = logLines('trace');
  let receiver: Receiver;
  let site: WebhookSite;

  before(async () => {
    receiver = await startReceiver();
    site = await startWebhookSite({ database, redis }, { clock, log, receivers: [receiver] });
  });
  after(async () => {
    await site.close();
    await receiver.close();
  });

  it('contain no secret, no address beyond its host, and no e-mail', async () => {
    const { ask } = site;
    const given = { owner_email: 'a-person@mail.net', target_url: receiver.url('/a-path?key=a-key') };
    const { body: made } = await ask('/api/webhooks', { body: given });
    const headers = { 'X-Webhook-Secret': String(made.secret) };
    const path = `/api/webhooks/${made.id}`;
    await ask('/api/webhooks?email=a-person@mail.net');
    await ask('/api/webhooks?email=a-person@mail.net%00');
    await ask('/api/webhooks', { body: { ...given, target_url: 'https://10.0.0.1/a-path?key=a-key' } });
    await ask('/api/webhooks', { body: { ...given, owner_email: 'a-person@mail.net ' } });
    await ask('/webhooks', {
      body: new URLSearchParams(given).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    const answers: Answer[] = [status(204), status(500), (response) => response.destroy()];
    for (const answer of answers) {
      receiver.answer = answer;
      await ask(`${path}/ping`, { method: 'POST', headers });
    }
    const { body: renewed } = await ask(`${path}/rotate`, { method: 'POST', headers });
    await ask(path, { method: 'DELETE', headers });
    expect(renewed.secret).to.match(/^[0-9a-f]{64}$/);
    expectNothingOf([made.secret, renewed.secret]);
    expect(lines.filter(({ msg }) => msg === 'request')).to.have.lengthOf(11);
  });

  it('contain none of it when the database refuses a row or a sealed secret cannot be opened', async () => {
    const { ask } = site;
    await redis.redis.flushdb();
    const given = { owner_email: 'a-person@mail.net', target_url: receiver.url('/a-path?key=a-key') };
    const { body: made } = await ask('/api/webhooks', { body: given });
    const headers = { 'X-Webhook-Secret': String(made.secret) };
    await database
      .database('webhook_subscriptions')
      .where('id', made.id)
      .update({ target_url_sealed: Buffer.from('something else'), secret_sealed: Buffer.from('x') });
    expect((await ask(`/api/webhooks/${made.id}`, { method: 'DELETE', headers })).status).to.equal(500);
    await database.owner.raw(
      `alter table webhook_subscriptions add constraint never check (id < 0) not valid`,
    );
    const failed = await ask('/api/webhooks', { body: given });
    expect(failed.status).to.equal(500);
    expect(failed.text).not.to.match(/constraint|insert|person/);
    expect(lines.filter(({ msg }) => msg === 'request failed')).to.have.lengthOf(2);
    expectNothingOf([made.secret]);
  });

  function expectNothingOf(secrets: readonly string[]): void {
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    for (const part of [...secrets, 'a-person', 'a-path', 'a-key'])
      expect(
        text.includes(part),
        `${part} in ${text.slice(Math.max(0, text.indexOf(part) - 300)).slice(0, 600)}`,
      ).to.equal(false);
  }
});
