import { expect } from 'chai';
import { applyLines } from '../../src/intake/price.ts';
import { thinPrices } from '../../src/ledger/closing/thin-prices.ts';
import { iso } from '../../src/platform/clock.ts';
import { auditProjections, rebuildProjections } from '../../src/projections/rebuild.ts';
import { withDatabase } from '../support/database.ts';
import { followedEnd, followedFeed, followedPicks, followedStart } from '../support/followed-picks.ts';
import { runPipeline } from '../support/whole-way.ts';
import { plainProjections } from './plain.ts';

const minute = 60_000;
const week = 7 * 24 * 60 * minute;
const tables = ['follower_prices', 'follower_days', 'follower_totals'] as const;

describe("followers' prices", () => {
  const stores = withDatabase();
  before(() => followedPicks(stores.database));

  const rowsOf = async (table: string): Promise<object[]> =>
    (await stores.database.raw(`select to_jsonb(t) as row from ${table} t order by t::text`)).rows.map(
      ({ row }: { row: object }) => row,
    );
  const contents = async () =>
    Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await rowsOf(table)])));
  /** Expects that rebuilding repairs nothing and keeps the contents. */
  const expectNothingToRepair = async () => {
    const before = await contents();
    const found: string[] = [];
    for await (const { message } of auditProjections(stores.database)) found.push(message);
    expect(found).to.deep.equal([]);
    expect(
      Object.values(await rebuildProjections(stores.database)).filter((count) => count > 0),
    ).to.deep.equal([]);
    expect(await contents()).to.deep.equal(before);
  };

  it('are what could be had at each delay when a pick settles, among prices from before the start', async () => {
    const rows = await stores
      .database('follower_prices as f')
      .join('board_picks as b', 'b.pick_id', 'f.pick_id')
      .orderBy(['f.pick_id', 'f.delay'])
      .select('b.market', 'b.posted_at', 'f.*');
    const shown = rows.map(({ market, posted_at, delay, odds_american, book, captured_at, net_units_e4 }) => [
      ...[market, (posted_at - followedStart) / minute, delay],
      ...[odds_american, book, captured_at === null ? null : (captured_at - followedStart) / 1000],
      net_units_e4,
    ]);
    expect(shown).to.deep.equal([
      ['moneyline', -120, 5, -138, 'south', -6836, 10_870],
      ['moneyline', -120, 15, -138, 'south', -6116, 10_870],
      ['moneyline', -120, 60, -138, 'south', -3596, 10_870],
      ['total', -100, 5, -108, 'south', -5396, -7_500],
      ['total', -100, 15, -108, 'south', -5036, -7_500],
      ['total', -100, 60, -108, 'south', -2156, -7_500],
      ['moneyline', -30, 5, 115, 'north', -24 * 60, -15_000],
      ['moneyline', -30, 15, 115, 'north', -12 * 60, -15_000],
      // The game had started.
      ['moneyline', -30, 60, null, null, null, null],
    ]);
  });

  it('equal a plain computation, and so do their sums', async () => {
    const plain = await plainProjections(stores.database);
    for (const table of tables) {
      expect(plain[table].length, table).to.be.above(0);
      expect(await rowsOf(table), table).to.have.deep.members(plain[table]);
    }
    expect(await stores.database('follower_totals').sum('late as late').first()).to.deep.equal({ late: 8 });
  });

  it('ignore prices that arrive after settling', async () => {
    const before = await contents();
    const better = followedFeed
      .filter(({ market, side }) => market === 'moneyline' && side === 'home')
      .map((row) => ({ ...row, book: 'east', oddsAmerican: 300 }));
    const earlier = followedFeed
      .filter(({ market, book }) => market === 'total' && book === 'north')
      .map((row) => ({ ...row, capturedAt: iso(Date.parse(row.capturedAt) - minute) }));
    const outcomes = await applyLines(stores.database, [...better, ...earlier], {
      now: followedEnd + minute,
      imported: true,
    });
    expect([...new Set(outcomes.map(({ outcome }) => outcome))]).to.deep.equal(['added']);
    await runPipeline(stores.database, followedEnd + minute);
    expect(await contents()).to.deep.equal(before);
    await expectNothingToRepair();
  });

  it('are found again after repeated prices were removed', async () => {
    const { prices } = await thinPrices(stores.database, followedEnd + week);
    expect(prices).to.be.above(100);
    await expectNothingToRepair();
  });

  it('cannot be removed by hand', async () => {
    const refusals = [];
    for (const { book, captured_at } of await stores
      .database('follower_prices')
      .whereNotNull('odds_american')) {
      const condition = { book, captured_at: new Date(captured_at) };
      const refusal = await stores
        .owner('lines')
        .where(condition)
        .delete()
        .catch((error: unknown) => error);
      refusals.push((refusal as { code: string }).code);
    }
    expect([...new Set(refusals)]).to.deep.equal(['PP005']);
  });

  it('are rebuilt from the remaining prices', async () => {
    const before = await contents();
    for (const table of tables) await stores.owner(table).delete();
    await rebuildProjections(stores.database);
    expect(await contents()).to.deep.equal(before);
  });
});
