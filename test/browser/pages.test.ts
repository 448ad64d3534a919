import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Database } from '../../src/platform/database.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { hostile, ledgersOfPages } from '../support/ledgers.ts';
import { atLength } from '../support/long.ts';
import { fixedPaths, oneOfEachKind, pagePaths } from '../support/page-paths.ts';
import { withRedis } from '../support/redis.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const phone = { width: 360, height: 800 };
const desk = { width: 1440, height: 900 };
/**
 * Widths and color schemes are independent, so each appears once. A page that fits a phone also fits a desk, so a page without new positions is
 * checked on a phone only, unless its texts are hostile.
 */
const looks = {
  first: { viewport: phone, colorScheme: 'light', rules: undefined },
  second: {
    viewport: desk,
    colorScheme: 'dark',
    // Those that depend on width or color.
    rules: ['color-contrast', 'target-size', 'scrollable-region-focusable'],
  },
} as const;
/** The rules of axe about a page as a whole. All others are about its elements. */
const pageRules = [
  ...[
    'aria-hidden-body',
    'bypass',
    'document-title',
    'duplicate-id-aria',
    'html-has-lang',
    'html-lang-valid',
  ],
  ...['meta-refresh', 'meta-viewport'],
];
/** Positions of elements on the pages that axe has checked: ancestors and element, in the notation of {@link markNewPositions}. */
const seen = new Set<string>();

for (const ledger of ledgersOfPages())
  describe(`every page in a browser, over ${ledger.name}`, function () {
    this.timeout(300_000);
    const database = withDatabase({ filling: ledger });
    const redis = withRedis();
    const browser = withBrowser();
    let site: RunningApi;
    let paths: string[] = [];
    const isWhole = ledger.name === 'a ledger with every kind of pick';
    const isHostile = ledger.name === 'a ledger of hostile texts';

    before(async () => {
      site = await startApi({ database, redis }, { clock: fixedClock(ledger.now) });
      paths = await pagePaths(database.database);
      if (isHostile) await openIncidents(database.owner);
      paths = atLength(oneOfEachKind(paths), paths);
      // One ledger is enough for these. The reference is another library's; docs.test.ts checks what is ours of it.
      if (isWhole) paths.push(...fixedPaths.filter((path) => path !== '/docs'));
    });
    after(() => site?.close());

    it('has no errors or accessibility violations, on phone and desktop, in light and dark', async () => {
      const { page, faults } = await browser.open({ viewport: phone });
      for (const path of paths) {
        await show(page, looks.first);
        const answer = await page.goto(site.address + path);
        // The page for a missing thing is checked too. Chromium reports its status as a console error.
        if (answer?.status() !== 200) faults.splice(0);
        await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
        const isNew = await markNewPositions(page);
        if (isNew) {
          await page.evaluate(`${axe};0`);
          expect(await barriers(page, 'document', pageRules), path).to.deep.equal([]);
        }
        for (const look of isNew || isHostile ? [looks.first, looks.second] : [looks.first]) {
          if (look === looks.second) await show(page, look);
          const where = `${path} at ${look.viewport.width}, ${look.colorScheme}`;
          expect(await widthOf(page), where).to.be.at.most(look.viewport.width);
          expect(await cutLinks(page), where).to.deep.equal([]);
          expect(await brokenNames(page), where).to.deep.equal([]);
          if (isNew)
            expect(await barriers(page, '{ include: window.newElements }', look.rules), where).to.deep.equal(
              [],
            );
        }
        expect(faults, path).to.deep.equal([]);
        expect(await page.evaluate('window.hurt'), path).to.equal(undefined);
      }
    });

    if (isWhole)
      it('is readable without scripts', async () => {
        const { page, faults } = await browser.open({ viewport: phone, javaScriptEnabled: false });
        for (const path of oneOfEachKind(paths)) {
          const answer = await page.goto(site.address + path);
          if (answer?.status() !== 200) faults.splice(0);
          expect(await page.textContent('h1'), path).not.to.equal('');
          expect(await page.textContent('.colophon'), path).to.contain('21+');
        }
        expect(faults).to.deep.equal([]);
      });

    if (isHostile)
      it('shows every character of hostile texts', async () => {
        const { page } = await browser.open();
        const [pick = ''] = paths.filter((path) => path.startsWith('/p/'));
        await page.goto(site.address + pick);
        expect(await page.locator('.facts bdi').allTextContents()).to.include(hostile.pick);
        expect(await page.textContent('h1 bdi')).not.to.contain(hostile.pick);
        expect(await page.textContent('.lead bdi')).to.equal(hostile.game);
        expect(await page.title()).not.to.contain(hostile.pick);
        await page.goto(`${site.address}/c/mallory`);
        expect(await page.textContent('h1 bdi')).to.equal(hostile.displayName);
      });
  });

/** Sets the viewport and color scheme of a page. */
async function show(
  page: Page,
  { viewport, colorScheme }: (typeof looks)['first' | 'second'],
): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
}

/** Opens incidents, so that every page shows its banner. */
async function openIncidents(owner: Database): Promise<void> {
  const about = {
    title: 'Title',
    message: 'Message.',
    affects: [],
    status: 'degraded',
    worst: 'degraded',
    opened_at: new Date(0),
  };
  await owner('status_incidents').insert(
    ['results', 'feeds', 'jobs-grading', 'disputed-scores'].map((check_name) => ({
      ...about,
      id: randomUUID(),
      check_name,
    })),
  );
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth');
}

/** Returns links of the navigation that are not fully visible, or that it lacks. */
function cutLinks(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const links = [...document.querySelectorAll('.masthead nav a, .colophon nav a')];
    const isCut = (link) => {
      const { left, right, width } = link.getBoundingClientRect();
      const frame = link.closest('nav').getBoundingClientRect();
      return width === 0 || left < frame.left - 1 || right > Math.min(frame.right + 1, innerWidth);
    };
    return links.length === 0 ? ['no links'] : links.filter(isCut).map(({ textContent }) => textContent);
  })()`);
}

/** Returns names of fields, parameters, and events that break anywhere but at a `wbr`. Longer ones, such as hashes, may. */
function brokenNames(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const breaks = (node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getClientRects().length > 1;
    };
    return [...document.querySelectorAll('th code, td code')]
      .filter(({ textContent }) => /^[\\w.]{2,24}$/.test(textContent))
      .filter((each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && breaks(node)))
      .map(({ textContent }) => textContent);
  })()`);
}

/**
 * Marks the elements of a page in positions that no earlier page had. The findings of axe depend on elements and their ancestors, so elements
 * in known positions are not checked again. Most pages look alike over every ledger.
 * @returns whether there are any
 */
async function markNewPositions(page: Page): Promise<boolean> {
  const positions: string[] = await page.evaluate(`(() => {
    const positions = new Map();
    const visit = (element, above) => {
      const attributes = [...element.attributes].map(({ name, value }) =>
        ['class', 'role', 'type', 'scope', 'rel'].includes(name) ? name + '=' + value : name).sort();
      const position = above + '>' + element.localName + '[' + attributes + ']';
      if (!positions.has(position)) positions.set(position, element);
      for (const child of element.children) visit(child, position);
    };
    visit(document.documentElement, '');
    window.positions = positions;
    return [...positions.keys()];
  })()`);
  const fresh = positions.filter((position) => !seen.has(position));
  for (const position of fresh) seen.add(position);
  // An element brings its descendants along.
  await page.evaluate(`(() => {
    window.newElements = [];
    for (const position of ${JSON.stringify(fresh)}) {
      const element = window.positions.get(position);
      if (!window.newElements.some((each) => each.contains(element))) window.newElements.push(element);
    }
  })()`);
  return fresh.length > 0;
}

/**
 * Returns what axe considers serious or critical, one line each.
 * @param within what to check, as an expression on the page
 * @param rules default: all
 */
async function barriers(page: Page, within: string, rules: readonly string[] | undefined): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly: rules });
  return page.evaluate(`axe.run(${within}, ${options}).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`);
}
