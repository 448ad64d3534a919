import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { makeInvite } from '../../src/cappers/key-changes.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { fingerprint } from '../../src/proof/capper-key.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { beginTestLog } from '../support/author.ts';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';

/** A phone's viewport, with permission to write to the clipboard. */
const phone = { viewport: { width: 390, height: 844 }, permissions: ['clipboard-write', 'clipboard-read'] };

describe('a capper on a phone', () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const browser = withBrowser();
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
  let site: RunningApi;
  let capperId: number;

  before(async () => {
    const [{ id }] = await stores
      .owner('cappers')
      .insert({ handle: 'ada', tier: 'listed', verified: true, created_at: new Date() })
      .returning('id');
    capperId = id;
    const games = ['Hawks @ Otters', 'Foxes @ Gulls', 'Bears @ Wolves'].map((name) => ({
      sport: 'nba',
      name,
      announced_start: startsAt,
      starts_at: startsAt,
    }));
    const [{ id: gameId }] = await stores.owner('games').insert(games).returning('id');
    const price = (market: string, side: string, line_e3: number | null, odds_american: number) => ({
      game_id: gameId,
      market,
      side,
      line_e3,
      odds_american,
      book: 'a-book',
      closing: false,
      captured_at: new Date(),
    });
    await stores
      .owner('lines')
      .insert([
        price('moneyline', 'away', null, 130),
        price('moneyline', 'home', null, -150),
        price('spread', 'away', 3500, -110),
        price('spread', 'home', -3500, -110),
        price('total', 'over', 221_500, -105),
        price('total', 'under', 221_500, -115),
      ]);
    await beginTestLog(stores.database);
    site = await startApi(
      { database: stores, redis },
      { clock: { now: () => Date.now() }, logKind: () => 'live' },
    );
  });
  after(() => site?.close());

  async function invitation(): Promise<string> {
    const { token } = await makeInvite(stores.database, capperId, Date.now());
    return `${site.address}/join#ada.${token}`;
  }
  const json = async (path: string): Promise<Record<string, unknown>> =>
    (await (await fetch(site.address + path)).json()) as Record<string, unknown>;
  const keys = async () =>
    (await json('/api/cappers/ada/keys')).keys as {
      id: string;
      endorsedBy: string | null;
      revokedAt: string | null;
      by: string | null;
    }[];
  const goTo = async (page: Page, address: string) => {
    await page.goto(address);
    await page.waitForSelector('html[data-ready]');
  };

  it('gets from an invitation to a pick on a board in eight taps, and adds a device with the recovery key', async () => {
    const { page, faults } = await browser.open(phone);
    let taps = 0;
    const tap = async (selector: string) => {
      taps += 1;
      await page.locator(selector).first().click();
    };
    await goTo(page, await invitation());
    expect(new URL(page.url()).hash).to.equal('');
    await tap('#make');
    await page.waitForSelector('#made:not([hidden])');
    const recovery = (await page.textContent('#recovery')) ?? '';
    expect(recovery).to.match(/^ada\.[\w-]{43}$/);
    expect(await page.isDisabled('#register')).to.equal(true);
    await tap('#copy');
    await page.waitForSelector('#register:not([disabled])');
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(recovery);
    await tap('#register');
    await page.waitForSelector('#done:not([hidden])');
    const [first] = await keys();
    expect(await page.textContent('#summary')).to.contain(fingerprint(first!.id));
    await tap('#next');
    await page.waitForSelector('#games details');
    await tap('#games summary:has-text("Hawks")');
    await tap('.choice:has-text("Otters -3.5")');
    await page.waitForSelector('#signed div');
    expect(await page.locator('#signed dd').allTextContents()).to.deep.equal([
      ...[
        'ada',
        `Public Picks at ${new URL(site.address).host}`,
        'picks.example/ledger',
        'Spread, home',
        '-3.5',
        '-110',
        '1 u',
        'a-book',
      ],
    ]);
    await page.waitForSelector('#send:not([disabled])');
    expect(await page.textContent('#counts')).to.match(
      /^You ask -110; .* It would count at -110\. It cannot be withdrawn\.$/,
    );
    await tap('#send');
    await page.waitForSelector('#posted:not([hidden])');
    expect(taps).to.be.at.most(8);
    await sealAll(stores.database);
    await updateProjections(stores.database);
    const [, uuid] = /\/p\/([\w-]+)$/.exec((await page.getAttribute('#view', 'href')) ?? '') ?? [];
    const picks = (await json('/api/feed/picks')).picks as { pickUuid: string; postedBy: string }[];
    expect(picks.map(({ pickUuid, postedBy }) => [pickUuid, postedBy])).to.deep.equal([[uuid, 'author']]);

    await tap('#view');
    await page.waitForSelector('.ticks');
    expect(await page.textContent('.ticks summary')).to.match(/author/i);
    expect(faults).to.deep.equal([]);

    const second = await browser.open(phone);
    await goTo(second.page, `${site.address}/join`);
    await second.page.fill('#code', 'ada.this-is-no-key');
    await second.page.click('#recover button');
    await second.page.waitForSelector('#trouble:not([hidden])');
    expect(await second.page.textContent('#trouble')).to.match(/not a recovery key/);
    await second.page.fill('#code', recovery);
    await second.page.click('#recover button');
    await second.page.waitForSelector('#done:not([hidden])');
    await second.page.click('#done summary:has-text("page says")');
    await second.page.fill('#about', 'Unders & dogs.');
    await second.page.click('#profile button');
    await second.page.waitForSelector('#saved:has-text("Saved.")');
    await updateProjections(stores.database);
    expect(await (await fetch(`${site.address}/c/ada`)).text()).to.contain('Unders &amp; dogs.');
    await goTo(second.page, `${site.address}/join`);
    expect(await second.page.inputValue('#about')).to.equal('Unders & dogs.');
    await goTo(second.page, `${site.address}/post`);
    await second.page.waitForSelector('#games details');
    await second.page.fill('#text', 'under 221.5 Hawks Otters -115 2u');
    await second.page.click('#line button');
    await second.page.waitForSelector('#bet:not([hidden])');
    // As on the operator's page, nobody guesses what 150 means.
    await second.page.fill('#odds', '150');
    expect(await second.page.locator('#unread button').allTextContents()).to.deep.equal([
      ...['+150 (American)', '+14900 (decimal: 150 for 1)'],
    ]);
    expect(await second.page.isDisabled('#send')).to.equal(true);
    await second.page.click('#unread button');
    expect(await second.page.inputValue('#odds')).to.equal('+150');
    await second.page.fill('#odds', '-115');
    expect(await second.page.locator('#signed dd').allTextContents()).to.deep.equal([
      ...[
        'ada',
        `Public Picks at ${new URL(site.address).host}`,
        'picks.example/ledger',
        'Total, under',
        '221.5',
        '-115',
        '2 u',
      ],
    ]);
    await second.page.click('#send');
    await second.page.waitForSelector('#posted:not([hidden])');
    expect(second.faults).to.deep.equal([]);
    const stored = await stores.owner('picks').orderBy('id').select('author_key', 'stake_e4');
    const [, kept, added] = await keys();
    expect(stored.map((pick) => pick.author_key)).to.deep.equal([first!.id, added!.id]);
    expect(added!.endorsedBy).to.equal(kept!.id);
    await goTo(second.page, `${site.address}/join`);
    await second.page.click('#done summary:has-text("Your keys")');
    const lost = second.page.locator(`#keys p:has-text("${fingerprint(first!.id)}")`);
    await lost.locator('button').click();
    expect((await keys())[0]).to.include({ revokedAt: null });
    await lost.locator('button').click();
    await lost.waitFor({ state: 'detached' });
    expect((await keys())[0]).to.include({ by: 'capper' });
    expect(second.faults).to.deep.equal([]);

    // The page works without the list of keys.
    let asked = 0;
    await second.page.route('**/api/cappers/ada/keys', (route) => {
      asked += 1;
      return asked === 1 ? route.continue() : route.fulfill({ status: 503, json: { detail: 'Busy.' } });
    });
    await goTo(second.page, `${site.address}/join`);
    await second.page.waitForSelector('#done:not([hidden])');
    expect(await second.page.locator('#keys p').count()).to.equal(0);
  });

  it('keeps a private key that the page cannot read', async () => {
    const { page } = await browser.open(phone);
    await goTo(page, await invitation());
    await page.click('#make');
    await page.waitForSelector('#made:not([hidden])');
    const read = await page.evaluate(`new Promise((resolve, reject) => {
      indexedDB.open('public-picks').onsuccess = ({ target: { result: database } }) => {
        database.transaction('keys').objectStore('keys').get('ada').onsuccess = ({ target: { result } }) =>
          crypto.subtle.exportKey('pkcs8', result.privateKey).then(resolve, ({ name }) => resolve(name));
      };
    })`);
    expect(read).to.equal('InvalidAccessError');
  });

  it('is warned before using the invitation if the browser cannot make or store a key', async () => {
    const address = await invitation();
    const lacking: [what: string, script: string, sentence: RegExp][] = [
      [
        'no Ed25519',
        'crypto.subtle.generateKey = () => Promise.reject(new DOMException("", "NotSupportedError"));',
        /Chrome 137, Edge 137, Firefox 136, and Safari 17/,
      ],
      [
        'nowhere to keep it',
        'IDBObjectStore.prototype.put = () => { throw new DOMException("", "DataCloneError"); };',
        /private window/,
      ],
    ];
    for (const [what, script, sentence] of lacking) {
      const { page } = await browser.open(phone);
      await page.addInitScript(script);
      await goTo(page, address);
      expect(await page.textContent('#trouble'), what)
        .to.match(sentence)
        .and.match(/stays valid/);
      expect(await page.isVisible('#make'), what).to.equal(false);
    }
    const unused = await stores.owner('capper_invites').whereNull('used_at').pluck('id');
    expect(unused).not.to.deep.equal([]);
  });

  it('is asked to make a key before posting', async () => {
    const { page } = await browser.open(phone);
    await goTo(page, `${site.address}/post`);
    expect(await page.textContent('#trouble')).to.equal('This device has no key yet. Make one');
  });
});
