import { expect } from 'chai';
import { changesChannel } from '../../src/answers/changes.ts';
import { post, type Stage, stage } from '../support/announcements.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const at = Date.parse('2026-01-15T12:00:00Z');

describe('the live notice of a page', () => {
  const database = withDatabase();
  const redis = withRedis();
  const browser = withBrowser();
  let site: RunningApi;
  let set: Stage;

  before(async () => {
    set = await stage(database.database, ['ada', 'bram'], ['nba']);
    site = await startApi({ database, redis });
  });
  after(() => site?.close());

  it("counts the capper's new picks, is announced, and reloads the page", async () => {
    const { page, faults } = await browser.open();
    const connected = page.waitForResponse((response) => response.url().includes('/api/stream'));
    await page.goto(`${site.address}/c/ada`);
    expect((await connected).url()).to.match(/\?capper_handle=ada$/);
    expect(await page.isVisible('.live button')).to.equal(false);
    const picks = [{ capper: 'ada' }, { capper: 'bram' }, { capper: 'ada' }];
    await post(database.database, set, picks, at);
    await redis.redis.publish(changesChannel(redis.redis), '*');
    await page.locator('.live button').waitFor();
    await until(async () =>
      /^2 picks posted since you opened this page\.$/.test(
        (await page.textContent('.live [role=status]')) ?? '',
      ),
    );
    const reloaded = page.waitForEvent('load');
    await page.locator('.live button').click();
    await reloaded;
    expect(await page.textContent('.live [role=status]')).to.equal('');
    expect(faults).to.deep.equal([]);
  });
});
