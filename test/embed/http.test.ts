import { Script } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { request } from 'undici';
import { createAvailability } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { startApi } from '../support/api.ts';
import { quiet } from '../support/quiet.ts';
import { withServedLeague } from '../support/served-league.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

describe('the widget over HTTP', () => {
  const served = withServedLeague(now);

  const get = async (path: string, headers: Record<string, string> = {}, address = served.site.address) => {
    const { statusCode, headers: got, body } = await request(address + path, { headers });
    return { status: statusCode, headers: got, bytes: Buffer.from(await body.arrayBuffer()) };
  };

  it('is a script that any site may load and every cache may keep', async () => {
    const { status, headers, bytes } = await get('/embed/capper/ada/widget.js');
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/javascript; charset=utf-8');
    expect(headers['cache-control']).to.match(/^public, max-age=3600/);
    expect(headers['cross-origin-resource-policy']).to.equal('cross-origin');
    expect(headers['access-control-allow-origin']).to.equal('*');
    expect(headers).not.to.have.property('set-cookie');
    expect(() => new Script(bytes.toString())).not.to.throw();
    const unchanged = await get('/embed/capper/ada/widget.js', { 'If-None-Match': String(headers.etag) });
    expect(unchanged.status).to.equal(304);
  });

  it('takes at most 10 KB with gzip', async () => {
    const { headers, bytes } = await get('/embed/capper/ada/widget.js', { 'Accept-Encoding': 'gzip' });
    expect(headers['content-encoding']).to.equal('gzip');
    expect(headers.vary).to.equal('Accept-Encoding');
    expect(bytes.length).to.be.below(10_000);
    expect(gunzipSync(bytes).toString()).to.contain('"handle":"ada"');
  });

  it('accepts a handle in any case', async () => {
    const { bytes } = await get('/embed/capper/ADA/widget.js');
    expect(bytes.toString()).to.contain('"handle":"ada"');
  });

  for (const handle of ['nobody', 'a', '%3C%2Fscript%3E', 'ada%22%7D)', `${'x'.repeat(40)}`])
    it(`answers 404 with a problem for the capper ${handle}`, async () => {
      const { status, headers } = await get(`/embed/capper/${handle}/widget.js`);
      expect(status).to.equal(404);
      expect(headers['content-type']).to.equal('application/problem+json');
      expect(headers['cache-control']).to.equal('no-store');
    });

  it('is available while PostgreSQL is unreachable', async () => {
    await served.redis.redis.flushdb();
    const availability = createAvailability(() => Promise.reject(new Error('away')), quiet);
    const dead = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { connectTimeout: 500 });
    const other = await startApi(served, { clock: { now: () => now }, database: dead, availability });
    try {
      expect((await get('/embed/capper/ada/widget.js', {}, other.address)).status).to.equal(200);
    } finally {
      await other.close();
      await dead.destroy();
    }
  });

  it('has a page to try it, with the tag to copy', async () => {
    const page = (await get('/docs/widget?handle=bram&theme=dark')).bytes.toString();
    expect(page).to.contain('<script src="/embed/capper/bram/widget.js" data-theme="dark" async></script>');
    expect(page).to.contain(
      '&lt;script src=&quot;https://picks.example/embed/capper/bram/widget.js&quot; data-theme=&quot;dark&quot; async&gt;',
    );
    expect(page).to.contain('&lt;noscript&gt;&lt;a href=&quot;https://picks.example/c/bram&quot;&gt;');
    expect((await get('/docs/widget')).bytes.toString()).to.match(
      /<script src="\/embed\/capper\/[a-z]+\/widget\.js"/,
    );
    expect((await get('/docs/widget?handle=nobody')).status).to.equal(404);
  });
});
