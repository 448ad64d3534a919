import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type RunningApi, startApi } from '../support/api.ts';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { exampleLedgers } from '../support/ledgers.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const token = 'the-token-of-these-tests';
const phone = { width: 360, height: 800 };

describe('the API reference in a browser', function () {
  this.timeout(120_000);
  const ledger = exampleLedgers[0]!;
  const database = withDatabase({ filling: ledger });
  const redis = withRedis();
  const browser = withBrowser();
  let site: RunningApi;
  let operator: RunningOperator;

  before(async () => {
    const clock = fixedClock(ledger.now);
    site = await startApi({ database, redis }, { clock });
    operator = await startOperator({ database, redis }, clock, { OPERATOR_TOKEN: token });
  });
  after(() => Promise.all([site?.close(), operator?.close()]));

  /** Executes the operation that the page's address names, and returns its live answer. */
  async function tryOut(page: Page, id: string): Promise<{ status: string; body: string }> {
    const operation = page.locator(`.opblock[id$="-${id}"]`);
    await operation.locator('.execute').waitFor();
    expect(await operation.locator('.sample summary').allTextContents()).to.deep.equal([
      'curl',
      'Python',
      'TypeScript',
    ]);
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table');
    await answer.locator('.highlight-code').first().waitFor();
    return {
      status: (await answer.locator('.response-col_status').last().textContent()) ?? '',
      body: (await answer.locator('.highlight-code').first().textContent()) ?? '',
    };
  }

  it('sends a request and shows the answer, and what is ours has no serious barriers', async () => {
    const { page, faults } = await browser.open({ viewport: phone });
    await page.goto(`${site.address}/docs#/feeds/getSports`);
    const { status, body } = await tryOut(page, 'getSports');
    expect(status).to.contain('200');
    expect(body).to.contain('"sports"').and.contain('"nfl"');
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(phone.width);
    await page.evaluate(`${axe};0`);
    const found = await page.evaluate(
      "axe.run({ exclude: [['.swagger-ui']] }).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id))",
    );
    expect(found).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
  });

  it('has words and every operation without scripts', async () => {
    const { page, faults } = await browser.open({ viewport: phone, javaScriptEnabled: false });
    await page.goto(`${site.address}/docs`);
    expect(await page.textContent('h1')).to.equal('The public API');
    expect(await page.textContent('main')).to.contain('Unknown parameters are ignored.');
    expect(await page.locator('.pairs li').count()).to.be.greaterThan(60);
    expect(await page.locator('main a[href="/openapi.json"]').count()).to.equal(1);
    expect(faults).to.deep.equal([]);
  });

  it("tries the operator's port with the token that its reader enters", async () => {
    const { page, faults } = await browser.open({ httpCredentials: { username: 'ada', password: token } });
    await page.goto(`${operator.address}/docs#/rows/postCappers`);
    await page.locator('.btn.authorize').click();
    await page.locator('.auth-container input').fill(token);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.btn-done').click();
    const { status, body } = await tryOut(page, 'postCappers');
    expect(status).to.contain('200');
    expect(body).to.contain('"added": 1');
    expect(faults).to.deep.equal([]);
  });
});
