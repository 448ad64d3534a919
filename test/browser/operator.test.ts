import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { createOperator } from '../../src/operator/app.ts';
import { withBrowser } from '../support/browser.ts';
import { testConfig } from '../support/config.ts';
import { withDatabase } from '../support/database.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

describe("the operator's page in a browser", function () {
  this.timeout(60_000);
  const { database, redis, browser } = {
    database: withDatabase(),
    redis: withRedis(),
    browser: withBrowser(),
  };

  it('adds a capper by the keyboard alone, on a phone, without faults and barriers', async () => {
    const enqueue = openQueues(redis.redis, quiet);
    const config = testConfig();
    const clock = { now: () => Date.parse('2026-01-15T12:00:00Z') };
    const deps = { config, database: database.database, redis: redis.redis, clock, enqueue, log: quiet };
    const server = createServer(createOperator(deps).callback()).listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => server.once('listening', resolve));
      const { page, faults } = await browser.open({
        viewport: { width: 360, height: 800 },
        httpCredentials: { username: 'anyone', password: config.operator.token },
      });
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
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
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await enqueue.close();
    }
  });
});
