import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type RunningApi, startApi } from '../support/api.ts';
import { follow, withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { busyDay } from '../support/ledgers.ts';
import { withRedis } from '../support/redis.ts';

/** Common tasks, and the number of actions that each may take: a search is one, a tap another. */
describe('a stranger with a phone', function () {
  this.timeout(120_000);
  const database = withDatabase({ filling: busyDay });
  const redis = withRedis();
  const browser = withBrowser();
  let site: RunningApi;

  before(async () => {
    site = await startApi({ database, redis }, { clock: fixedClock(busyDay.now) });
  });
  after(() => site?.close());

  async function visit(path = '/') {
    const { page, faults } = await browser.open({ viewport: { width: 390, height: 844 } });
    await page.goto(site.address + path);
    let actions = 0;
    return {
      page,
      faults,
      actions: () => actions,
      async search(text: string) {
        actions += 1;
        await page.fill('input[name=q]', text);
        const loaded = page.waitForEvent('load');
        await page.press('input[name=q]', 'Enter');
        await loaded;
      },
      async tap(selector: string) {
        actions += 1;
        await follow(page, selector);
      },
      async unfold(selector: string) {
        actions += 1;
        await page.click(selector);
      },
    };
  }
  const heading = (page: Page) => page.textContent('h1');
  const aPick = async (where: string): Promise<Record<string, string>> =>
    database
      .database('board_picks as b')
      .join('cappers as c', 'c.id', 'b.capper_id')
      .join('games as g', 'g.id', 'b.game_id')
      .whereRaw(where)
      .orderBy('b.pick_id')
      .first('b.subject', 'b.sport', 'b.market', 'g.name as game', 'c.handle');

  it('finds the best NBA totals capper in two actions, and whom that is by', async () => {
    const { page, actions, search, tap, faults } = await visit();
    await search('nba totals');
    await tap('main a[href="/leaderboard?sport=nba&market=total"]');
    expect(actions()).to.equal(2);
    expect(await page.locator('.standings tbody tr').count()).to.be.above(2);
    for (const row of await page.locator('.standings tbody tr').all()) {
      expect(await row.locator('b.gain, b.cost, b.even').count()).to.equal(1);
      expect(await row.locator('td[data-label]').count()).to.equal(3);
    }
    expect(faults).to.deep.equal([]);
  });

  it('filters leaderboards by single taps, with the statistics of players among the markets', async () => {
    const { page, tap } = await visit('/leaderboard');
    await tap('nav[aria-label="Sport"] a:text-is("NBA")');
    await tap('nav[aria-label="Market"] a:text-is("Player points")');
    expect(new URL(page.url()).search).to.equal('?sport=nba&market=player_points');
    expect(await page.locator('[aria-current=true]').allTextContents()).to.include.members([
      'NBA',
      'Player points',
    ]);
    await page.click('.chips summary');
    await tap('nav[aria-label="Tier"] a:text-is("Elite")');
    expect(new URL(page.url()).search).to.equal('?sport=nba&market=player_points&tier=elite');
  });

  it('follows a capper in a calendar, or is offered notifications, in three actions from a leaderboard', async () => {
    const { page, actions, tap, unfold } = await visit('/leaderboard');
    const handle = (await page.locator('.standings .capper').first().textContent()) ?? '';
    await tap('.standings .capper');
    await unfold('#follow summary');
    const calendar = page.getByRole('link', { name: 'Calendar', exact: true }).first();
    expect(actions(), 'the third is a tap on the link or the button').to.equal(2);
    const address = new URL((await calendar.getAttribute('href')) ?? '');
    expect(address.protocol).to.equal('webcal:');
    expect(address.searchParams.get('capper_handle')).to.equal(handle);
    const answer = await fetch(`${site.address}${address.pathname}${address.search}`);
    expect(answer.headers.get('content-type')).to.contain('text/calendar');
    expect(await page.isVisible('[data-push]')).to.equal(true);
    expect(await page.getAttribute('[data-push]', 'data-push')).to.equal(`/api/push?capper_handle=${handle}`);
  });

  it('can follow a leaderboard without a filter, or by tier', async () => {
    for (const [path, followed] of [
      ['/leaderboard', '/api/push'],
      ['/leaderboard?tier=elite', '/api/push?tier=elite'],
    ] as const) {
      const { page } = await visit(path);
      expect(await page.getAttribute('[data-push]', 'data-push')).to.equal(followed);
    }
  });

  it('sees in one action why a pick was graded so', async () => {
    const { page, actions, tap } = await visit();
    await tap('section[aria-labelledby=settled] .slip-pick a');
    expect(actions()).to.equal(1);
    const [away, home] = ((await page.textContent('.lead bdi')) ?? '').split(' @ ');
    const why = (await page.textContent('section[aria-labelledby=result]')) ?? '';
    expect(why).to.match(/Graded as (?:half )?a \w+, [+−]?[\d.]+ units\. .+\. The rule/);
    if (why.includes('score:')) expect(why).to.contain(`${away} `).and.to.contain(`${home} `);
    expect(await page.locator('.ticks > summary > span').count()).to.equal(4);
  });

  it('sees all picks on a player in two actions', async () => {
    const { subject, sport } = await aPick(`b.market like 'player_%' and b.result = 'win'`);
    const { page, actions, search, tap } = await visit();
    await search(subject!);
    // Another sport may have a player of this name.
    await tap(`main a[href^="/player/${sport}/"]`);
    expect(actions()).to.equal(2);
    expect(await heading(page)).to.equal(subject);
    const markets = await database
      .database('board_picks')
      .where({ subject, sport })
      .whereNotNull('result')
      .distinct()
      .pluck('market');
    expect(await page.locator('section[aria-labelledby=markets] tbody tr').count()).to.be.at.least(
      markets.length,
    );
    expect(await page.locator('main a[href^="/p/"]').count()).to.be.above(0);
  });

  it('finds a player whose initial is also short for a statistic', async () => {
    const { subject } = await aPick(`b.market like 'player_%' and b.subject like 'P. %'`);
    const { page, search } = await visit();
    await search(subject!);
    const links = await page.locator('main a[href^="/player/"]').all();
    expect(links).to.not.be.empty;
    for (const link of links) {
      expect(await link.textContent()).to.match(new RegExp(`^${subject} \\([A-Z]+\\)$`));
      expect(await link.getAttribute('href')).to.not.contain('#');
    }
  });

  it('compares two cappers in two actions', async () => {
    const { page, actions, search, tap } = await visit();
    const [one, other] = await database.database('cappers').orderBy('handle').limit(2).pluck('handle');
    await search(`${one} vs ${other}`);
    await tap('main a[href^="/vs/"]');
    expect(actions()).to.equal(2);
    expect(await heading(page)).to.equal(`${one} and ${other}`);
    expect(await page.locator('.record').count()).to.equal(4);
  });

  it('finds a page with content by whatever a bettor types', async () => {
    const { subject } = await aPick(`b.market like 'player_%'`);
    const { game, handle } = await aPick(
      `g.starts_at > '${new Date(busyDay.now - 86_400_000).toISOString()}'`,
    );
    const team = game!.split(' @ ')[0]!;
    const { page } = await visit();
    for (const words of [
      ...['nba', 'nba totals', 'totals nba', 'elite', 'elite nfl', 'clv', 'best nba capper', 'nhl moneyline'],
      ...[`${subject} points`, subject!, `${team} tonight`, handle!],
    ]) {
      await page.goto(`${site.address}/search?${new URLSearchParams({ q: words })}`);
      expect(await page.textContent('main'), words).not.to.contain('No matches');
      const path = await page
        .locator('main .finds a:not(.tier), main .slip-pick a')
        .first()
        .getAttribute('href');
      const found = await page.goto(site.address + path);
      expect(found?.status(), `${words}: ${path}`).to.equal(200);
      const items = page.locator('main :is(.slip, .standings tbody tr, .finds li, .record, .facts dd)');
      expect(await items.count(), `${words}: ${path}`).to.be.above(0);
    }
  });
});
