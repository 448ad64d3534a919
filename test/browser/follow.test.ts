import { expect } from 'chai';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { type Device, makeDevice } from '../support/device.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { startWebhookSite, type WebhookSite } from '../support/webhook-site.ts';

/**
 * A script that stands in for the browser's own push service, which a test cannot reach, and for the reader's permission, which a browser
 * without a window always denies.
 */
const standIn = (subscription: { endpoint: string; keys: Device['keys'] }, permission: string) => `
  Object.defineProperty(Notification, 'permission', { get: () => ${JSON.stringify(permission)} });
  Notification.requestPermission = async () => Notification.permission;
  const made = (key) => ({
    options: {
      applicationServerKey: Uint8Array.from(atob(key.replace(/-/g, '+').replace(/_/g, '/')), (each) => each.charCodeAt(0)).buffer,
    },
    toJSON: () => (${JSON.stringify(subscription)}),
    unsubscribe: async () => sessionStorage.removeItem('device'),
  });
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    sessionStorage.setItem('device', applicationServerKey);
    return made(applicationServerKey);
  };
  PushManager.prototype.getSubscription = async () => {
    const key = sessionStorage.getItem('device');
    return key && made(key);
  };`;

describe('notifications from the Follow sheet', () => {
  const database = withDatabase();
  const redis = withRedis();
  const browser = withBrowser();
  let receiver: Receiver;
  let site: WebhookSite;

  before(async () => {
    await database
      .database('cappers')
      .insert(
        ['ada', 'bram'].map((handle) => ({ handle, tier: 'elite', verified: true, created_at: new Date(0) })),
      );
    receiver = await startReceiver();
    site = await startWebhookSite(
      { database, redis },
      { clock: fixedClock('2026-01-15T12:00:00Z'), receivers: [receiver] },
    );
  });
  after(async () => {
    await site?.close();
    await receiver?.close();
  });
  afterEach(() => database.database('webhook_subscriptions').delete());

  const open = async (permission = 'granted', endpoint = receiver.url('/send/1')) => {
    const opened = await browser.open();
    const { page } = opened;
    await page.addInitScript({ content: standIn({ endpoint, keys: makeDevice().keys }, permission) });
    const visit = async (path: string) => {
      await page.goto(site.site.address + path);
      await page.click('#follow summary');
    };
    return { ...opened, visit, button: page.locator('[data-push]'), said: page.locator('[data-push] + p') };
  };
  const active = () =>
    database
      .database('webhook_subscriptions as s')
      .join('webhook_filters as f', 'f.id', 's.filter_id')
      .join('cappers as c', 'c.id', 'f.capper_id')
      .where('s.status', 'active')
      .orderBy('s.id')
      .pluck('c.handle');

  it('are three actions away, last over visits, and stop where they began', async () => {
    const { page, faults, visit, button, said } = await open();
    await visit('/c/ada');
    await button.click();
    await page.getByText('On. New picks and results appear on this device.').waitFor();
    expect(await button.textContent()).to.equal('Stop notifying this device');
    expect(await active()).to.deep.equal(['ada']);
    await visit('/c/bram');
    expect(await button.textContent(), 'another capper').to.equal('Notify this device');
    await button.click();
    await said.getByText('On.').waitFor();
    expect(await active()).to.deep.equal(['ada', 'bram']);
    await visit('/c/ada');
    expect(await button.textContent()).to.equal('Stop notifying this device');
    await button.click();
    await said.getByText('Off.').waitFor();
    expect(await button.textContent()).to.equal('Notify this device');
    expect(await active()).to.deep.equal(['bram']);
    expect(faults).to.deep.equal([]);
  });

  it('show as off once the service has ended them', async () => {
    const { visit, button, said } = await open();
    await visit('/c/ada');
    await button.click();
    await said.getByText('On.').waitFor();
    await database.database('webhook_subscriptions').update({ status: 'disabled', disabled_at: new Date(0) });
    await visit('/c/ada');
    await until(async () => (await button.textContent()) === 'Notify this device');
    await button.click();
    await said.getByText('On.').waitFor();
    expect(await active()).to.deep.equal(['ada']);
  });

  it('are not offered where the reader has blocked them', async () => {
    const { visit, button, said } = await open('denied');
    await visit('/c/ada');
    expect(await button.isDisabled()).to.equal(true);
    expect(await said.textContent()).to.match(/blocked/);
  });

  it('name the browsers that have them where this one has none', async () => {
    const { page, visit, button, said } = await open();
    await page.addInitScript({ content: 'delete window.PushManager' });
    await visit('/sport/nba');
    expect(await button.isDisabled()).to.equal(true);
    expect(await said.textContent()).to.match(/Chrome, Edge, Firefox, and Safari/);
  });

  it('say why they could not begin', async () => {
    const { visit, button, said } = await open('granted', 'https://push.example.com/send/1');
    await visit('/c/ada');
    await button.click();
    await said.getByText('That did not work. The host is not a push service that browsers use.').waitFor();
    expect(await button.isDisabled()).to.equal(false);
    expect(await button.textContent()).to.equal('Notify this device');
  });
});
