import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runMonitor } from '../../packages/client/src/commands/monitor.ts';
import { audit } from '../../src/ledger/audit/audit.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { receiptOf } from '../../src/ledger/publishing/published.ts';
import { signerFromSeed } from '../../src/proof/signed-note.ts';
import { ED25519, formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withBrowser } from '../support/browser.ts';
import { expectedOfTests, withDatabase } from '../support/database.ts';
import { wholeRealLedger } from '../support/ledgers.ts';
import { atLength } from '../support/long.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { type Verifier, verifierScript } from '../support/verifier-script.ts';
import { runPipeline } from '../support/whole-way.ts';

const real = wholeRealLedger();
const seed = Buffer.alloc(32, 5);
const publisher = { baseUrl: 'https://picks.example', demo: false, key: seed.toString('base64') };

/** Verifies every nth pick. `RECEIPTS=1` verifies all of them, which takes minutes. */
const every = Number(process.env.RECEIPTS || atLength(128, 16));
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

if (real !== undefined)
  describe('the receipts of the real picks', function () {
    this.timeout(every === 1 ? 900_000 : 120_000);
    const stores = withDatabase({ filling: real });
    const { now } = real;
    const redis = withRedis();
    const browser = withBrowser();
    let uuids: string[];
    let key: string;
    let site: RunningApi;

    before(async () => {
      await publishCheckpoint(stores.database, publisher, now);
      const all: string[] = await stores.database('picks').orderBy('id').pluck('uuid');
      uuids = all.filter((_, index) => index % every === 0);
      key = formatVerifierKey((await signerFromSeed('picks.example/ledger', ED25519, seed)).key);
      site = await startApi({ database: stores, redis }, { clock: { now: () => now } });
    });
    after(() => site.close());

    it('verify offline', async () => {
      const { key: trusted } = await signerFromSeed('picks.example/ledger', ED25519, seed);
      for (let at = 0; at < uuids.length; at += 8) {
        const verdicts = await Promise.all(
          uuids
            .slice(at, at + 8)
            .map(async (uuid) =>
              verifyReceipt(
                JSON.parse(JSON.stringify(await receiptOf(stores.database, uuid))),
                { keys: [trusted] },
                sha256,
              ),
            ),
        );
        for (const { failed } of verdicts) expect(failed).to.equal(null);
      }
    });

    it('verify in a browser, with the code of /verify', async () => {
      const { page } = await browser.open();
      await page.goto(`${site.address}/verify`);
      await page.evaluate(verifierScript);
      const verdicts = await page.evaluate(
        async ([picks, trusted]) => {
          const { parseVerifierKey, verifyReceipt: verify } = globalThis as unknown as Verifier;
          const keys = [parseVerifierKey(trusted)];
          const counts: Record<string, number> = {};
          const left = [...picks];
          const walk = async () => {
            for (let uuid = left.pop(); uuid !== undefined; uuid = left.pop()) {
              const answer = await fetch(`/api/picks/${uuid}/receipt`);
              const outcome = answer.ok
                ? (await verify(await answer.json(), { keys })).proof
                : `status ${answer.status}`;
              counts[outcome] = (counts[outcome] ?? 0) + 1;
            }
          };
          await Promise.all(Array.from({ length: 6 }, walk));
          return counts;
        },
        [uuids, key] as const,
      );
      expect(verdicts).to.deep.equal({ ok: uuids.length });
    });

    /** Entries of picks, and of the prices that were sealed with them. */
    const expectedEntries = async () => {
      const [row] = await stores.database('price_batches').count({ n: '*' });
      return 19_176 + Number(row?.n);
    };

    it('belong to a log in which an audit finds nothing', async () => {
      const found = await audit(stores.database, async () => undefined, {
        signing: publisher,
        expected: expectedOfTests,
        onFinding: ({ message }) => expect.fail(message),
      });
      expect(found).to.deep.equal({
        entries: await expectedEntries(),
        checkpoints: 1,
        comparedWith: null,
        difference: null,
        picks: 6397,
        findings: 0,
      });
    });

    it('belong to a log that an outside monitor follows and finds sound', async () => {
      const kept = mkdtempSync(join(tmpdir(), 'monitor-'));
      const lines: string[] = [];
      const options = { key: [key], state: join(kept, 'state.json'), every: 1, once: true };
      try {
        const say = (line: string) => lines.push(line);
        const shown = async () => (await fetch(`${site.address}/ledger/checkpoint`)).text();
        const { signal } = new AbortController();
        expect(await runMonitor(site.address, options, say, signal), lines.join('\n')).to.equal(0);
        const size = await expectedEntries();
        expect(lines.at(-1)).to.include(`${size} entries, ${size} new. Consistent with all earlier polls.`);
        await stores
          .database('notices')
          .insert({ at: new Date(now), topic: 'remark', text: 'The log continues.' });
        await runPipeline(stores.database, now);
        await publishCheckpoint(stores.database, publisher, now);
        // The site serves a checkpoint for a second before it looks for a newer one.
        await until(async () => (await shown()).includes(`\n${size + 1}\n`));
        expect(await runMonitor(site.address, options, say, signal), lines.join('\n')).to.equal(0);
        expect(lines.at(-1)).to.include(`${size + 1} entries, 1 new.`);
      } finally {
        rmSync(kept, { recursive: true });
      }
    });
  });
