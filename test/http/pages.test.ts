import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { request } from 'undici';
import { createReach } from '../../src/cache/reach.ts';
import { openDatabase } from '../../src/database.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { league } from '../support/folders.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { goTheWholeWay, ingest } from '../support/whole-way.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

describe('pages over HTTP', () => {
  const database = withDatabase();
  const redis = withRedis();
  let site: RunningApi;

  before(async () => {
    await ingest(database.database, league, now);
    await goTheWholeWay(database.database, now);
    site = await startApi({ database, redis }, { clock: { now: () => now } });
  });
  after(() => site.close());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: got, body } = await request(site.address + path, { headers });
    return { status: statusCode, headers: got, bytes: Buffer.from(await body.arrayBuffer()) };
  };

  for (const path of ['/record/export', '/record/1'])
    it(`serves ${path} as a page that may be indexed and that runs nothing`, async () => {
      const { status, headers, bytes } = await get(path);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(headers['content-security-policy']).to.contain("default-src 'none'; style-src 'self'");
      expect(headers['cache-control']).to.match(/^public, max-age=/);
      expect(headers).not.to.have.property('x-robots-tag');
      expect(bytes.toString()).to.match(/^<!doctype html>/);
      const etag = String(headers.etag);
      expect((await get(path, { 'If-None-Match': etag })).status).to.equal(304);
    });

  it('shows the pick that has the number', async () => {
    const { body } = await request(`${site.address}/record/export.json?after_id=0&limit=1`);
    const { picks } = (await body.json()) as { picks: { id: number; pick: string; permalink: string }[] };
    const [pick] = picks;
    const path = new URL(pick?.permalink ?? '').pathname;
    expect((await get(path)).bytes.toString()).to.contain(pick?.pick);
  });

  for (const id of ['999999', '0', '-1', '1.5', 'x', '9'.repeat(30), '%00'])
    it(`answers 404 with a page for /record/${id}`, async () => {
      const { status, headers, bytes } = await get(`/record/${id}`);
      expect(status).to.equal(404);
      expect(headers['content-type']).to.match(/^text\/html/);
      expect(bytes.toString()).to.contain('There is no such record');
    });

  it('serves the stylesheet under the address that pages give, to be kept for ever', async () => {
    const page = (await get('/record/export')).bytes.toString();
    const href = /<link rel="stylesheet" href="([^"]+)">/.exec(page)?.[1] ?? '';
    const { status, headers, bytes } = await get(href);
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/css; charset=utf-8');
    expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    expect(href).to.contain(createHash('sha256').update(bytes).digest('base64url').slice(0, 16));
    expect((await get('/assets/site.css')).headers['cache-control']).to.equal('public, max-age=300');
  });

  it('answers 503 with a page while PostgreSQL is out of reach, save for what needs none', async () => {
    const reach = createReach(() => Promise.reject(new Error('away')), quiet);
    const dead = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { connectTimeout: 500 });
    const other = await startApi({ database, redis }, { clock: { now: () => now }, database: dead, reach });
    try {
      const entry = await request(`${other.address}/record/1`);
      expect(entry.statusCode).to.equal(503);
      expect(entry.headers['retry-after']).to.equal('5');
      expect(await entry.body.text()).to.contain('out of reach');
      expect((await request(`${other.address}/record/export`)).statusCode).to.equal(200);
    } finally {
      await other.close();
      await dead.destroy();
    }
  });
});
