import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { signerFromSeed } from '../../src/proof/signed-note.ts';
import { ED25519, formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withBrowser } from '../support/browser.ts';
import { withDatabase } from '../support/database.ts';
import { league, withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { type Verifier, verifierScript } from '../support/verifier-script.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const seed = Buffer.alloc(32, 9);
const publisher = { baseUrl: 'https://picks.example', demo: false, key: seed.toString('base64') };
const now = Date.parse('2025-01-01T00:00:00Z');

describe('/verify in a browser', () => {
  const database = withDatabase();
  const redis = withRedis();
  const browser = withBrowser();
  const folder = withFolder();
  let site: RunningApi;
  let uuids: string[];
  let key: string;

  before(async () => {
    await ingest(database.database, league, now);
    await runPipeline(database.database, now);
    await publishCheckpoint(database.database, publisher, now);
    uuids = await database.database('picks').orderBy('id').pluck('uuid');
    key = formatVerifierKey((await signerFromSeed('picks.example/ledger', ED25519, seed)).key);
    site = await startApi({ database, redis }, { clock: { now: () => now } });
  });
  after(() => site.close());

  async function open(query = ''): Promise<{ page: Page; faults: string[] }> {
    const opened = await browser.open();
    await opened.page.goto(`${site.address}/verify${query}`);
    await opened.page.waitForSelector('#verify[data-ready]');
    return opened;
  }

  const outcome = async (page: Page) => {
    await page.waitForSelector('.outcome-of');
    return page.textContent('.outcome-of');
  };

  const verdicts = (page: Page) => page.locator('#result .verdicts strong').allTextContents();

  const receipt = async (uuid: string) => (await fetch(`${site.address}/api/picks/${uuid}/receipt`)).text();

  it('shows every step for a pick named in the URL, and detects a change', async () => {
    const { page, faults } = await open();
    await page.fill('#key', key);
    await page.fill('#pick', `https://picks.example/p/${uuids[0]}`);
    await page.click('#verify button[type=submit]');
    expect(await outcome(page)).to.match(/^Every step of the proof passes/);
    expect(await verdicts(page)).to.deep.equal(['Sealed', 'Claimed', 'Claimed', 'An import']);
    expect(await page.locator('.verdicts .good').count()).to.equal(1);
    expect(await page.locator('.steps li.good').count()).to.be.greaterThan(12);
    expect(await page.locator('.steps li.bad').count()).to.equal(0);
    await page.click('.tamper');
    await page.waitForSelector('.outcome-of.failed');
    expect(await outcome(page)).to.match(/^The proof fails at the step “hash” \(posted\)/);
    expect(new Set(await verdicts(page))).to.deep.equal(new Set(['Not proven']));
    expect(faults.filter((fault) => !fault.includes('404'))).to.deep.equal([]);
  });

  it('reads a receipt from a file without any request to the site', async () => {
    const { page } = await open();
    await page.fill('#key', key);
    const file = join(folder.path(), 'receipt.json');
    writeFileSync(file, await receipt(uuids[1]!));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setInputFiles('#file', file);
    expect(await outcome(page)).to.match(/^Every step of the proof passes/);
    expect(asked).to.deep.equal([]);
  });

  it('rejects what another key has signed, and says what cannot be read', async () => {
    const { page } = await open();
    const { key: other } = await signerFromSeed('picks.example/ledger', ED25519, Buffer.alloc(32, 8));
    await page.fill('#key', formatVerifierKey(other));
    await page.fill('#pick', uuids[0]!);
    await page.click('#verify button[type=submit]');
    expect(await outcome(page)).to.match(/^The proof fails at the step “signature” \(posted\)/);
    for (const [field, value, sentence] of [
      ['#key', 'nonsense', 'not a verifier key'],
      ['#key', '', 'public key is missing'],
    ] as const) {
      await page.fill(field, value);
      await page.click('#verify button[type=submit]');
      await page.locator('.verdict', { hasText: sentence }).waitFor();
    }
    await page.fill('#pick', '00000000-0000-4000-8000-000000000000');
    await page.click('#verify button[type=submit]');
    await page.locator('.verdict', { hasText: 'no such pick' }).waitFor();
  });

  it('shows hostile text in a receipt as text', async () => {
    const { page, faults } = await open();
    await page.fill('#key', key);
    const hostile = JSON.parse(await receipt(uuids[0]!));
    hostile.pick.pick = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    hostile.pickUuid = '<b>x</b>';
    await page.click('details summary');
    await page.fill('#text', JSON.stringify(hostile));
    await page.click('#verify button[type=submit]');
    expect(await outcome(page)).to.match(/^The proof fails at the step/);
    expect(await page.locator('#result img, #result script, #result b').count()).to.equal(0);
    expect(faults.filter((fault) => !fault.includes('404'))).to.deep.equal([]);
  });

  it('verifies the receipt of every pick with its code joined as the site joins it', async () => {
    const { page } = await open();
    await page.evaluate(verifierScript);
    const receipts = await Promise.all(uuids.map(receipt));
    const verdicts = await page.evaluate(
      async ([texts, trusted]) => {
        const { parseVerifierKey, verifyReceipt } = globalThis as unknown as Verifier;
        const keys = [parseVerifierKey(trusted)];
        const found: string[] = [];
        for (const text of texts) found.push((await verifyReceipt(JSON.parse(text), { keys })).proof);
        return found;
      },
      [receipts, key] as const,
    );
    expect(new Set(verdicts)).to.deep.equal(new Set(['ok']));
    expect(verdicts).to.have.length(16);
  });

  it('works on a phone in dark mode, without errors', async () => {
    const { page, faults } = await browser.open({
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    for (const [path, ready] of [
      ['/ledger', 'h1'],
      [`/verify?pick=${uuids[0]}`, '#verify[data-ready]'],
    ] as const) {
      await page.goto(site.address + path);
      await page.waitForSelector(ready);
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(wider, path).to.be.at.most(0);
    }
    expect(faults.filter((fault) => !fault.includes('404'))).to.deep.equal([]);
  });

  it('is one file at /verify.html that verifies offline, and runs nothing but its own script', async () => {
    const answer = await fetch(`${site.address}/verify.html`);
    const policy = answer.headers.get('Content-Security-Policy');
    expect(policy).to.match(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; /);
    expect(policy).to.not.include('unsafe');
    const text = await answer.text();
    expect(text).to.not.match(/ (src|href)=/);
    const saved = join(folder.path(), 'verify.html');
    writeFileSync(saved, text);
    const file = join(folder.path(), 'offline.json');
    writeFileSync(file, await receipt(uuids[1]!));
    for (const address of [`${site.address}/verify.html`, `file://${saved}`]) {
      const { page, faults } = await browser.open();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(address);
      await page.waitForSelector('#verify[data-ready]');
      await page.fill('#key', key);
      await page.setInputFiles('#file', file);
      expect(await outcome(page)).to.match(/^Every step of the proof passes/);
      await page.click('.tamper');
      await page.waitForSelector('.outcome-of.failed');
      expect(asked.filter((url) => url !== address && !url.endsWith('/ledger/key'))).to.deep.equal([]);
      expect(
        faults.filter((fault) => /Content Security|policy/i.test(fault) && !fault.includes('ledger/key')),
      ).to.deep.equal([]);
    }
    const injected = join(folder.path(), 'injected.html');
    writeFileSync(injected, text.replace('</main>', '<script>document.title = "ran"</script></main>'));
    const { page } = await browser.open();
    await page.goto(`file://${injected}`);
    await page.waitForSelector('#verify[data-ready]');
    expect(await page.title()).to.equal('Verify a receipt · Public Picks');
  });
});
