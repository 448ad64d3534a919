import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';

const token = 'the-token-of-these-tests';
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

describe("the operator's page in a browser", () => {
  const { database, redis, browser } = {
    database: withDatabase(),
    redis: withRedis(),
    browser: withBrowser(),
  };

  it('adds a capper with only the keyboard, on a phone, without errors or accessibility violations', async () => {
    const clock = fixedClock('2026-01-15T12:00:00Z');
    const operator = await startOperator({ database, redis }, clock, { OPERATOR_TOKEN: token });
    try {
      const { page, faults } = await browser.open({
        viewport: { width: 360, height: 800 },
        httpCredentials: { username: 'anyone', password: token },
      });
      await page.goto(`${operator.address}/`);
      await page.focus('#cappers-handle');
      await page.keyboard.type('zoe');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/forms/cappers#cappers');
      expect(await page.textContent('#cappers [role=status]')).to.equal('Done. Added.');
      expect(await database.database('cappers').where({ handle: 'zoe' })).to.have.lengthOf(1);
      await page.evaluate(`${axe};0`);
      const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run(document)');
      expect(violations.map(({ id }) => id)).to.deep.equal([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
      expect(faults).to.deep.equal([]);
      const picture = process.env.PICTURES;
      if (picture !== undefined) await page.screenshot({ path: `${picture}/operator.png`, fullPage: true });
    } finally {
      await operator.close();
    }
  });
});
