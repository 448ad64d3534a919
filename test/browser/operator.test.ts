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
const game = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2026-01-15T18:00:00Z' };
const seen = { capturedAt: '2026-01-15T11:59:00Z', book: 'north' };

describe("the operator's page in a browser", () => {
  const { database, redis, browser } = {
    database: withDatabase(),
    redis: withRedis(),
    browser: withBrowser(),
  };

  it('posts a pick, from login to confirmation, on a phone, without errors or accessibility violations', async () => {
    const clock = fixedClock('2026-01-15T12:00:00Z');
    const operator = await startOperator({ database, redis }, clock, { OPERATOR_TOKEN: token });
    const post = (kind: string, row: object) =>
      fetch(`${operator.address}/${kind}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(row),
      });
    try {
      await post('cappers', { handle: 'zoe', tier: 'listed', verified: true, displayName: 'Zoe Example' });
      await post('games', game);
      await post('lines', {
        ...game,
        market: 'spread',
        side: 'home',
        line: -3.5,
        oddsAmerican: -108,
        ...seen,
      });
      const { page, faults } = await browser.open({
        viewport: { width: 360, height: 800 },
        httpCredentials: { username: 'anyone', password: token },
      });
      const barriers: unknown[] = [];
      const checkPage = async () => {
        await page.evaluate(`${axe};0`);
        const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run(document)');
        barriers.push(...violations.map(({ id }) => `${page.url()}: ${id}`));
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > 360) barriers.push(`${page.url()}: ${width} pixels wide`);
      };
      await page.goto(`${operator.address}/`);
      await checkPage();
      await page.focus('#capper');
      await page.keyboard.type('zoe');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/forms/picks?capper=zoe*');
      await checkPage();
      await page.click('text=Harbor Gulls @ Copper Foxes');
      await checkPage();
      await page.click('a.choice:has-text("Copper Foxes -3.5")');
      await checkPage();
      await page.fill('#oddsAmerican', '1.91');
      await page.click('text=Review');
      await page.waitForSelector('text=Post this pick');
      await checkPage();
      await page.click('text=Post this pick');
      const done = await page.textContent('[role=status]');
      expect(done).to.contain('The pick is posted');
      await checkPage();
      const stored = await database.database('picks').select('pick', 'odds_american', 'line_e3');
      expect(stored).to.deep.equal([{ pick: 'Copper Foxes -3.5', odds_american: -110, line_e3: -3500 }]);
      expect([barriers, faults]).to.deep.equal([[], []]);
    } finally {
      await operator.close();
    }
  });
});
