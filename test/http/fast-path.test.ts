import { expect } from 'chai';
import { request } from 'undici';
import { transportHeaders } from '../../src/http/transport/headers.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { countingBoard } from '../support/boards.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { logLines } from '../support/log-lines.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

describe('the fast path', () => {
  const database = withDatabase();
  const redis = withRedis();
  const clock = fixedClock('2026-01-15T12:00:00Z');
  const { log, lines } = logLines();
  const counted = countingBoard();
  let api: RunningApi;

  before(async () => {
    api = await startApi({ database, redis }, { boards: [counted.board], clock, log });
  });
  after(() => api.close());

  async function ask(path: string, method: 'GET' | 'HEAD' = 'GET', headers: Record<string, string> = {}) {
    const before = api.api.answeredFromMemory();
    const response = await request(api.address + path, { method, headers });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const isFast = api.api.answeredFromMemory() > before;
    return { isFast, status: response.statusCode, headers: response.headers, bytes };
  }
  const lasting = ({ date: _, 'x-request-id': __, ...headers }: Record<string, unknown>) => headers;

  for (const coding of ['identity', 'gzip', 'br'])
    it(`answers in ${coding} with the bytes of Koa`, async () => {
      const headers = { 'Accept-Encoding': coding };
      const path = `/api/counted?limit=20&coding=${coding}`;
      const [koa, fast] = [await ask(path, 'GET', headers), await ask(path, 'GET', headers)];
      expect([koa.isFast, fast.isFast]).to.deep.equal([false, true]);
      expect(fast.bytes).to.deep.equal(koa.bytes);
      expect(lasting(fast.headers)).to.deep.equal(lasting(koa.headers));
      expect(fast.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    });

  it('sends Strict-Transport-Security on a site with an https address, like Koa', async () => {
    const path = '/api/counted?limit=23';
    for (const { headers } of [await ask(path), await ask(path)])
      expect(headers['strict-transport-security']).to.equal('max-age=31536000');
    expect(transportHeaders('http://localhost:3000')).to.deep.equal({});
  });

  it('answers HEAD and 304 like Koa', async () => {
    const etag = String((await ask('/api/counted?limit=21')).headers.etag);
    for (const [method, headers] of [
      ['HEAD', {}],
      ['GET', { 'If-None-Match': etag }],
      ['HEAD', { 'If-None-Match': etag }],
    ] as const) {
      const fast = await ask('/api/counted?limit=21', method, headers);
      const koa = await ask(`/api/counted?limit=21&unseen=${method}${Object.keys(headers)}`, method, headers);
      expect([koa.isFast, fast.isFast]).to.deep.equal([false, true]);
      expect(fast.status).to.equal(koa.status);
      expect(fast.bytes).to.have.lengthOf(0);
      expect(lasting(fast.headers)).to.deep.equal(lasting(koa.headers));
    }
  });

  it('counts its answers instead of logging each', async () => {
    await ask('/api/counted?limit=28');
    const logged = lines.length;
    expect((await ask('/api/counted?limit=28')).isFast).to.equal(true);
    expect(lines).to.have.lengthOf(logged);
  });

  it('answers only URLs that match an earlier request literally', async () => {
    await ask('/api/counted?limit=22');
    expect((await ask('/api/counted?limit=22')).isFast).to.equal(true);
    expect((await ask('/api/counted?limit=022')).isFast).to.equal(false);
  });

  it('does not remember overlong URLs', async () => {
    const path = `/api/counted?limit=23&x=${'x'.repeat(600)}`;
    await ask(path);
    expect((await ask(path)).isFast).to.equal(false);
  });

  it('leaves other methods and paths to Koa', async () => {
    await ask('/api/counted?limit=24');
    const options = await request(`${api.address}/api/counted?limit=24`, { method: 'OPTIONS' });
    expect(options.statusCode).to.equal(204);
    expect((await ask('/livez')).isFast).to.equal(false);
  });

  it('drops an answer when a bump makes it stale', async () => {
    await ask('/api/counted?limit=25');
    counted.set('second');
    await api.cache.bump(['a'], 1);
    await until(async () => (await ask('/api/counted?limit=25')).bytes.includes('"second"'));
  });

  it('drops an answer after its lifetime', async () => {
    await ask('/api/counted?limit=26');
    clock.set('2026-01-15T12:05:00Z');
    expect((await ask('/api/counted?limit=26')).isFast).to.equal(false);
  });

  it('leaves requests to Node during shutdown, so that answers close their connections', async () => {
    await ask('/api/counted?limit=27');
    api.api.startShutdown();
    const last = await ask('/api/counted?limit=27');
    expect(last.isFast).to.equal(false);
    expect(last.headers.connection).to.equal('close');
  });
});
