import { expect } from 'chai';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { exampleLedgers } from '../support/ledgers.ts';
import { pagePaths } from '../support/page-paths.ts';
import { withRedis } from '../support/redis.ts';

const [ledger] = exampleLedgers.filter(({ name }) => name === 'a ledger with every kind of pick');
/** American odds as pages write them, except the small print beside a decimal price. */
const american = />[^<]*[+−]\d{3,}(?![\d.u%,])[^<]*</;

describe('?odds=decimal', () => {
  const database = withDatabase({ filling: ledger! });
  const redis = withRedis();
  let site: RunningApi;
  let paths: string[];

  before(async () => {
    site = await startApi({ database, redis }, { clock: fixedClock(ledger!.now) });
    paths = await pagePaths(database.database);
  });
  after(() => site?.close());

  const get = async (path: string) => (await fetch(site.address + path)).text();
  const decimal = (path: string) => `${path}${path.includes('?') ? '&' : '?'}odds=decimal`;
  const [first, one] = ['/c/', '/p/'];

  it('writes decimal prices on a page, and carries over to its links, forms, and card without a cookie', async () => {
    for (const start of [first, one]) {
      const path = String(paths.find((each) => each.startsWith(start)));
      const response = await fetch(site.address + decimal(path));
      expect(response.status, path).to.equal(200);
      expect(response.headers.get('set-cookie')).to.equal(null);
      const text = await response.text();
      expect(text, path).to.match(/class="odds"><b>\d+\.\d\d<\/b> <small>[+−]\d+/);
      const inside = [...text.matchAll(/ href="(\/[^"]*)"/g)]
        .map(([, to]) => String(to))
        .filter((to) => !/^\/(assets|api|ledger|favicon|manifest|openapi)/.test(to));
      expect(inside.length).to.be.greaterThan(5);
      for (const to of inside) expect(to).to.match(/[?;]odds=(decimal|american)/);
      expect(text).to.contain('<input type="hidden" name="odds" value="decimal">');
      if (start === one) expect(text).to.match(/og:image" content="[^"]*card\.png\?odds=decimal"/);
      expect(text.replace(/<small>[^<]*<\/small>/g, ''), path).not.to.match(american);
    }
  });

  it('links to the same page in the other form, and back', async () => {
    const path = String(paths.find((each) => each.startsWith(one)));
    expect(await get(path))
      .to.contain(`href="${path}?odds=decimal"`)
      .and.not.to.contain('odds=american');
    expect(await get(decimal(path))).to.contain(`href="${path}?odds=american"`);
    const privacy = await get('/privacy?odds=decimal');
    expect(privacy).to.contain('href="/leaderboard?odds=decimal"');
    expect(await get('/privacy')).to.contain('href="/leaderboard"');
  });

  it("writes decimal prices in feeds without changing the items' ids", async () => {
    const [plain, other] = [await get('/picks.rss'), await get('/picks.rss?odds=decimal')];
    const guids = (feed: string) => [...feed.matchAll(/<guid[^>]*>[^<]*/g)].map(String);
    expect(guids(other)).to.deep.equal(guids(plain)).and.not.to.have.lengthOf(0);
    expect(plain).to.match(/\([+−]\d{3,}\)/);
    expect(other)
      .to.match(/\(\d\.\d\d\)/)
      .and.not.to.match(/\([+−]\d{3,}\)/);
  });

  it('draws another card', async () => {
    const path = String(paths.find((each) => each.startsWith(one)));
    const tag = async (query: string) =>
      (await fetch(`${site.address}${path}/card.png${query}`, { method: 'HEAD' })).headers.get('etag');
    expect(await tag('?odds=decimal')).not.to.equal(await tag(''));
    expect(await tag('?odds=american')).to.equal(await tag(''));
  });

  it('sets the price format of widgets', async () => {
    const handle = String(paths.find((each) => each.startsWith(first))).split(/[/?]/)[2];
    const script = (query: string) => get(`/embed/capper/${handle}/widget.js${query}`);
    expect(await script('?odds=decimal')).to.contain('"odds":"decimal"');
    expect(await script('')).to.contain('"odds":"american"');
  });

  it('is refused with any value other than decimal and american', async () => {
    expect((await fetch(`${site.address}/leaderboard?odds=hongkong`)).status).to.equal(400);
  });
});
