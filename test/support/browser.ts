import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { requestService } from './broker.ts';
import { closeAfter } from './cleanup.ts';

/** Pages in a real browser. For use inside hooks and tests. */
export interface TestBrowser {
  /** Opens a page in its own context, closed after the test. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** A page and its faults so far: console errors, uncaught errors, violations of the Content-Security-Policy, and failed loads. */
export interface WatchedPage {
  page: Page;
  faults: string[];
}

/** Gives the tests of the surrounding `describe` a Chromium, started before and closed after them. Pages reach only this machine. */
export function withBrowser(): TestBrowser {
  let browser: Browser | undefined;
  before(async function () {
    // On a bare machine Chromium is fetched first.
    this.timeout(300_000);
    const { executablePath, env } = await requestService('chromium');
    const launched = await chromium.launch({
      executablePath,
      env: { ...(process.env as Record<string, string>), ...env },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        // Interception by Playwright would disable the cache, and each page would load styles, scripts, and fonts again.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE [::1]',
      ],
    });
    browser = launched;
    closeAfter(this, () => launched.close());
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  return {
    async open(options = {}) {
      if (browser === undefined) throw new Error('the browser exists only within hooks and tests');
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      const page = await context.newPage();
      return { page, faults: watch(page) };
    },
  };
}

/** Clicks on what leads to another page, and waits until that one is loaded: a click may return while the former is still shown. */
export async function follow(page: Page, selector: string): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.locator(selector).first().click();
  await loaded;
}

function watch(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // Leaving a page aborts its remaining loads and its event stream.
    if (reason === 'net::ERR_ABORTED' || request.resourceType() === 'eventsource') return;
    faults.push(`request: ${request.url()} ${reason}`);
  });
  return faults;
}
