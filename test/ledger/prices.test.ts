import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import { auditPrices } from '../../src/ledger/audit/prices.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { pricesEveryMs, unpacked } from '../../src/ledger/sealing/number-prices.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { iso } from '../../src/platform/clock.ts';
import { hex } from '../../src/proof/encoding.ts';
import { verifyInclusion } from '../../src/proof/inclusion.ts';
import { priceLeaf, pricePath, pricesRoot } from '../../src/proof/prices.ts';
import type { SealedReceipt } from '../../src/proof/receipt.ts';
import { signerFromSeed } from '../../src/proof/signed-note.ts';
import { ED25519 } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { withRedis } from '../support/redis.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { runPipeline } from '../support/whole-way.ts';

const minute = 60_000;
const start = Date.parse('2024-10-06T17:00:00Z');
const game = { sport: 'nfl', game: 'Gulls @ Foxes', startsAt: iso(start) };
const at = (now: number) => ({ now, imported: false });

describe('prices in the log', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const price = (side: string, oddsAmerican: number, capturedAt: number, book = 'north') => ({
    ...game,
    market: 'moneyline',
    side,
    line: null,
    oddsAmerican,
    book,
    capturedAt: iso(capturedAt),
  });
  const entries = () =>
    stores.database('ledger_entries').orderBy('seq').select('kind', 'prices_to', 'body', 'seq');

  before(async () => {
    const { database } = stores;
    const before = at(start - 60 * minute);
    await applyCappers(database, [{ handle: 'ada', tier: 'elite', verified: true }], before);
    await database.transaction((transaction) =>
      applyGames(transaction, [{ ...game, status: 'scheduled' } as GameRow], before),
    );
    const early = [price('home', -130, start - 50 * minute), price('away', 110, start - 50 * minute)];
    await applyLines(database, early, at(start - 50 * minute), 'provider');
    await postPick(
      database,
      {
        ...game,
        capperHandle: 'ada',
        market: 'moneyline',
        side: 'home',
        line: null,
        pick: 'Foxes',
        oddsAmerican: -130,
        stakeUnits: 1,
      },
      undefined,
      start - 45 * minute,
    );
    await sealAll(database);
    await applyLines(database, [price('home', -140, start - minute)], at(start - minute), 'provider');
    await runPipeline(database, start);
    await applyLines(database, [price('home', 500, start + minute)], at(start + minute), 'provider');
    const over = { ...game, status: 'final', homeScore: 20, awayScore: 10 } as GameRow;
    await database.transaction((transaction) => applyGames(transaction, [over], at(start + 180 * minute)));
    await runPipeline(database, start + 180 * minute);
  });

  it('precede every entry that used them, which names the last one', async () => {
    expect((await entries()).map(({ kind, prices_to: to }) => [kind, to])).to.deep.equal([
      ['posted', null],
      ['prices', null],
      ['closed', 3],
      ['prices', null],
      ['settled', 4],
    ]);
    await expectSoundLedger(stores.database);
  });

  it('are a Merkle tree over canonical rows, computed here without the code of the service', async () => {
    const [batch] = await stores.database('price_batches').orderBy('id');
    const texts = unpacked(batch.rows);
    expect(JSON.parse(texts[0]!)).to.deep.equal({
      price_seq: 1,
      sport: 'nfl',
      game: 'Gulls @ Foxes',
      starts_at: iso(start),
      day: null,
      market: 'moneyline',
      subject: null,
      side: 'home',
      line_e3: null,
      odds_american: -130,
      book: 'north',
      captured_at: iso(start - 50 * minute),
      stored_at: iso(start - 50 * minute),
      source: 'provider',
      closing: false,
    });
    const sha = (...parts: (string | Buffer)[]) => {
      const hash = createHash('sha256');
      for (const part of parts) hash.update(part);
      return hash.digest();
    };
    const [a, b, c] = texts.map((text) => sha('\0', text)) as [Buffer, Buffer, Buffer];
    const root = sha('\x01', sha('\x01', a, b), c);
    expect(batch.root.toString('hex')).to.equal(root.toString('hex'));
    const leaves = texts.map((text) => priceLeaf(JSON.parse(text)));
    for (const [index, leaf] of leaves.entries())
      expect(
        verifyInclusion(leaf, { index, size: 3, hashes: pricePath(leaves, index) }, pricesRoot(leaves)),
      ).to.equal(true);
    expect(hex(pricesRoot(leaves))).to.equal(root.toString('hex'));
  });

  it('are in receipts if they decided, and public for those who publish them', async () => {
    const seed = Buffer.alloc(32, 9);
    const publisher = { baseUrl: 'https://picks.example', demo: false, key: seed.toString('base64') };
    const now = start + 180 * minute;
    await publishCheckpoint(stores.database, publisher, now);
    const [uuid] = await stores.database('picks').pluck('uuid');
    const { key } = await signerFromSeed('picks.example/ledger', ED25519, seed);
    const answers = await Promise.all(
      ['1', '0'].map(async (PUBLISH_PRICES) => {
        const site = await startApi(
          { database: stores, redis },
          { clock: { now: () => now }, settings: { PUBLISH_PRICES } },
        );
        const get = (path: string) => fetch(`${site.address}${path}`);
        const receipt = (await (await get(`/api/picks/${uuid}/receipt`)).json()) as SealedReceipt;
        const [proof] = receipt.proof.prices;
        const rows = await get(`/ledger/prices/${proof!.seq}`);
        const found = { receipt, status: rows.status, text: await rows.text() };
        const none = await get('/ledger/prices/0');
        await site.close();
        expect(none.status).to.equal(404);
        return found;
      }),
    );
    const [open, closed] = answers as [(typeof answers)[0], (typeof answers)[0]];
    expect(closed.status).to.equal(404);
    expect(closed.receipt).to.deep.equal(open.receipt);
    const { failed, steps } = await verifyReceipt(open.receipt, { keys: [key] });
    expect(failed).to.equal(null);
    expect(steps.at(-1)).to.include({ step: 'prices', ok: true });
    // The closing snapshot has one side; the check takes the price five minutes before posting.
    const [{ prices, body }] = open.receipt.proof.prices as [SealedReceipt['proof']['prices'][0]];
    expect(prices.map(({ price, decided }) => [price.price_seq, price.odds_american, decided])).to.deep.equal(
      [
        [1, -130, ['settled']],
        [3, -140, ['closed']],
      ],
    );
    const texts = open.text.trimEnd().split('\n');
    expect(hex(pricesRoot(texts.map((text) => priceLeaf(JSON.parse(text)))))).to.equal(body.root);
  });

  it('are sealed once a minute if no event waits for them', async () => {
    const { database } = stores;
    await applyLines(database, [price('home', 510, start + 2 * minute)], at(start + 2 * minute), 'provider');
    expect(await sealAll(database)).to.equal(0);
    expect(await sealAll(database, { pricesEveryMs })).to.equal(0);
    expect(await sealAll(database, { pricesEveryMs: 0 })).to.equal(1);
    expect(await sealAll(database, { pricesEveryMs: 0 })).to.equal(0);
  });

  const findings = async () => {
    const found: string[] = [];
    for (const audit of [auditPrices(stores.database), auditPicks(stores.database, () => {})])
      for await (const { message } of audit) found.push(message);
    return found;
  };

  it('pass the audit', async () => {
    expect(await findings()).to.deep.equal([]);
  });

  it('are numbered once, by sealing only', async () => {
    for (const change of ['price_seq = 99', 'odds_american = 900', `captured_at = '2024-10-06T16:00:00Z'`])
      expect(
        await stores.owner.raw(`update lines set ${change} where price_seq = 1`).catch(({ code }) => code),
      ).to.equal('23001');
    const [row] = await stores
      .owner('lines')
      .insert({
        game_id: 1,
        market: 'moneyline',
        side: 'home',
        odds_american: 700,
        book: 'mine',
        closing: false,
        captured_at: iso(start - 20 * minute),
        price_seq: 2000,
      })
      .returning('price_seq');
    expect(row.price_seq).to.equal(null);
  });

  /** Forgeries by someone who controls the database, and what the audit says. */
  const forgeries: [what: string, sql: string, found: RegExp][] = [
    [
      'a rewritten price',
      'update lines set odds_american = 900 where price_seq = 1',
      /lines, id \d+: it is not price 1 of the log/,
    ],
    [
      'a price stored earlier',
      `update lines set stored_at = stored_at - interval '1 day' where price_seq = 1`,
      /it is not price 1 of the log/,
    ],
    [
      'a price captured earlier',
      `update lines set captured_at = captured_at - interval '1 day' where price_seq = 4`,
      /it is not price 4 of the log/,
    ],
    [
      'a price under a number that no entry has',
      `insert into lines (game_id, market, side, odds_american, captured_at, closing, book, stored_at, price_seq) values
         (1, 'moneyline', 'home', 900, '2024-10-06T16:59:00Z', true, 'mine', '2024-10-06T16:59:00Z', 77)`,
      /column price_seq: no entry of the log has it/,
    ],
    [
      'a later price under the number of another',
      `delete from lines where price_seq = 2; insert into lines (game_id, market, side, odds_american, captured_at, closing, book, stored_at, price_seq) values
         (1, 'moneyline', 'home', 900, '2024-10-06T16:59:00Z', true, 'mine', '2024-10-06T16:59:00Z', 2)`,
      /it is not price 2 of the log/,
    ],
    [
      'a forged bound',
      `update ledger_entries set prices_to = 4 where kind = 'closed'`,
      /column prices_to: (no earlier|price 4 was stored later)/,
    ],
    [
      'other kept rows',
      `update price_batches set rows = (select rows from price_batches order by id desc limit 1) where id = 1`,
      /price_batches, id 1, column rows/,
    ],
    [
      'another root',
      `update price_batches set root = sha256('other') where id = 1`,
      /price_batches, id 1, column rows: its rows do not have the root/,
    ],
    [
      'a batch of rows that are no prices',
      `insert into price_batches (from_seq, to_seq, root, rows)
         select max(to_seq) + 1, max(to_seq) + 1, sha256('x'), decode('4b0400', 'hex') from price_batches`,
      /price_batches, "a", column rows: it is no price/,
    ],
  ];
  for (const [what, sql, expected] of forgeries)
    it(`name ${what}`, async () => {
      const found: string[] = [];
      await stores.owner
        .transaction(async (transaction) => {
          for (const table of ['lines', 'ledger_entries', 'price_batches'])
            await transaction.raw(`alter table ${table} disable trigger all`);
          for (const statement of sql.split('; ')) await transaction.raw(statement);
          for await (const { message } of auditPrices(transaction)) found.push(message);
          throw new Error('rolled back');
        })
        .catch((error: Error) => {
          if (error.message !== 'rolled back') throw error;
        });
      expect(found.join('\n')).to.match(expected);
    });
});
