import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { request } from 'undici';
import type { Route } from '../../src/http/routes.ts';
import { createAvailability } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { startApi } from '../support/api.ts';
import { quiet } from '../support/quiet.ts';
import { withServedLeague } from '../support/served-league.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

describe('pages over HTTP', () => {
  const served = withServedLeague(now);

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: got, body } = await request(served.site.address + path, { headers });
    return { status: statusCode, headers: got, bytes: Buffer.from(await body.arrayBuffer()) };
  };

  const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const pick = async () => {
    const { body } = await request(`${served.site.address}/api/feed/picks`);
    const { picks } = (await body.json()) as { picks: [{ id: number; pickUuid: string }] };
    const [{ id, pickUuid }] = picks;
    return { id, uuid: pickUuid, path: `/p/${pickUuid}` };
  };

  for (const path of [
    '/',
    '/pod',
    '/sharp',
    '/leaderboard',
    '/c/ada',
    '/record/1',
    '/record/export',
    '/docs',
  ])
    it(`are indexable, cacheable, and revalidated at ${path}`, async () => {
      const { status, headers, bytes } = await get(path);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(headers['content-security-policy']).to.match(/^default-src 'none'; style-src 'self';/);
      expect(headers['content-security-policy']).not.to.contain('unsafe');
      expect(headers['cache-control']).to.match(/^public, max-age=/);
      expect(headers).not.to.have.property('x-robots-tag');
      expect(bytes.toString()).to.match(/^<!doctype html>/);
      expect(bytes.toString()).not.to.contain('noindex');
      const etag = String(headers.etag);
      expect((await get(path, { 'If-None-Match': etag })).status).to.equal(304);
      const br = await get(path, { 'Accept-Encoding': 'br' });
      expect(br.headers['content-encoding']).to.equal('br');
      expect(brotliDecompressSync(br.bytes).equals(bytes)).to.equal(true);
    });

  it('are answered from memory on a repeated request', async () => {
    await get('/leaderboard?window=90d');
    const before = served.site.api.answeredFromMemory();
    const { headers } = await get('/leaderboard?window=90d');
    expect(served.site.api.answeredFromMemory()).to.equal(before + 1);
    expect(headers['content-security-policy']).to.contain("style-src 'self'");
  });

  it('show one pick under its permalink and its number, with a canonical address', async () => {
    const { id, path } = await pick();
    const permalink = (await get(path)).bytes.toString();
    const byNumber = (await get(`/record/${id}`)).bytes.toString();
    expect(byNumber).to.equal(permalink);
    expect(permalink).to.contain(`<link rel="canonical" href="https://picks.example${path}">`);
  });

  it('describe a pick for link previews, with the address of its oEmbed', async () => {
    const { path, uuid } = await pick();
    const text = (await get(path)).bytes.toString();
    expect(text).to.contain(`<meta property="og:image" content="https://picks.example${path}/card.png">`);
    expect(text).to.contain('<meta name="twitter:card" content="summary_large_image">');
    const [, href = ''] = /type="application\/json\+oembed" title="[^"]*" href="([^"]+)"/.exec(text) ?? [];
    const { status, bytes } = await get(href);
    expect(status).to.equal(200);
    expect(JSON.parse(bytes.toString())).to.deep.include({
      version: '1.0',
      type: 'link',
      thumbnail_url: `https://picks.example${path}/card.png`,
      thumbnail_width: 1200,
    });
    const small = await get(`/oembed?url=https://picks.example/p/${uuid}&maxwidth=600`);
    expect(JSON.parse(small.bytes.toString())).not.to.have.property('thumbnail_url');
  });

  for (const [query, status] of [
    ['', 400],
    ['?url=https://elsewhere.example/p/0f8fad5b-d9cb-469f-a165-70867728950e', 404],
    ['?url=https://picks.example/p/0f8fad5b-d9cb-469f-a165-70867728950e', 404],
    ['?url=https://picks.example/p/x', 404],
    ['?url=https://picks.example/p/0f8fad5b-d9cb-469f-a165-70867728950e&format=xml', 501],
    ['?url=https://picks.example/p/0f8fad5b-d9cb-469f-a165-70867728950e&maxwidth=0', 400],
    ['?url=https://picks.example/p/x&url=https://picks.example/p/x', 400],
    ['?url=https://picks.example/p/x&maxwidth=1&maxwidth=2', 400],
  ] as const)
    it(`have no preview for /oembed${query}`, async () => {
      const { status: got, headers } = await get(`/oembed${query}`);
      expect(got).to.equal(status);
      expect(headers['content-type']).to.equal('application/problem+json');
    });

  for (const path of [
    '/p/0f8fad5b-d9cb-469f-a165-70867728950e',
    '/p/x',
    '/c/nobody',
    '/c/-',
    '/docs/nothing',
  ])
    it(`answer 404 with a helpful page for ${path}`, async () => {
      const { status, headers, bytes } = await get(path, html);
      expect(status).to.equal(404);
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(headers['cache-control']).to.equal('no-store');
      expect(headers['content-security-policy']).to.contain("style-src 'self'");
      expect(bytes.toString()).to.contain('noindex').and.to.contain('href="/leaderboard"');
    });

  for (const id of ['999999', '0', '-1', '1.5', 'x', '9'.repeat(30), '%00'])
    it(`answer 404 with a page for /record/${id}`, async () => {
      const { status, headers, bytes } = await get(`/record/${id}`);
      expect(status).to.equal(404);
      expect(headers['content-type']).to.match(/^text\/html/);
      expect(bytes.toString()).to.contain('Page not found');
    });

  for (const [path, accept] of [
    ['/record/1.json', '*/*'],
    ['/record/nothing.json', 'text/html'],
    ['/nothing.json', 'text/html'],
    ['/record/999999', 'application/json'],
    ['/record/999999', 'application/json, text/plain, */*'],
    ['/c/nobody', 'application/problem+json'],
    ['/p/00000000-0000-4000-8000-000000000000', 'application/json, text/html;q=0.9'],
    ['/nothing', 'application/json'],
  ] as const)
    it(`answer 404 with problem+json for ${path} with Accept: ${accept}`, async () => {
      const { status, headers, bytes } = await get(path, { Accept: accept });
      expect(status).to.equal(404);
      expect(headers['content-type']).to.equal('application/problem+json');
      expect(JSON.parse(bytes.toString())).to.include({ status: 404, instance: path });
    });

  for (const accept of ['text/html, application/json', 'text/html,*/*;q=0.8', 'image/png'])
    it(`answer 404 with a page for /record/999999 with Accept: ${accept}`, async () => {
      const { status, headers } = await get('/record/999999', { Accept: accept });
      expect(status).to.equal(404);
      expect(headers['content-type']).to.match(/^text\/html/);
    });

  for (const query of ['by=luck', 'window=1d', 'sport=cricket', 'tier=best', 'provenance=both', 'sport=%00'])
    it(`answer 400 with a page that explains /leaderboard?${query}`, async () => {
      const { status, bytes } = await get(`/leaderboard?${query}`);
      expect(status).to.equal(400);
      expect(bytes.toString()).to.contain(query.split('=')[0]).and.to.contain('must');
    });

  it('ignore an empty filter of their form', async () => {
    const { status, bytes } = await get('/leaderboard?window=all&sport=&tier=&provenance=');
    expect(status).to.equal(200);
    expect(bytes.equals((await get('/leaderboard')).bytes)).to.equal(true);
  });

  it('rank only picks of the requested provenance', async () => {
    const imported = (await get('/leaderboard?provenance=imported')).bytes.toString();
    expect(imported).to.contain('href="/c/ada"').and.to.contain('aria-current="true">Imported');
    expect(imported).to.contain('href="/api/leaderboard?provenance=imported"');
    const live = (await get('/leaderboard?provenance=live')).bytes.toString();
    expect(live).to.contain('No capper has a settled pick').and.not.to.contain('href="/c/ada"');
  });

  it('answer programs with problem+json, and every client of an endpoint', async () => {
    for (const [path, headers] of [
      ['/no/such', {}],
      ['/api/no/such', html],
      ['/api/leaderboard?window=1d', html],
    ] as const)
      expect((await get(path, headers)).headers['content-type'], path).to.equal('application/problem+json');
  });

  it('report a failure with a page that reveals only the request id', async () => {
    const broken: Route = {
      method: 'GET',
      path: '/broken',
      page: true,
      handle() {
        throw new Error('password=hunter2');
      },
    };
    const other = await startApi(served, { clock: { now: () => now }, routes: [broken] });
    try {
      const { statusCode, headers, body } = await request(`${other.address}/broken`, { headers: html });
      const text = await body.text();
      expect(statusCode).to.equal(500);
      expect(text).to.contain(String(headers['x-request-id'])).and.not.to.contain('hunter2');
      expect(headers['cache-control']).to.equal('no-store');
    } finally {
      await other.close();
    }
  });

  it('link to a stylesheet whose address never changes its content', async () => {
    const page = (await get('/record/export')).bytes.toString();
    const href = /<link rel="stylesheet" href="([^"]+)">/.exec(page)?.[1] ?? '';
    const { status, headers, bytes } = await get(href);
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/css; charset=utf-8');
    expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    expect(href).to.contain(createHash('sha256').update(bytes).digest('base64url').slice(0, 16));
    expect((await get('/assets/site.css')).headers['cache-control']).to.equal('public, max-age=300');
    const br = await get(href, { 'Accept-Encoding': 'br' });
    expect(br.headers).to.include({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(brotliDecompressSync(br.bytes).equals(bytes)).to.equal(true);
    expect((await get(href, { 'If-None-Match': String(headers.etag) })).status).to.equal(304);
  });

  it('serve the fonts of the stylesheet, and the favicon', async () => {
    const css = (await get('/assets/site.css')).bytes.toString();
    const paths = [...css.matchAll(/url\("([^"]+)"\)/g)].map(([, path = '']) => path);
    expect(paths).not.to.have.lengthOf(0);
    for (const path of paths) {
      const { status, headers, bytes } = await get(path);
      expect(status).to.equal(200);
      expect(headers).to.include({
        'content-type': 'font/woff2',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(bytes.subarray(0, 4).toString()).to.equal('wOF2');
    }
    expect((await get('/favicon.svg')).headers['content-type']).to.equal('image/svg+xml');
  });

  it('tag icons and the manifest by their own content, in a well-formed entity tag', async () => {
    const tags = new Map<unknown, string>();
    for (const path of [
      '/assets/site.css',
      '/favicon.svg',
      '/favicon.ico',
      '/assets/icon.png',
      '/manifest.webmanifest',
    ]) {
      const { etag } = (await get(path)).headers;
      expect(etag, path).to.match(/^W\/"[^"]+"$/);
      expect(tags.get(etag), path).to.equal(undefined);
      tags.set(etag, path);
      expect((await get(path, { 'If-None-Match': String(etag) })).status).to.equal(304);
    }
  });

  it('answer 503 with a page while PostgreSQL is unreachable, except those without data', async () => {
    const availability = createAvailability(() => Promise.reject(new Error('away')), quiet);
    const dead = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { connectTimeout: 500 });
    const other = await startApi(served, { clock: { now: () => now }, database: dead, availability });
    try {
      const entry = await request(`${other.address}/leaderboard?window=7d`);
      expect(entry.statusCode).to.equal(503);
      expect(entry.headers['retry-after']).to.equal('5');
      expect(await entry.body.text()).to.contain('unavailable');
      for (const path of ['/record/export', '/docs'])
        expect((await request(other.address + path)).statusCode).to.equal(200);
    } finally {
      await other.close();
      await dead.destroy();
    }
  });
});
