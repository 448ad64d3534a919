import { expect } from 'chai';
import { request } from 'undici';
import { type RunningApi, startApi } from '../support/api.ts';
import { countingBoard, tierBoard } from '../support/boards.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { withRedis } from '../support/redis.ts';

describe('the boards over HTTP', () => {
  const database = withDatabase();
  const redis = withRedis();
  const clock = fixedClock('2026-01-15T12:00:00Z');
  const counted = countingBoard();
  const literal = { ...countingBoard({ path: '/api/tiers/best' }).board };
  let api: RunningApi;

  before(async () => {
    api = await startApi({ database, redis }, { boards: [tierBoard, counted.board, literal], clock });
  });
  after(() => api.close());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: got, body } = await request(api.address + path, { headers });
    return { status: statusCode, headers: got, text: await body.text() };
  };
  const queryOf = async (path: string) => JSON.parse((await get(path)).text).query;

  it('take parameters from path and query by name', async () => {
    expect(await queryOf('/api/tiers/Elite?limit=7&other=1')).to.deep.equal({ tier: 'elite', limit: 7 });
  });

  it('never let the query override the path', async () => {
    expect(await queryOf('/api/tiers/elite?tier=listed')).to.deep.equal({ tier: 'elite', limit: 10 });
  });

  it('refuse a repeated parameter, but ignore unknown ones that repeat', async () => {
    for (const query of ['limit=3&limit=4', 'limit=3&limit=3', 'limit=&limit=3']) {
      const { status, text } = await get(`/api/counted?${query}`);
      expect(status).to.equal(400);
      expect(JSON.parse(text).errors).to.deep.equal([{ path: '/limit', message: 'must be given once' }]);
    }
    expect(await queryOf('/api/counted?limit=3&utm=a&utm=b')).to.deep.equal({ limit: 3 });
  });

  it('prefer the more literal path if two match', async () => {
    expect(JSON.parse((await get('/api/tiers/best')).text)).to.include({ value: 'first' });
  });

  it('distinguish paths by case', async () => {
    expect((await get('/API/counted')).status).to.equal(404);
  });

  it('advertise their lifetime', async () => {
    const { headers } = await get('/api/tiers/elite');
    expect(headers['cache-control']).to.equal('public, max-age=60, stale-while-revalidate=60');
    expect(headers.age).to.equal(undefined);
  });

  it('name the data an answer depends on, for caches that purge by tag', async () => {
    for (const source of ['rendered', 'from memory']) {
      const { headers } = await get('/api/tiers/elite');
      expect(headers, source).to.include({
        'surrogate-key': ['everything', ...tierBoard.tags({ tier: 'elite', limit: 10 })].join(' '),
        'cache-tag': ['everything', ...tierBoard.tags({ tier: 'elite', limit: 10 })].join(','),
      });
    }
    expect((await get('/api/tiers/nothing')).headers).not.to.have.any.keys('surrogate-key', 'cache-tag');
  });

  it('answer 304 without a body to a client that has the answer', async () => {
    const first = await get('/api/counted?limit=2');
    for (const path of ['/api/counted?limit=2', '/api/counted?limit=2&x']) {
      const again = await get(path, { 'If-None-Match': `"other", ${first.headers.etag}` });
      expect(again.status).to.equal(304);
      expect(again.text).to.equal('');
      expect(again.headers).to.include({ etag: first.headers.etag, vary: 'Accept-Encoding' });
      expect(again.headers).not.to.have.any.keys('content-type', 'content-encoding');
    }
  });

  it('serve their formats at separate paths', async () => {
    const { headers, text } = await get('/api/counted.txt?limit=3');
    expect(text).to.equal('https://picks.example first 3');
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(headers['cache-control']).to.contain('max-age=600');
  });

  it('report the true age of a stale answer', async () => {
    const options = { boards: [counted.board], clock, cache: { refreshTimeoutMs: 50 } };
    const hurried = await startApi({ database, redis }, options);
    const path = '/api/counted?limit=9';
    expect((await get(path)).status).to.equal(200);
    const release = counted.hold();
    try {
      clock.set('2026-01-15T12:09:00Z');
      const { statusCode, headers, body } = await request(hurried.address + path);
      expect(statusCode).to.equal(200);
      expect(headers.age).to.equal('540');
      expect(headers['cache-control'], 'a purged cache may not keep it').to.equal(
        'public, max-age=300, s-maxage=1',
      );
      expect(await body.json()).to.include({ generatedAt: '2026-01-15T12:00:00.000Z' });
    } finally {
      release();
      await hurried.close();
    }
  });
});
