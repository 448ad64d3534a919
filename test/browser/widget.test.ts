import axe from 'axe-core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { request } from 'undici';
import { widgetScript } from '../../src/embed/widget.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { league } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';
import { foreignSite, type ListeningServer, listen } from './foreign-site.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

/** Rules that a page can apply to all of its elements, however senseless. */
const hostileCss = `
* { color: rgb(255, 0, 0) !important; font-size: 40px !important; letter-spacing: 9px !important; text-transform: uppercase !important;
  display: none !important; background: rgb(0, 255, 0) !important; float: right !important; visibility: hidden !important; }
html, body, main, h1, script { display: block !important; visibility: visible !important; float: none !important; }
body { direction: rtl; font: 30px cursive; line-height: 3; }
public-picks-capper { opacity: 0; position: absolute; transform: scale(9); all: unset; }
.card, .figures, .name, dd, a, p { border: 9px solid red !important; margin: 90px !important; }`;

describe('the widget in a browser, on a foreign origin', () => {
  const database = withDatabase();
  const redis = withRedis();
  const browser = withBrowser();
  let service: RunningApi;
  let elsewhere: Awaited<ReturnType<typeof foreignSite>>;

  before(async () => {
    await ingest(database.database, league, now);
    await runPipeline(database.database, now);
    const stores = { database, redis };
    service = await startApi(stores, { clock: { now: () => now } });
    elsewhere = await foreignSite();
  });
  after(async () => {
    await service.close();
    await elsewhere.close();
  });

  const tag = (handle: string, more = '', address = service.address) =>
    `<script src="${address}/embed/capper/${handle}/widget.js" ${more} async></script>`;
  const strict = () =>
    `default-src 'none'; script-src ${service.address}; connect-src ${service.address}; require-trusted-types-for 'script'; trusted-types 'none'`;
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor();

  it('shows the record under a strict Content-Security-Policy, with one tag and no errors', async () => {
    const { page, faults } = await browser.open({ timezoneId: 'UTC' });
    await page.goto(elsewhere.put('/strict', { body: `<h1>Mine</h1>${tag('ada')}`, policy: strict() }));
    await shown(page, 'Updated Jan 1, 2025, 12:00 AM UTC');
    const answer = await request(`${service.address}/api/cappers/ada/stats`);
    const { lifetime, lastPicks } = (await answer.body.json()) as {
      lifetime: { record: string };
      lastPicks: { bet: string; pickUuid: string }[];
    };
    const text = (await page.locator('public-picks-capper .card').textContent()) ?? '';
    expect(text)
      .to.contain(lifetime.record.replaceAll('-', '–'))
      .and.to.contain('1-800-GAMBLER')
      .and.to.contain('21+');
    expect(text).to.contain(lastPicks[0]?.bet.replace('-', '−')).and.not.to.contain('not verified');
    const links = await page.locator('public-picks-capper a').evaluateAll((found) => found.map(String));
    expect(links).to.include(`${service.address}/p/${lastPicks[0]?.pickUuid}`);
    expect(links).to.include(`${service.address}/c/ada`);
    // The style applies although the page's policy allows none.
    expect(await styleOf(page, '.card', 'background-color')).to.equal('rgb(250, 248, 242)');
    expect(faults).to.deep.equal([]);
    expect(await page.context().cookies()).to.deep.equal([]);
  });

  it('looks the same under hostile CSS and leaves the page unchanged', async () => {
    const { page, faults } = await browser.open({ timezoneId: 'UTC' });
    await page.goto(elsewhere.put('/calm', { body: `<h1>Mine</h1>${tag('ada')}` }));
    await shown(page, 'Updated');
    const calm = await looks(page);
    await page.goto(elsewhere.put('/other', { body: '<h1>Mine</h1>', css: hostileCss }));
    const alone = await styleOf(page, 'h1', 'font', 'color', 'letter-spacing');
    await page.goto(elsewhere.put('/hostile', { body: `<h1>Mine</h1>${tag('ada')}`, css: hostileCss }));
    await shown(page, 'Updated');
    expect(await looks(page)).to.deep.equal(calm);
    expect(calm).to.have.length.above(30);
    expect(await styleOf(page, 'h1', 'font', 'color', 'letter-spacing')).to.equal(alone);
    expect(faults).to.deep.equal([]);
  });

  it('keeps its own width in a container that shrinks to its content', async () => {
    const { page } = await browser.open({ timezoneId: 'UTC' });
    const body = `<div style="float: left">${tag('ada')}</div><div style="display: inline-flex">${tag('bram')}</div>`;
    await page.goto(elsewhere.put('/float', { body }));
    await page.getByText('Updated').nth(1).waitFor();
    for (const card of await page.locator('public-picks-capper .card').all())
      expect((await card.boundingBox())?.width).to.be.within(270, 441);
  });

  it('coexists with widgets of the same and other cappers, and with elements placed by hand', async () => {
    const { page, faults } = await browser.open({ timezoneId: 'UTC' });
    const body = `${tag('ada')}<p id="between">between</p>${tag('bram')}${tag('ada')}${tag('cleo', 'data-manual')}
      <public-picks-capper handle="cleo"></public-picks-capper>`;
    await page.goto(elsewhere.put('/several', { body, policy: strict() }));
    const widgets = page.locator('public-picks-capper');
    for (let nth = 0; nth < 4; nth += 1) await widgets.nth(nth).getByText('Updated').waitFor();
    expect(
      await widgets.evaluateAll((found) => found.map((each) => each.getAttribute('handle'))),
    ).to.deep.equal(['ada', 'bram', 'ada', 'cleo']);
    const names = await page.locator('public-picks-capper .name').allTextContents();
    expect(names).to.deep.equal(['ada', 'bram', 'ada', 'cleo']);
    expect(faults).to.deep.equal([]);
  });

  it('updates when its handle changes', async () => {
    const { page, faults } = await browser.open({ timezoneId: 'UTC' });
    await page.goto(elsewhere.put('/change', { body: tag('ada'), policy: strict() }));
    await shown(page, 'Updated');
    await page.locator('public-picks-capper').evaluate((element) => element.setAttribute('handle', 'bram'));
    await page.getByRole('region', { name: 'Record of bram on Public Picks' }).getByText('Updated').waitFor();
    expect(await page.locator('public-picks-capper .name').textContent()).to.equal('bram');
    expect(faults).to.deep.equal([]);
  });

  it('says that a capper does not exist', async () => {
    const { page } = await browser.open({ timezoneId: 'UTC' });
    const body = `${tag('ada', 'data-manual')}<public-picks-capper handle="nobody"></public-picks-capper>`;
    await page.goto(elsewhere.put('/nobody', { body }));
    await shown(page, 'There is no capper nobody on Public Picks.');
  });

  it("says that the page's policy blocks the figures, and what to add", async () => {
    const { page, faults } = await browser.open({ timezoneId: 'UTC' });
    const policy = `default-src 'none'; script-src ${service.address}`;
    await page.goto(elsewhere.put('/refused', { body: tag('ada'), policy }));
    await shown(page, `Add ${service.address} to its connect-src.`);
    expect(faults.filter((fault) => fault.startsWith('error:'))).to.deep.equal([]);
  });

  it('follows light and dark mode, and the theme that the tag names', async () => {
    const light = await browser.open({ colorScheme: 'light' });
    const dark = await browser.open({ colorScheme: 'dark' });
    const own = elsewhere.put('/own', { body: tag('ada') });
    const forced = elsewhere.put('/forced', { body: tag('ada', 'data-theme="dark"') });
    const backgrounds = [];
    for (const [{ page }, url] of [
      [light, own],
      [dark, own],
      [light, forced],
    ] as const) {
      await page.goto(url);
      await shown(page, 'Updated');
      backgrounds.push(await styleOf(page, '.card', 'background-color'));
    }
    expect(backgrounds).to.deep.equal(['rgb(250, 248, 242)', 'rgb(18, 23, 21)', 'rgb(18, 23, 21)']);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`passes axe in ${colorScheme} mode, down to 240 pixels`, async () => {
      for (const width of [240, 900]) {
        const { page } = await browser.open({ colorScheme, viewport: { width, height: 900 } });
        await page.goto(elsewhere.put('/axe', { body: `<h1>Mine</h1>${tag('ada')}` }));
        await shown(page, 'Updated');
        await page.evaluate(axe.source);
        const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] };
        expect(violations.map(({ id }) => id)).to.deep.equal([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
      }
    });

  it("runs on the documentation page, under the site's own policy", async () => {
    const { page, faults } = await browser.open({ timezoneId: 'UTC' });
    await page.goto(`${service.address}/docs/widget?handle=bram`);
    await shown(page, 'Updated Jan 1, 2025, 12:00 AM UTC');
    expect(await page.locator('public-picks-capper .name').textContent()).to.equal('bram');
    expect(faults).to.deep.equal([]);
  });

  describe('when the service fails', () => {
    let failing: ListeningServer | undefined;
    afterEach(async () => {
      await failing?.close();
      failing = undefined;
    });

    /** Serves the script, and the given answers for the figures. */
    async function serviceOf(
      answer: (what: string) => { status: number; body: unknown; age?: string } | undefined,
    ) {
      const server = await listen((req, res) => {
        res.setHeader('Access-Control-Allow-Origin', '*');
        res.setHeader('Access-Control-Expose-Headers', 'Age');
        if (req.url?.endsWith('.js')) {
          res.setHeader('Content-Type', 'text/javascript');
          const settings = {
            origin: 'http://unused.invalid',
            handle: 'ada',
            helpLine: '1-800-GAMBLER',
            logKind: 'demo' as const,
          };
          return res.end(widgetScript(settings));
        }
        const given = answer(req.url?.split('/').at(-1)?.split('?')[0] ?? '');
        if (given === undefined) return req.socket.destroy();
        if (given.age !== undefined) res.setHeader('Age', given.age);
        res.writeHead(given.status, { 'Content-Type': 'application/json' });
        return res.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
      });
      failing = server;
      return server;
    }

    for (const [what, answer] of [
      ['is down', () => undefined],
      ['answers 503', () => ({ status: 503, body: {} })],
      ['answers nonsense', () => ({ status: 200, body: '<html>' })],
      ['answers with other fields', () => ({ status: 200, body: {} })],
    ] as const)
      it(`says that it ${what}, and still links to the record`, async () => {
        const { address } = await serviceOf(answer);
        const { page, faults } = await browser.open({ timezoneId: 'UTC' });
        await page.goto(elsewhere.put('/down', { body: tag('ada', '', address) }));
        await shown(page, 'Public Picks is unavailable right now. This page tries again every 5 minutes.');
        expect(await page.locator('public-picks-capper .name').getAttribute('href')).to.equal(
          `${address}/c/ada`,
        );
        expect(await page.getByRole('status').textContent()).to.contain('is unavailable right now');
        expect(faults.filter((fault) => fault.startsWith('error:'))).to.deep.equal([]);
      });

    it('keeps the last figures if they were shown before, and says how old they are', async () => {
      let away = false;
      const { address } = await serviceOf((what) => (away ? undefined : { status: 200, body: bodies[what] }));
      const { page, faults } = await browser.open({ timezoneId: 'UTC' });
      await page.clock.install();
      await page.goto(elsewhere.put('/later', { body: tag('ada', '', address) }));
      await shown(page, 'Updated');
      away = true;
      await page.clock.runFor(301_000);
      await page.clock.runFor(1000);
      await shown(
        page,
        'This page tries again every 5 minutes. Showing figures from Jan 15, 2026, 12:00 PM UTC.',
      );
      expect(await page.locator('public-picks-capper .card').textContent()).to.contain('12–8–1');
      away = false;
      await page.clock.runFor(301_000);
      await until(async () => (await page.locator('public-picks-capper .warning').textContent()) === '');
      expect(faults.filter((fault) => fault.startsWith('error:'))).to.deep.equal([]);
    });

    it('shows live picks only from 20 settled ones on, and colors no figure that luck explains', async () => {
      const of = (picks: number) => ({ ...(bodies.stats as object), lifetime: { ...record, picks } });
      let live = 19;
      const { address } = await serviceOf((what) => ({
        status: 200,
        body: what === 'stats' ? of(live) : bodies[what],
      }));
      const { page } = await browser.open({ timezoneId: 'UTC' });
      const at = elsewhere.put('/live', { body: tag('ada', '', address) });
      await page.goto(at);
      await shown(page, 'Live and imported picks. Won the last 3.');
      await shown(page, '55% beat the close');
      const names = await page.locator('public-picks-capper dt').allTextContents();
      expect(names.indexOf('Average edge')).to.be.within(0, names.indexOf('Median CLV') - 1);
      expect(await page.locator('public-picks-capper :is(.up, .down)').count()).to.equal(0);
      live = 20;
      await page.goto(at);
      await shown(page, 'Live picks only.');
    });

    it('marks an unverified capper and a pick that does not count, and omits that pick from the latest results', async () => {
      const lost = { pickUuid: 'c', bet: 'too good', oddsAmerican: 2500, result: 'loss' };
      const stats = bodies.stats as { lastPicks: object[] };
      const lastPicks = [
        { ...lost, priceCheck: { verdict: 'unseen' } },
        { ...lost, priceCheck: { verdict: 'above_market', countedAmerican: -105 } },
        ...stats.lastPicks,
      ];
      const { address } = await serviceOf((what) => ({
        status: 200,
        body: what === 'stats' ? { ...stats, lastPicks } : bodies[what],
      }));
      const { page } = await browser.open({ timezoneId: 'UTC' });
      await page.goto(elsewhere.put('/uncounted', { body: tag('ada', '', address) }));
      await shown(page, '+2500 · loss · not counted');
      await shown(page, '+2500 · loss · counted at −105');
      expect(await page.locator('public-picks-capper .head').textContent()).to.equal('adaElitenot verified');
      expect(await page.locator('public-picks-capper .form li').allTextContents()).to.deep.equal(['W', 'L']);
    });

    it('says how old the figures are when the service answers with stale ones', async () => {
      const { address } = await serviceOf((what) => ({ status: 200, body: bodies[what], age: '5400' }));
      const { page } = await browser.open({ timezoneId: 'UTC' });
      await page.goto(elsewhere.put('/old', { body: tag('ada', '', address) }));
      await shown(page, 'These figures are 90 minutes old');
    });

    it('shows hostile text as text', async () => {
      const { address } = await serviceOf((what) => ({ status: 200, body: bodies[what] }));
      const { page, faults } = await browser.open({ timezoneId: 'UTC' });
      await page.goto(elsewhere.put('/text', { body: tag('ada', '', address) }));
      await shown(page, hostile);
      expect(await page.locator('public-picks-capper img').count()).to.equal(0);
      expect(await page.evaluate('typeof window.owned')).to.equal('undefined');
      await shown(page, 'Demo: cappers and picks are made up.');
      expect(faults).to.deep.equal([]);
    });
  });
});

const hostile = '<img src=x onerror="window.owned=1"></script><b>bold</b>';

const record = {
  picks: 21,
  wins: 12,
  losses: 8,
  pushes: 1,
  voids: 0,
  record: '12-8-1',
  hitRatePct: 60,
  unitsNet: 3.1,
  unitsStaked: 20,
  roiPct: 15.5,
  roiLowPct: -20.5,
  roiHighPct: 51.5,
  edgeMeanPct: -1.25,
  edgeSample: 20,
  importedPicks: 0,
  latePicks: 0,
};

const bodies: Record<string, unknown> = {
  stats: {
    generatedAt: '2026-01-15T12:00:00.000Z',
    handle: 'ada',
    tier: 'elite',
    verified: false,
    verdict: { word: 'unproven', sentence: 'Too early to say: 20 picks.' },
    lifetime: record,
    last30d: record,
    bySport: [],
    lastPicks: [
      { pickUuid: 'javascript:alert(1)', bet: hostile, oddsAmerican: -110, result: 'win' },
      { pickUuid: 'b', bet: 'open', oddsAmerican: 150, result: null },
    ],
  },
  clv: { sample: 20, beatSample: 11, medianBps: 40.5 },
  streak: { handle: 'ada', kind: 'W', length: 3, since: null, lastSettledAt: null },
};

/** Returns computed styles of the first element that a selector finds, in the widget or else on the page. */
async function styleOf(page: Page, selector: string, ...names: string[]): Promise<string> {
  return page.evaluate(
    `(() => {
      const root = document.querySelector('public-picks-capper')?.shadowRoot;
      const style = getComputedStyle(root?.querySelector(${JSON.stringify(selector)}) ?? document.querySelector(${JSON.stringify(selector)}));
      return ${JSON.stringify(names)}.map((name) => style.getPropertyValue(name)).join('; ');
    })()`,
  );
}

/** Returns the computed style of every element of the widget, including the host. */
async function looks(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const host = document.querySelector('public-picks-capper');
    const names = ['color', 'background-color', 'font-size', 'font-family', 'font-weight', 'line-height', 'letter-spacing', 'text-transform',
      'display', 'visibility', 'opacity', 'float', 'position', 'transform', 'direction', 'text-align', 'border-top-width', 'margin-top'];
    return [host, ...host.shadowRoot.querySelectorAll('*')].map((element) => {
      const style = getComputedStyle(element);
      return element.tagName + ': ' + names.map((name) => style.getPropertyValue(name)).join('; ');
    });
  })()`);
}
