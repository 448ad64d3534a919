import { expect } from 'chai';
import { request } from 'undici';
import { exportPaths } from '../../src/http/api/record-export.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { createAvailability } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { withDatabase } from '../support/database.ts';
import { declaredDocument } from '../support/declared-routes.ts';
import { exampleValues } from '../support/examples.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { withFolder } from '../support/folders.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { richLog } from '../support/rich-log.ts';
import { startWebhookSite, type WebhookSite } from '../support/webhook-site.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';
import { type Endpoint, endpoints, outage, reads, type Statement, webhooks } from './statements.ts';

/** Headers that differ for each request or connection. */
const passing = new Set(['date', 'x-request-id', 'connection', 'keep-alive']);
const browser = { Accept: 'text/html, */*;q=0.8' };

interface Asked {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

describe('the interface', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  const clock = fixedClock('2025-01-01T00:00:00Z');
  let webhookSite: WebhookSite;
  let facts: Record<string, string>;
  let walked = 0;

  before(async () => {
    const log = await richLog(database.database, folder);
    clock.set(log.now);
    const game = { sport: 'nfl', game: 'Owls @ Rays', startsAt: '2025-02-01T18:00:00Z' };
    const files = [
      folder.write('games.ndjson', [{ ...game, status: 'scheduled' }]),
      folder.write('picks.ndjson', [
        {
          ...game,
          capperHandle: 'ada',
          market: 'total',
          side: 'over',
          line: 40,
          pick: 'Over 40',
          oddsAmerican: -115,
          stakeUnits: 1,
          postedAt: '2024-12-31T00:00:00Z',
        },
      ]),
    ];
    await ingest(database.database, files, log.now);
    await runPipeline(database.database, log.now);
    await publishCheckpoint(database.database, log.publisher, log.now);
    const { pending } = await database
      .database('board_picks')
      .whereNull('result')
      .orderBy('pick_id')
      .first({ pending: 'uuid' });
    facts = { ...(await exampleValues(database.database)), pending };
    webhookSite = await startWebhookSite({ database, redis }, { clock });
  });
  after(async () => {
    await webhookSite?.close();
    process.stdout.write(`    ${walked} statements walked\n`);
  });

  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => encodeURIComponent(facts[name] ?? whole));

  async function ask(
    path: string,
    {
      method = 'GET',
      headers = {},
      body,
    }: { method?: string; headers?: Record<string, string>; body?: string } = {},
    address = webhookSite.site.address,
  ): Promise<Asked> {
    const answer = await request(address + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  /** Checks one statement. */
  function state(what: string, check: () => void): void {
    walked += 1;
    try {
      check();
    } catch (error) {
      (error as Error).message = `${what}: ${(error as Error).message}`;
      throw error;
    }
  }

  const lasting = (headers: Asked['headers']) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name)));

  function stateProblem(what: string, asked: Asked, status: number, page = false): void {
    state(`${what} is ${status}`, () => expect(asked.status, asked.text).to.equal(status));
    state(`${what} is a problem that nobody may cache`, () =>
      expect(asked.headers).to.include({
        'content-type': page ? 'text/html; charset=utf-8' : 'application/problem+json',
        'cache-control': 'no-store',
      }),
    );
  }

  for (const endpoint of endpoints)
    it(`${endpoint.path} does what the interface states`, async () => {
      const query = Object.entries(endpoint.query ?? {}).map(([name, value]) => `${name}=${fill(value)}`);
      const url = (more = '', path = endpoint.path) => {
        const all = [...query.filter((each) => !more.includes(each.split('=')[0] as string)), more];
        const text = all.filter((each) => each !== '').join('&');
        return fill(path) + (text === '' ? '' : `?${text}`);
      };
      await stateAnswer(endpoint, url);
      await stateParameters(endpoint, url);
      for (const path of endpoint.unknown ?? [])
        stateProblem(path, await ask(url('', path), { headers: browser }), 404, endpoint.page);
    });

  async function stateAnswer(
    { path, maxAge, type = 'application/json', untagged, page }: Endpoint,
    url: (more?: string, path?: string) => string,
  ): Promise<void> {
    const first = await ask(url());
    const { headers } = first;
    state('it answers without credentials', () => expect(first.status, first.text).to.equal(200));
    state('its content type', () =>
      expect(headers['content-type']).to.match(new RegExp(`^${type.replace('+', '\\+')}`)),
    );
    state('its lifetime', () =>
      expect(headers['cache-control']).to.match(
        maxAge === null ? /^no-store$/ : new RegExp(`^public, max-age=${maxAge}(,|$)`),
      ),
    );
    state('any origin may read it', () => expect(headers['access-control-allow-origin']).to.equal('*'));
    state('its security headers', () => {
      expect(headers['x-content-type-options']).to.equal('nosniff');
      expect(headers['content-security-policy']).to.match(/^default-src 'none'/);
      expect(headers['referrer-policy']).to.be.a('string');
    });
    state('it has an id', () => expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/));
    state('its entity tag is weak', () =>
      untagged ? expect(headers.etag).to.equal(undefined) : expect(headers.etag).to.match(/^W\/"/),
    );
    const again = await ask(url());
    state('it is the same from memory', () => expect(lasting(again.headers)).to.deep.equal(lasting(headers)));
    const head = await ask(url(), { method: 'HEAD' });
    state('HEAD is GET without a body', () => {
      expect([head.status, head.text]).to.deep.equal([200, '']);
      expect(lasting(head.headers)).to.deep.equal(lasting(headers));
    });
    if (!untagged) {
      const known = await ask(url(), { headers: { 'If-None-Match': String(headers.etag) } });
      state('it is 304 for a client that has it', () =>
        expect([known.status, known.text]).to.deep.equal([304, '']),
      );
      const unknown = await ask(url('utm=1'));
      state('an unknown parameter changes nothing', () =>
        expect([unknown.status, unknown.headers.etag]).to.deep.equal([200, headers.etag]),
      );
      const br = await ask(url(), { headers: { 'Accept-Encoding': 'br' } });
      state('it is compressed', () =>
        expect(br.headers).to.include({ 'content-encoding': 'br', vary: 'Accept-Encoding' }),
      );
    }
    const spelled = await ask(
      url(
        '',
        path.replace(/^\/(\w)/, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`),
      ),
    );
    state('its path may be percent-encoded', () =>
      expect([spelled.status, spelled.headers.etag]).to.deep.equal([200, headers.etag]),
    );
    const options = await ask(url(), { method: 'OPTIONS' });
    state('OPTIONS names its methods', () =>
      expect([options.status, options.headers.allow]).to.deep.equal([204, 'GET, HEAD, OPTIONS']),
    );
    const deleted = await ask(url(), { method: 'DELETE', headers: page ? {} : browser });
    stateProblem('another method', deleted, 405);
    state('405 names the methods', () => expect(deleted.headers.allow).to.equal('GET, HEAD, OPTIONS'));
  }

  async function stateParameters(
    { numbers = {}, choices = {}, page }: Endpoint,
    url: (more?: string) => string,
  ): Promise<void> {
    const effective = async (more: string, name: string) => {
      const { status, text } = await ask(url(more));
      expect(status, text).to.equal(200);
      return JSON.parse(text).query[name];
    };
    for (const [name, { usual, most, least = 1 }] of Object.entries(numbers)) {
      const taken: [string, number][] = [
        ['', usual],
        [`${name}=${least}`, least],
        most === null ? [`${name}=12345678`, 12345678] : [`${name}=${most}`, most],
        ...(most === null
          ? []
          : ([
              [`${name}=${most + 1}`, most],
              [`${name}=${'9'.repeat(30)}`, most],
            ] as [string, number][])),
      ];
      for (const [more, value] of taken) {
        const shown = await effective(more, name);
        state(`${more || `no ${name}`} counts as ${value}`, () => expect(shown).to.equal(value));
      }
      for (const wrong of [String(least - 1), 'x', '1.5', '1e2'])
        stateProblem(`${name}=${wrong}`, await ask(url(`${name}=${wrong}`), { headers: browser }), 400, page);
      stateProblem(
        `${name} given twice`,
        await ask(url(`${name}=2&${name}=2`), { headers: browser }),
        400,
        page,
      );
    }
    for (const [name, wrong] of Object.entries(choices)) {
      const asked = await ask(url(`${name}=${wrong}`), { headers: browser });
      stateProblem(`${name}=${wrong}`, asked, 400, page);
      state(`${name}=${wrong} is named`, () =>
        expect(JSON.parse(asked.text).errors.map((error: { path: string }) => error.path)).to.include(
          `/${name}`,
        ),
      );
      const twice = await ask(url(`${name}=${wrong}&${name}=${wrong}`), { headers: browser });
      stateProblem(`${name} given twice`, twice, 400, page);
    }
  }

  async function stateAll(statements: readonly Statement[], address?: string): Promise<void> {
    for (const { says, method, path, headers = {}, body, status, answer = {}, fields = {} } of statements) {
      const sent = Object.fromEntries(
        Object.entries({
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        }).map(([name, value]) => [name, decodeURIComponent(fill(value))]),
      );
      const asked = await ask(
        fill(path),
        {
          ...(method === undefined ? {} : { method }),
          headers: sent,
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        },
        address,
      );
      const what = `${says} (${method ?? 'GET'} ${path})`;
      state(what, () => expect(asked.status, asked.text.slice(0, 300)).to.equal(status));
      for (const [name, value] of Object.entries(answer))
        state(`${what}, ${name}`, () =>
          value instanceof RegExp
            ? expect(asked.headers[name]).to.match(value)
            : expect(asked.headers[name]).to.equal(value ?? undefined),
        );
      for (const [name, value] of Object.entries(fields))
        state(`${what}, ${name}`, () => expect(fieldOf(JSON.parse(asked.text), name)).to.deep.equal(value));
    }
  }

  it('answers for exports, pages, and missing data as stated', () => stateAll(reads));

  it('gives HEAD the headers of GET for exports, on first and repeated requests, in every content coding', async () => {
    for (const path of exportPaths)
      for (const coding of ['identity', 'gzip', 'br'])
        for (let round = 0; round < 3; round += 1) {
          const url = `${path}?limit=${coding.length + 10}`;
          const headers = { 'Accept-Encoding': coding };
          const head = await ask(url, { method: 'HEAD', headers });
          const get = await ask(url, { headers });
          state(`HEAD ${url} in ${coding}`, () => {
            expect([head.status, head.text]).to.deep.equal([200, '']);
            expect(lasting(head.headers)).to.deep.equal(lasting(get.headers));
          });
        }
  });

  it('does not limit the reads of one client', async () => {
    const urls = [
      ...Array.from({ length: 100 }, (_, n) => `/api/search?q=a${n}`),
      ...Array.from({ length: 60 }, (_, n) => `/api/markets?days=${n + 1}`),
      ...Array.from({ length: 60 }, (_, n) => `/record/export.json?limit=${n + 1}`),
    ];
    const answers = await Promise.all(urls.map((url) => ask(url)));
    for (const [index, { status }] of answers.entries())
      state(`read ${urls[index]}`, () => expect(status).to.equal(200));
    const rows = answers.slice(-60).map(({ text }) => JSON.parse(text).count);
    state('exports have their rows', () => expect(rows).to.deep.equal(rows.map((_, n) => n + 1)));
  });

  it('serves webhooks as stated', async () => {
    const body = JSON.stringify({
      owner_email: 'owner@mail.net',
      target_url: 'https://hooks.receiver.net/a-path?key=a-key',
    });
    const subscribe = () =>
      ask('/api/webhooks', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    const made = await subscribe();
    state('a subscription is 201 and not cacheable', () =>
      expect([made.status, made.headers['cache-control']]).to.deep.equal([201, 'no-store']),
    );
    const { id, secret } = JSON.parse(made.text);
    state('its id is a number', () => expect(id).to.be.a('number'));
    state('its secret has 64 hex characters', () => expect(secret).to.match(/^[0-9a-f]{64}$/));
    Object.assign(facts, { id: String(id), secret });
    await stateAll(webhooks);
    for (let time = 2; time <= 5; time += 1) {
      const { status } = await subscribe();
      state(`subscription ${time} of the hour, despite refused ones`, () => expect(status).to.equal(201));
    }
    const sixth = await subscribe();
    stateProblem('the sixth subscription of an hour', sixth, 429);
    state('says when to retry', () => expect(Number(sixth.headers['retry-after'])).to.be.within(3500, 3600));
  });

  it('answers during an outage of the data store as stated', async () => {
    const availability = createAvailability(() => Promise.reject(new Error('away')), quiet);
    const dead = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { connectTimeout: 500 });
    await redis.redis.flushdb();
    const other = await startWebhookSite({ database, redis }, { clock, database: dead, availability });
    try {
      await stateAll(outage, other.site.address);
      const { text } = await ask('/record/export.csv', {}, other.site.address);
      state('a comment row follows the header row of the CSV', () =>
        expect(text.trimEnd().split('\r\n')).to.have.lengthOf(2).with.property('1').that.matches(/^#/),
      );
    } finally {
      await other.close();
      await dead.destroy();
    }
  });
});

function fieldOf(value: unknown, path: string): unknown {
  let found = value as Record<string, unknown> | undefined;
  for (const name of path.split('.')) found = found?.[name] as Record<string, unknown> | undefined;
  return found;
}

describe('the API reference', () => {
  it('says of every number of picks whether it counts posted or settled ones', () => {
    const counted: string[] = [];
    const seen = new Set<unknown>();
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return;
      seen.add(value);
      const { properties = {} } = value as {
        properties?: Record<string, { type?: unknown; description?: string }>;
      };
      for (const [name, { type, description = '' }] of Object.entries(properties))
        if (/^(picks|picks7d|picksToday|pickCount)$/.test(name) && type === 'integer') {
          counted.push(name);
          expect(description, name).to.match(/posted|settled/i);
        }
      for (const each of Object.values(value)) walk(each);
    };
    walk(declaredDocument<{ components: { schemas: Record<string, unknown> }; paths: object }>().paths);
    walk(declaredDocument<{ components: object }>().components);
    expect(new Set(counted)).to.include.keys('picks', 'picks7d', 'picksToday', 'pickCount');
  });

  it('names the cursor of every paged list, and the field with the next one', () => {
    const { paths } = declaredDocument<{
      paths: Record<string, { get?: { parameters?: { name: string; description?: string }[] } }>;
    }>();
    for (const path of ['/api/sharp/recent', '/api/feed/picks', '/api/cappers/{handle}/picks']) {
      const cursor = paths[path]?.get?.parameters?.find(({ name }) => name === 'cursor');
      expect(cursor?.description, path).to.contain('nextCursor');
    }
  });
});
