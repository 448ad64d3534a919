import { expect } from 'chai';
import { createAvailability } from '../../src/platform/availability.ts';
import { readSitePaths, siteChunks } from '../../src/record/sitemap.ts';
import { all, readXml, textOf } from '../boards/formats/read-xml.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { league } from '../support/folders.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const base = 'https://picks.example';

describe('/sitemap.xml', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const clock = fixedClock('2025-01-01T00:00:00Z');
  let site: RunningApi;

  before(async () => {
    await ingest(stores.database, league, clock.now());
    await runPipeline(stores.database, clock.now());
    site = await startApi({ database: stores, redis }, { clock });
  });
  after(() => site.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(site.address + path, { headers: { Accept: 'application/xml', ...headers } });
  async function addresses(path: string, root: string, element: string) {
    const document = readXml(await (await get(path)).text());
    expect(document.name).to.equal(root);
    expect(document.attributes.xmlns).to.equal('http://www.sitemaps.org/schemas/sitemap/0.9');
    return all(document, element).map((each) => textOf(each, 'loc'));
  }

  it('is an index of existing files', async () => {
    expect(await addresses('/sitemap.xml', 'sitemapindex', 'sitemap')).to.deep.equal([
      `${base}/sitemap/pages.xml`,
      `${base}/sitemap/sports-1.xml`,
      `${base}/sitemap/cappers-1.xml`,
      `${base}/sitemap/games-1.xml`,
      `${base}/sitemap/picks-1.xml`,
    ]);
  });

  it('lists every page, sport, capper, game, and pick, all of which exist', async () => {
    const lists = await Promise.all(
      ['pages', 'cappers-1', 'picks-1', 'sports-1', 'games-1'].map((name) =>
        addresses(`/sitemap/${name}.xml`, 'urlset', 'url'),
      ),
    );
    const [pages = [], cappers, picks, sports, games] = lists;
    expect(pages).to.include.members(
      ['/', '/pod', '/sharp', '/leaderboard', '/record/export', '/webhooks', '/privacy'].map(
        (path) => base + path,
      ),
    );
    const handles: string[] = await stores.database('cappers').pluck('handle');
    expect(cappers).to.have.members(handles.map((handle) => `${base}/c/${handle}`));
    const uuids: string[] = await stores.database('picks').pluck('uuid');
    expect(picks).to.have.members(uuids.map((uuid) => `${base}/p/${uuid}`));
    const keys: string[] = await stores.database('sports').pluck('key');
    expect(sports).to.have.members(keys.map((key) => `${base}/sport/${key}`));
    const ids: number[] = await stores.database('games').pluck('id');
    expect(games).to.have.members(ids.map((id) => `${base}/game/${id}`));
    for (const loc of lists.flat()) expect((await get(loc.slice(base.length))).status, loc).to.equal(200);
  });

  it('is cacheable, revalidated, and compressed', async () => {
    const first = await get('/sitemap.xml', { 'Accept-Encoding': 'gzip' });
    expect(first.headers.get('content-type')).to.equal('application/xml; charset=utf-8');
    expect(first.headers.get('content-encoding')).to.equal('gzip');
    expect(first.headers.get('cache-control')).to.contain('max-age=600');
    const etag = String(first.headers.get('etag'));
    expect((await get('/sitemap.xml', { 'If-None-Match': etag })).status).to.equal(304);
  });

  for (const name of [
    'picks-2.xml',
    'picks-0.xml',
    'picks-999999.xml',
    'picks-9999999.xml',
    'games-2.xml',
    'sports-2.xml',
    'teams-1.xml',
    'x',
    'picks-1.json',
  ])
    it(`has nothing at /sitemap/${name}`, async () => {
      expect((await get(`/sitemap/${name}`)).status).to.equal(404);
    });

  describe('with ids on both sides of 50,000', () => {
    const large = withDatabase();
    before(async () => {
      for (const table of ['picks', 'cappers'])
        await large.owner.raw(`select setval(pg_get_serial_sequence('${table}', 'id'), 49998)`);
      await ingest(large.database, league, clock.now());
      await runPipeline(large.database, clock.now());
    });

    it('is split by id, so that no file is too long and no page changes its file', async () => {
      for (const section of ['cappers', 'picks'] as const) {
        expect(await siteChunks(large.database, section)).to.equal(2);
        const parts: [string[], string[], string[]] = [[], [], []];
        for (const [at, paths] of parts.entries())
          await readSitePaths(large.database, section, at + 1, (batch) => paths.push(...batch));
        expect(parts[0]).to.have.length(2);
        expect(parts[2]).to.have.length(0);
        const ids: number[] = await large.database(section).pluck('id');
        expect(new Set(parts.flat()).size).to.equal(ids.length);
      }
    });
  });

  it('asks clients to retry while the ledger is unreachable', async () => {
    const availability = createAvailability(() => Promise.reject(new Error('away')), quiet);
    await availability.check();
    const away = await startApi({ database: stores, redis }, { clock, availability });
    try {
      const response = await fetch(`${away.address}/sitemap.xml`);
      expect(response.status).to.equal(503);
      expect(response.headers.get('retry-after')).to.equal('5');
    } finally {
      await away.close();
    }
  });
});
