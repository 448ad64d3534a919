import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type RunningApi, startApi } from '../support/api.ts';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { busyDay } from '../support/ledgers.ts';
import { atLength } from '../support/long.ts';
import { fixedPaths, oneOfEachKind, pagePaths } from '../support/page-paths.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const phone = 390;
const widths = atLength([phone, 768], [360, phone, 768, 1280]);
/** The height that a phone and a tablet may have to scroll, in pixels: under five screens. */
const longest = 4000;
/** Longer pages: references, each whole on one page for the browser's own search. The second ones fold on a phone. */
const mayBeLonger = /^\/(how|problems|rules(\/[\w-]+)?)($|\?)/;
const mayBeLongerOnTablets = /^\/(record\/export|webhooks)($|\?)/;
/** Heavier pages: tools that load the modules of the verifier one by one, as its readers know them, and one that shows a widget. */
const mayBeHeavier = /^\/(verify|join|post|docs\/widget)\b/;
/** The smallest text with a digit, and any other, in pixels. */
const smallest = { figure: 13, text: 12 };
/** Limits of a first visit, without the event stream. */
const most = { bytes: 120_000, requests: 6 };

describe('the size of every page over a busy day', function () {
  this.timeout(atLength(240_000, 900_000));
  const database = withDatabase({ filling: busyDay });
  const redis = withRedis();
  const browser = withBrowser();
  let site: RunningApi;
  let paths: string[];

  before(async () => {
    site = await startApi({ database, redis }, { clock: fixedClock(busyDay.now) });
    // The reference is another library's.
    const all = [...(await pagePaths(database.database)), ...fixedPaths].filter((path) => path !== '/docs');
    paths = atLength(oneOfEachKind(all), all);
  });
  after(() => site?.close());

  it('is within its limits, on phones, tablets, and desks', async () => {
    const found: string[] = [];
    const { page } = await browser.open();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    let loads: { url: string; bytes: number }[] = [];
    page.on('requestfinished', async (request) => {
      if (request.resourceType() === 'eventsource') return;
      const load = { url: request.url(), bytes: 0 };
      loads.push(load);
      const { responseBodySize, responseHeadersSize } = await request.sizes();
      load.bytes = responseBodySize + responseHeadersSize;
    });
    for (const path of paths) {
      // An empty page first: requests of parts opened on the page before end there, and are not counted here.
      await page.goto('about:blank');
      loads = [];
      await page.setViewportSize({ width: phone, height: 844 });
      await page.goto(site.address + path, { waitUntil: 'load' });
      await page.evaluate('document.fonts.ready.then(() => 0)');
      await until(() => loads.every(({ bytes }) => bytes > 0));
      const bytes = loads.reduce((sum, load) => sum + load.bytes, 0);
      if (!mayBeHeavier.test(path)) {
        if (loads.length > most.requests) found.push(`${path}: ${loads.map(({ url }) => url).join(' ')}`);
        if (bytes > most.bytes) found.push(`${path}: ${bytes} bytes`);
      }
      for (const width of widths) {
        await page.setViewportSize({ width, height: 844 });
        const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
        const isReference = mayBeLonger.test(path) || (width > phone && mayBeLongerOnTablets.test(path));
        if (height > longest && width >= phone && width <= 768 && !isReference)
          found.push(`${path} at ${width}: ${height} px high`);
      }
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
      for (const width of widths) {
        await page.setViewportSize({ width, height: 844 });
        const reached: number = await page.evaluate('document.documentElement.scrollWidth');
        if (reached > width) found.push(`${path} at ${width}: ${reached} px wide`);
        for (const text of (await smallTexts(page)).slice(0, 3))
          found.push(`${path} at ${width}: small: ${text}`);
      }
    }
    expect(found.join('\n')).to.equal('');
  });
});

/** Returns texts that are too small, including those in pictures as drawn. */
function smallTexts(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('body *')].flatMap((each) => {
    const text = [...each.childNodes].map(({ nodeType, data }) => nodeType === Node.TEXT_NODE ? data : '').join('').trim();
    const size = parseFloat(getComputedStyle(each).fontSize) * (each.getScreenCTM?.()?.a ?? 1);
    const least = /\\d/.test(text) ? ${smallest.figure} : ${smallest.text};
    return text !== '' && size < least - 0.01 ? [size.toFixed(1) + ' px, ' + text] : [];
  })`);
}
