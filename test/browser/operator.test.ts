import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { follow, withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
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

  const clock = fixedClock('2026-01-15T12:00:00Z');
  let operator: RunningOperator;
  before(async () => {
    operator = await startOperator({ database, redis }, clock, { OPERATOR_TOKEN: token });
  });
  after(() => operator?.close());

  const post = (kind: string, row: object) =>
    fetch(`${operator.address}/${kind}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(row),
    });

  /** Opens a page on a phone, signed in. @returns also what collects faults and barriers */
  async function signIn() {
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
    return { page, checkPage, expectNone: () => expect([barriers, faults]).to.deep.equal([[], []]) };
  }

  it('posts a pick, from login to confirmation, on a phone, without errors or accessibility violations', async () => {
    await post('cappers', { handle: 'zoe', tier: 'listed', verified: true, displayName: 'Zoe Example' });
    await post('games', game);
    await post('lines', { ...game, market: 'spread', side: 'home', line: -3.5, oddsAmerican: -108, ...seen });
    const { page, checkPage, expectNone } = await signIn();
    await page.goto(`${operator.address}/`);
    await checkPage();
    await page.focus('#capperHandle');
    await page.keyboard.type('zoe');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/forms/picks?capperHandle=zoe*');
    await checkPage();
    await follow(page, 'text=Harbor Gulls @ Copper Foxes');
    await checkPage();
    await follow(page, 'a.choice:has-text("Copper Foxes -3.5")');
    await checkPage();
    await page.fill('#oddsAmerican', '1.91');
    await page.fill('#book', 'Hard Rock Bet');
    await follow(page, 'text=Review');
    await checkPage();
    await follow(page, 'text=Post this pick');
    const done = await page.textContent('[role=status]');
    expect(done).to.contain('The pick is posted');
    await checkPage();
    const stored = await database.database('picks').select('pick', 'odds_american', 'line_e3', 'book');
    expect(stored).to.deep.equal([
      { pick: 'Copper Foxes -3.5', odds_american: -110, line_e3: -3500, book: 'hardrockbet' },
    ]);
    expectNone();
  });

  it('imports a file, from choosing it to the picks that wait', async () => {
    const { page, checkPage, expectNone } = await signIn();
    await page.goto(`${operator.address}/`);
    await follow(page, 'nav >> text=Import');
    await checkPage();
    const bets = [
      'Date,Sport,Tipster,Game,Selection,Price,Stake,Outcome',
      '2025-10-05,MLB,Zoe,Tampa Bay Rays @ Boston Red Sox,Red Sox ML,-110,1,Won',
      '2025-10-05,MLB,Zoe,Tampa Bay Rays @ Boston Red Sox,nothing to read,-110,1,Lost',
    ];
    await page.setInputFiles('#upload', {
      name: 'bets.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(bets.join('\n')),
    });
    await follow(page, 'button:has-text("Preview")');
    expect(await page.textContent('main'))
      .to.contain('Red Sox')
      .and.contain('nothing to read');
    await checkPage();
    await page.click('button[value=import]');
    await page.waitForSelector('text=Choose another file', { state: 'detached' });
    await checkPage();
    expect(await page.textContent('main')).to.contain('1 pick');
    expect(await database.database('waiting_imports').pluck('picks')).to.deep.equal([1]);
    await follow(page, 'nav >> text=Import');
    expect(await page.textContent('main')).to.contain('Withdraw');
    expectNone();
  });

  it('says first what is wrong, and leads to the sources, the queues, and back', async () => {
    await database.owner('source_runs').insert({
      source: 'espn/nfl',
      ran_at: new Date(clock.now()),
      ok: false,
      message: 'status 503 from the scoreboard',
      failures: 4,
      left_out: '{}',
    });
    const { page, checkPage, expectNone } = await signIn();
    await page.goto(`${operator.address}/`);
    expect(await page.locator('[role=alert]').count()).to.equal(0);
    await database.owner('status_incidents').insert({
      id: randomUUID(),
      check_name: 'feeds',
      title: 'Sources',
      message: 'ESPN scoreboard fails.',
      affects: [],
      status: 'degraded',
      worst: 'degraded',
      opened_at: new Date(clock.now()),
    });
    await page.reload();
    const alert = page.locator('[role=alert]');
    expect(await alert.textContent()).to.equal('1 open incident: Sources.');
    expect(await alert.locator('a').getAttribute('href')).to.match(/\/ops$/);
    await checkPage();
    await follow(page, 'nav >> text=Sources');
    expect(await page.textContent('main'))
      .to.contain('failed 4 times in a row')
      .and.contain('Status 503 from the scoreboard.')
      .and.contain('Readers miss: games.');
    expect(await page.textContent('main'))
      .to.contain('1 feed, 1 fails')
      .and.contain('ODDS_API_KEY');
    await checkPage();
    await follow(page, 'nav >> text=Metrics');
    expect(await page.textContent('body')).to.contain('public_picks_jobs');
    expectNone();
  });

  it('has the same navigation in Bull Board', async () => {
    const { page } = await signIn();
    await page.goto(`${operator.address}/queues`);
    const config = JSON.parse((await page.textContent('#__UI_CONFIG__')) ?? '{}');
    expect(config.miscLinks.map(({ url }: { url: string }) => url)).to.include.members(['/', '/sources']);
  });
});
