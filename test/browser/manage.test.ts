import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { startWebhookSite, type WebhookSite } from '../support/webhook-site.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

describe('/webhooks/manage in a browser', () => {
  const database = withDatabase();
  const redis = withRedis();
  const browser = withBrowser();
  let receiver: Receiver;
  let site: WebhookSite;

  before(async () => {
    receiver = await startReceiver();
    site = await startWebhookSite(
      { database, redis },
      { clock: fixedClock('2026-01-15T12:00:00Z'), receivers: [receiver] },
    );
  });
  after(async () => {
    await site.close();
    await receiver.close();
  });

  it('pings and pauses with only the keyboard, on a phone, and leaves no trace of the secret', async () => {
    const wanted = { owner_email: 'owner@mail.net', target_url: receiver.url() };
    const { body: made } = await site.ask('/api/webhooks', { body: wanted });
    const { page, faults } = await browser.open({ viewport: { width: 360, height: 800 } });
    await page.goto(`${site.site.address}/webhooks/manage`);
    await page.focus('#id');
    await page.keyboard.type(String(made.id));
    await page.keyboard.press('Tab');
    await page.keyboard.type(made.secret);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#attempts');
    for (const [value, text] of [
      ['ping', 'answered with 204'],
      ['pause', 'Paused'],
    ]) {
      await page.focus(`button[value=${value}]`);
      await page.keyboard.press('Enter');
      await page.waitForSelector(`[role=status]:has-text("${text}")`);
    }
    expect(receiver.received.map(({ headers }) => headers['x-service-event'])).to.deep.equal(['ping']);
    expect(page.url()).to.equal(`${site.site.address}/webhooks/manage`);
    expect(await page.context().cookies()).to.deep.equal([]);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, history.state]')).to.deep.equal([
      0,
      0,
      null,
    ]);
    await page.evaluate(`${axe};0`);
    const { violations } = await page.evaluate<{ violations: { id: string; impact: string }[] }>(
      'axe.run(document)',
    );
    expect(violations.filter(({ impact }) => /serious|critical/.test(impact))).to.deep.equal([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
    expect(faults).to.deep.equal([]);
    const picture = process.env.PICTURES;
    if (picture !== undefined) await page.screenshot({ path: `${picture}/manage.png`, fullPage: true });
  });
});
