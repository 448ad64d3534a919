import { expect } from 'chai';
import { problem } from '../../src/http/answer.ts';
import type { Route } from '../../src/http/routes.ts';
import { problemNames } from '../../src/pages/problems.ts';
import { DatabaseUnavailable } from '../../src/platform/availability.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { countingBoard, tierBoard } from '../support/boards.ts';
import { withDatabase } from '../support/database.ts';
import { logLines } from '../support/log-lines.ts';
import { withRedis } from '../support/redis.ts';

const throwing = (path: string, error: unknown): Route => ({
  method: 'POST',
  path,
  handle() {
    throw error;
  },
});

/** Returns the declared kinds that the address of a problem names. */
const namesOf = ({ type }: Record<string, unknown>) =>
  problemNames.filter((name) => String(type).endsWith(`/problems/${name}`));

describe('problems', () => {
  const database = withDatabase();
  const redis = withRedis();
  const { log, lines } = logLines();
  let api: RunningApi;

  before(async () => {
    const routes = [
      throwing('/limited', problem(429, 'At most 5 an hour.', { headers: { 'Retry-After': '60' } })),
      throwing(
        '/refused',
        problem(422, 'No.', { errors: [{ path: '/target_url', message: 'must be https' }] }),
      ),
      throwing('/large', Object.assign(new Error('request entity too large: secret'), { status: 413 })),
      throwing('/type', Object.assign(new Error('Unsupported Media Type'), { status: 415 })),
      throwing('/unsupported', problem(501, 'Only JSON.')),
      throwing('/away', new DatabaseUnavailable(new Error('connect ECONNREFUSED db.internal:5432'))),
      throwing('/bug', Object.assign(new Error('select * from picks at db.internal'), { code: '42P01' })),
    ];
    api = await startApi({ database, redis }, { boards: [countingBoard().board, tierBoard], routes, log });
  });
  after(() => api.close());

  async function ask(path: string, init: RequestInit = {}) {
    const response = await fetch(api.address + path, init);
    return { response, body: (await response.json()) as Record<string, unknown> };
  }

  for (const [path, method, status, title] of [
    ['/nothing', 'GET', 404, 'Not Found'],
    ['/api/counted?limit=0', 'GET', 400, 'Invalid parameters'],
    ['/api/counted?sport=cricket', 'GET', 400, 'Invalid parameters'],
    ['/api/counted?text=missing', 'GET', 404, 'Not Found'],
    ['/api/tiers/gold', 'GET', 404, 'Not Found'],
    ['/api/tiers/%zz', 'GET', 404, 'Not Found'],
    ['/api/tiers/a%00b', 'GET', 404, 'Not Found'],
    ['/api/counted?text=%00', 'GET', 400, 'Invalid parameters'],
    ['/api/counted', 'POST', 405, 'Method Not Allowed'],
    ['/large', 'POST', 413, 'Payload Too Large'],
    ['/type', 'POST', 415, 'Unsupported Media Type'],
    ['/refused', 'POST', 422, 'Unprocessable Entity'],
    ['/limited', 'POST', 429, 'Too Many Requests'],
    ['/away', 'POST', 503, 'Ledger unavailable'],
    ['/bug', 'POST', 500, 'Internal Server Error'],
  ] as const)
    it(`are application/problem+json with status ${status} for ${method} ${path}`, async () => {
      const { response, body } = await ask(path, { method });
      expect(response.status).to.equal(status);
      expect(response.headers.get('content-type')).to.equal('application/problem+json');
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(response.headers.get('access-control-allow-origin')).to.equal('*');
      expect(response.headers.get('x-request-id')).to.be.a('string');
      expect(body).to.include({ title, status, instance: path.split('?')[0] });
      expect(namesOf(body)).to.have.lengthOf(1);
      const page = await fetch(api.address + new URL(String(body.type)).pathname);
      expect(page.status).to.equal(200);
      expect(await page.text()).to.contain(`<h1>${title}</h1>`);
      expect(body.detail).to.match(/^\S.*\.$/s);
      expect(JSON.stringify(body)).not.to.match(/\\n +at|node_modules|select|internal:|internal"|secret/);
    });

  it('have a page each, which an index lists', async () => {
    const index = await (await fetch(`${api.address}/problems`)).text();
    for (const name of problemNames) {
      expect(index).to.contain(`href="/problems/${name}"`);
      const page = await fetch(`${api.address}/problems/${name}`);
      expect(page.status, name).to.equal(200);
      expect(await page.text()).to.contain('What to do');
    }
  });

  it('have a declared kind, whatever their status', () => {
    for (let status = 400; status < 600; status += 1)
      expect(problemNames).to.include(problem(status, 'No.').type);
  });

  it('name each wrong parameter', async () => {
    const { body } = await ask('/api/counted?limit=0&sport=x');
    expect(body.errors).to.deep.include({ path: '/limit', message: 'must be >= 1' });
    expect(body.errors).to.have.lengthOf(2);
    expect(body.detail).to.contain('sport must be one of nba, nfl');
  });

  it('list the valid values when a path names an unknown one', async () => {
    const { body } = await ask('/api/tiers/gold?limit=0');
    expect(body.detail).to.equal('There is no tier "gold": it must be one of elite, verified_sharp, listed.');
  });

  it('list the allowed methods', async () => {
    const { response } = await ask('/api/counted', { method: 'DELETE' });
    expect(response.headers.get('allow')).to.equal('GET, HEAD, OPTIONS');
  });

  it('say when to retry', async () => {
    expect((await ask('/away', { method: 'POST' })).response.headers.get('retry-after')).to.equal('5');
    expect((await ask('/limited', { method: 'POST' })).response.headers.get('retry-after')).to.equal('60');
  });

  it("are logged with the reader's request id if they are bugs", async () => {
    const { response } = await ask('/bug', { method: 'POST' });
    const requestId = response.headers.get('x-request-id');
    const logged = lines.filter((line) => line.requestId === requestId);
    expect(logged.map(({ level, msg }) => `${level} ${msg}`)).to.deep.equal([
      'error request failed',
      'info request',
    ]);
    expect(JSON.stringify(logged[0])).to.contain('select * from picks');
  });

  it('are not logged as errors if they are intended', async () => {
    const { response } = await ask('/unsupported', { method: 'POST' });
    expect(response.status).to.equal(501);
    const requestId = response.headers.get('x-request-id');
    const logged = lines.filter((line) => line.requestId === requestId);
    expect(logged.map(({ level, msg }) => `${level} ${msg}`)).to.deep.equal(['info request']);
  });
});

describe('a path', () => {
  const database = withDatabase();
  const redis = withRedis();
  let api: RunningApi;

  before(async () => {
    api = await startApi({ database, redis }, { boards: [countingBoard().board, tierBoard] });
  });
  after(() => api.close());

  it('is the same in every percent-encoding, for every method, with answers from memory, and in problems', async () => {
    const spelled = [
      '/api/counted',
      '/%61pi/counted',
      '/api/%63ounte%64',
      '/%61%70%69/%63%6F%75%6e%74%65%64',
    ];
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE'])
      for (let round = 0; round < 2; round += 1) {
        const answers = await Promise.all(spelled.map((path) => fetch(api.address + path, { method })));
        const [first, ...others] = await Promise.all(
          answers.map(async (answer) => [answer.status, answer.headers.get('etag'), await answer.text()]),
        );
        for (const other of others) expect(other, method).to.deep.equal(first);
      }
    expect((await fetch(`${api.address}/%61pi%2Fcounted`)).status, 'another path').to.equal(404);
    const gold = await fetch(`${api.address}/api/tiers/%67old`);
    expect(await gold.json()).to.include({ instance: '/api/tiers/gold' });
  });

  it('is answered with JSON for data, whatever the client accepts, and with HTML for a page', async () => {
    const browse = async (path: string) => {
      const { headers } = await fetch(api.address + path, { headers: { Accept: 'text/html, */*;q=0.8' } });
      return headers.get('content-type');
    };
    for (const path of [
      '/api/counted?limit=0',
      '/record/export.xml',
      '/embed/capper/x/widget.js',
      '/embed/none',
      '/oembed',
      '/ledger/proof/999',
      '/ledger/none',
      '/p/none/card.png',
      '/none.rss',
    ])
      expect(await browse(path), path).to.equal('application/problem+json');
    for (const path of ['/p/none', '/none', '/search?q=%00', '/record/none', '/leaderboard?limit=x'])
      expect(await browse(path), path).to.equal('text/html; charset=utf-8');
  });
});
