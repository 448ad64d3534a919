import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { joinGames } from '../../src/games/twins.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines, type LineRow } from '../../src/intake/price.ts';
import { folderStorage } from '../../src/ledger/publishing/log-files/configured.ts';
import { openLogFiles } from '../../src/ledger/publishing/log-files/log-files.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { newState, poll } from '../../src/monitor/follow.ts';
import { type LogClient, openLog } from '../../src/monitor/log-client.ts';
import { iso } from '../../src/platform/clock.ts';
import type { ClosingBody, SettlementBody } from '../../src/proof/bodies.ts';
import type { LoggedPrice } from '../../src/proof/prices.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { logSigner, ORIGIN } from '../proof/example-log.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { postPick } from '../support/post-pick.ts';
import { withRedis } from '../support/redis.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';
import { trusted } from './memory-log.ts';
import { type Forgery, signAgain } from './signed-again.ts';

const minute = 60_000;
const hour = 60 * minute;
// The database's clock stores copies of prices for joined games.
const start = Math.floor(Date.now() / hour) * hour - 8 * hour;
const posted = start - 5 * hour;
const ended = start + 4 * hour;
const at = (now: number) => ({ now, imported: false });

const gulls = { sport: 'nfl', game: 'Gulls @ Foxes', startsAt: iso(start) };
const moved = { sport: 'nfl', game: 'Rays @ Owls', startsAt: iso(start - hour) };
const fed = { sport: 'nba', game: 'Hawks @ Otters', startsAt: iso(start) };
const first = { sport: 'soccer', game: 'Harbor Gulls @ Copper Foxes', startsAt: iso(start) };
const twin = { sport: 'soccer', game: 'Harbor Gulls @ CFX', startsAt: iso(start + 20 * minute) };
const games = [gulls, moved, fed, first, twin];

/** A price of the home team's moneyline, and one of the away team's. */
const prices = (of: (typeof games)[number], book: string, capturedAt: number, home: number): LineRow[] =>
  [
    { side: 'home', oddsAmerican: home },
    { side: 'away', oddsAmerican: -160 },
  ].map((price) => ({
    ...of,
    market: 'moneyline',
    line: null,
    book,
    capturedAt: iso(capturedAt),
    ...price,
  }));

describe('a monitor of a log with prices', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  const sites: Record<'public' | 'hidden', RunningApi> = {} as never;
  const seed = Buffer.alloc(32, 1).toString('base64');
  const publisher = { baseUrl: 'https://picks.example', demo: false, key: seed };
  let uuids: Record<string, string>;

  const world = (rows: Partial<GameRow>[], now: number) =>
    stores.database.transaction((transaction) => applyGames(transaction, rows as GameRow[], at(now)));
  const store = (rows: LineRow[], now: number, by: 'provider' | 'hand' = 'provider') =>
    applyLines(stores.database, rows, at(now), by);

  before(async () => {
    const { database } = stores;
    const before = posted - 5 * minute;
    const cappers = ['ada', 'bob', 'cid', 'dee', 'eve', 'fay', 'old'];
    await applyCappers(
      database,
      cappers.map((handle) => ({ handle, tier: 'elite' as const, verified: true })),
      at(before),
    );
    await world(
      games.map((game) => ({ ...game, status: 'scheduled' as const })),
      before,
    );
    await store([...prices(gulls, 'north', before, 120), ...prices(gulls, 'south', before, 110)], before);
    await store(prices(moved, 'north', before, -105), before);
    await store(prices(first, 'north', before, 150), before);
    await store(prices(fed, 'mine', before, 130), before, 'hand');
    const bet = { market: 'moneyline', side: 'home', line: null, pick: 'Home', stakeUnits: 1 };
    const post = async (capperHandle: string, of: object, oddsAmerican: number, more = {}) => {
      const row = { ...bet, capperHandle, ...of, oddsAmerican, ...more } as never;
      const answer = await postPick(database, row, undefined, posted);
      if (answer.outcome !== 'added') throw new Error(JSON.stringify(answer));
      return [capperHandle, answer.pickUuid];
    };
    await runPipeline(database, posted);
    uuids = Object.fromEntries([
      await post('ada', gulls, 120),
      await post('bob', gulls, 110, { book: 'south' }),
      await post('cid', moved, 140),
      await post('dee', fed, 125),
      await post('eve', first, 150),
      await post('fay', twin, 150),
    ]);
    await runPipeline(database, posted);
    await database.transaction((transaction) => joinGames(transaction, 4, 5, posted + minute));
    await world([{ ...moved, status: 'scheduled', movedTo: iso(start + hour) }], posted + minute);
    for (const [after, home] of [
      [6, 118],
      [16, 112],
      [61, 108],
    ] as const) {
      const now = posted + after * minute;
      await store([...prices(gulls, 'north', now, home), ...prices(gulls, 'south', now, home - 6)], now);
      await sealAll(database, { pricesEveryMs: 0 });
    }
    await store(
      [
        ...prices(gulls, 'north', start - minute, 104),
        ...prices(gulls, 'south', start - minute, -102),
        ...prices(first, 'north', start - minute, 140),
        ...prices(moved, 'north', start + 30 * minute, -115),
      ],
      start + 30 * minute,
    );
    await store(prices(fed, 'mine', start - minute, 120), start - minute, 'hand');
    await store(prices(fed, 'mine', start - 2 * minute, 300), start + minute, 'hand');
    await runPipeline(database, start + 2 * hour);
    const past = { ...bet, capperHandle: 'old', ...gulls, oddsAmerican: 115, postedAt: iso(posted) };
    await ingest(database, folder.write('picks.ndjson', [past]), ended);
    const over = { status: 'final', homeScore: 24, awayScore: 16, finalAt: iso(ended) } as const;
    await world(
      games.map((game) => ({ ...game, ...over })),
      ended,
    );
    await runPipeline(database, ended + hour);
    await publishCheckpoint(database, publisher, ended + hour);
    const clock = { now: () => ended + 2 * hour };
    for (const [name, PUBLISH_PRICES] of [
      ['public', '1'],
      ['hidden', '0'],
    ] as const)
      sites[name] = await startApi({ database: stores, redis }, { clock, settings: { PUBLISH_PRICES } });
  });
  after(async () => {
    for (const site of Object.values(sites)) await site.close();
  });

  /** Polls a log from its start. @returns the findings' kinds and messages */
  async function judged(log: LogClient): Promise<string[]> {
    const now = ended + 2 * hour;
    const once = await poll(log, newState(ORIGIN, [trusted]), { now, history: true });
    const again = await poll(log, once.state, { now: now + 2 * hour });
    const findings = [...once.findings, ...again.findings];
    return findings.map(({ kind, message }) => `${kind}: ${message}`);
  }
  const honest = (name: 'public' | 'hidden') => openLog(sites[name].address);

  for (const name of ['public', 'hidden'] as const)
    it(`finds nothing in an honest one whose rows are ${name}, nor in one signed again`, async () => {
      expect(await judged(honest(name))).to.deep.equal([]);
      expect(await judged(await signAgain(honest(name), name === 'public', {}))).to.deep.equal([]);
    });

  it('finds nothing if it begins late: it learns the published prices first', async () => {
    const { findings, state } = await poll(honest('public'), newState(ORIGIN, [trusted]), { now: ended });
    expect(findings).to.deep.equal([]);
    expect(state.prices).to.include({ isPublic: true, provider: 1 });
    expect(Object.keys(state.prices.games)).to.have.length(games.length);
  });

  it('judges prices of every kind: capped, of a book, after a move, by hand, of joined games, imported', async () => {
    const { rows } = await stores.database.raw(
      `select c.handle, k.odds_american as closed, s.price_verdict as verdict, s.price_counted as counted
       from picks p join cappers c on c.id = p.capper_id left join closings k on k.pick_id = p.id
       join settlements s on s.pick_id = p.id order by c.handle`,
    );
    expect(rows.map((row: object) => Object.values(row))).to.deep.equal([
      ['ada', 101, 'above_market', 110],
      ['bob', -102, 'available', 110],
      ['cid', -115, 'above_market', -105],
      ['dee', 120, 'available', 125],
      ['eve', 140, 'available', 150],
      ['fay', 140, 'available', 150],
      ['old', 101, null, null],
    ]);
    await expectSoundLedger(stores.database);
  });

  it('finds the published rows in LOG_FILES too, also those from before they were public', async () => {
    const path = join(folder.path(), 'log');
    const entries: number[] = await stores
      .database('ledger_entries')
      .where('kind', 'prices')
      .orderBy('seq')
      .pluck('seq');
    for (const publishPrices of [false, true]) {
      const files = openLogFiles(stores.database, folderStorage(path), { publishPrices });
      await files.update();
      await files.close();
      expect(existsSync(join(path, 'prices'))).to.equal(publishPrices);
      await stores.database('notices').insert({ at: new Date(ended), topic: 'remark', text: 'A remark.' });
      await runPipeline(stores.database, ended + hour);
      await publishCheckpoint(stores.database, publisher, ended + hour);
    }
    for (const seq of entries) {
      const served = await fetch(`${sites.public.address}/ledger/prices/${seq}`);
      expect(readFileSync(join(path, 'prices', String(seq)), 'utf8')).to.equal(await served.text());
    }
    expect(readdirSync(join(path, 'prices'))).to.have.length(entries.length);
  });

  const closed = (of: string, change: (body: ClosingBody) => Partial<ClosingBody>): Forgery => ({
    body: (kind, body) =>
      kind === 'closed' && body.uuid === uuids[of] ? { ...body, ...change(body as never) } : body,
  });
  const settled = (of: string, change: (body: SettlementBody) => Partial<SettlementBody>): Forgery => ({
    body: (kind, body) =>
      kind === 'settled' && body.uuid === uuids[of] ? { ...body, ...change(body as never) } : body,
  });
  const check = (change: Partial<NonNullable<SettlementBody['price_check']>>, net: number) =>
    settled('ada', ({ price_check: own }) => ({
      price_check: { ...own!, ...change },
      net_units_e4: net,
    }));
  const rowOf = (change: (row: LoggedPrice) => Partial<LoggedPrice>) => (rows: LoggedPrice[]) =>
    rows.map((row) => ({ ...row, ...change(row) }));

  const lies: [what: string, hidden: boolean, lie: () => Forgery, finding: RegExp][] = [
    [
      'closed at the price of one book instead of the median',
      false,
      () => closed('ada', () => ({ odds_american: 104, clv_bps: 784 })),
      /^figures: pick .+: the prices of the log give 101 at null of all books, .+, not 104 at null/,
    ],
    [
      'closed at an older price of its book',
      false,
      () =>
        closed('bob', () => ({
          odds_american: 102,
          captured_at: iso(posted + 61 * minute),
          clv_bps: 396,
          prices: [
            { side: 'away', odds_american: -160 },
            { side: 'home', odds_american: 102 },
          ],
        })),
      /^figures: pick .+: the prices of the log give -102 at null of south, .+, not 102 at null of south/,
    ],
    [
      'compared with the highest price instead of the second highest',
      false,
      () => check({ verdict: 'available', odds_american: 120, book: 'north', counted_american: 120 }, 12_000),
      /^figures: pick .+: the prices of the log make its price above_market by 110 of south.+, not available by 120/,
    ],
    [
      'called unseen, so that a loss would not count',
      false,
      () =>
        check(
          {
            verdict: 'unseen',
            odds_american: null,
            book: null,
            captured_at: null,
            counted_american: null,
          },
          12_000,
        ),
      /^figures: pick .+: the prices of the log make its price above_market .+, not unseen, counted at null/,
    ],
    [
      'not closed, so that its closing line value would not count',
      false,
      () => ({ without: ({ kind, uuid }) => kind === 'closed' && uuid === uuids.bob }),
      /^figures: pick .+: it did not close, but the prices of the log give -102/,
    ],
    [
      'settled by a price that no earlier entry has',
      false,
      () => settled('ada', () => ({ prices_to: 99 })),
      /^figures: pick .+: no earlier entry has the price 99/,
    ],
    [
      'followed at better prices',
      false,
      () => ({
        followers: (all) => all?.map((each) => ({ ...each, oddsAmerican: 125 })) ?? null,
      }),
      /^figures: pick .+: the prices of the log give followers .+ after 5 minutes, .+, not 125/,
    ],
    [
      'followed by nobody',
      false,
      () => ({ followers: () => undefined }),
      /^figures: pick .+: the prices of the log give followers .+, not none at all$/,
    ],
    [
      'published with other prices than the signed ones',
      false,
      () => ({ shown: rowOf((row) => (row.price_seq === 1 ? { odds_american: 900 } : {})) }),
      /^prices: the published prices of entry \d+ have the root/,
    ],
    [
      'published without some prices',
      false,
      () => ({ shown: (rows) => (rows[0]!.price_seq > 8 ? undefined : rows) }),
      /^prices: the log publishes its prices, but not these$/,
    ],
    [
      'compared with the highest price in its receipt',
      true,
      () => check({ verdict: 'available', odds_american: 120, book: 'north', counted_american: 120 }, 12_000),
      /^figures: pick .+: the prices in its receipt make its price above_market by 110 of south.+, not available by 120/,
    ],
    [
      'closed at one of two prices in its receipt',
      true,
      () => closed('ada', () => ({ odds_american: 104, clv_bps: 784 })),
      /^figures: pick .+: the prices in its receipt give 101 at null of all books, .+, not 104 at null/,
    ],
    [
      'shown with a receipt of other prices',
      true,
      () => ({ receipt: rowOf((row) => ({ odds_american: row.odds_american + 1 })) }),
      /^figures: pick .+: its receipt does not verify: The path of price \d+ does not lead to entry \d+\.$/,
    ],
  ];
  for (const [what, isHidden, lie, finding] of lies)
    it(`names a pick that is ${what}${isHidden ? ', by sampled receipts' : ''}`, async () => {
      const name = isHidden ? 'hidden' : 'public';
      const found = await judged(await signAgain(honest(name), !isHidden, lie()));
      expect(
        found.filter((message) => finding.test(message)),
        found.join('\n'),
      ).to.have.length.at.least(1);
      expect(found.filter((message) => !/^(figures|prices): /.test(message))).to.deep.equal([]);
    });

  it('verifies receipts of joined games', async () => {
    for (const capper of ['eve', 'fay']) {
      const receipt = await honest('hidden').receipt(uuids[capper]!);
      const { failed } = await verifyReceipt(receipt, { keys: [logSigner.key] });
      expect(failed).to.equal(null);
    }
  });
});
