import { expect } from 'chai';
import { pickClosing } from '../../src/boards/picks/closing.ts';
import { gamePrices } from '../../src/boards/picks/game.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines, type LineRow } from '../../src/intake/price.ts';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import { thinPrices } from '../../src/ledger/closing/thin-prices.ts';
import { pricePoints } from '../../src/pages/charts/price-history.ts';
import { iso } from '../../src/platform/clock.ts';
import { gameLines, latestOffers } from '../../src/projections/offers.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { runPipeline } from '../support/whole-way.ts';

const minute = 60_000;
const hour = 60 * minute;
const week = 7 * 24 * hour;
const start = Date.parse('2024-10-06T17:00:00Z');
const ended = start + 3 * hour;
const game = { sport: 'nfl', game: 'Gulls @ Foxes', startsAt: iso(start) };

/** Two books polled every ten minutes, from ten hours before the start to an hour after it. Their prices move every four hours. */
const feed: LineRow[] = Array.from(
  { length: 67 },
  (_, place) => start - 10 * hour + place * 10 * minute,
).flatMap((at) =>
  ['north', 'south'].flatMap((book) => {
    const moved = Math.floor((at - start) / (4 * hour)) * 5 + (book === 'north' ? 0 : 2);
    const price = { ...game, market: 'moneyline', line: null, capturedAt: iso(at), book };
    return [
      { ...price, side: 'home', oddsAmerican: -140 - moved },
      { ...price, side: 'away', oddsAmerican: 120 + moved },
    ];
  }),
);

describe('the prices of a finished game', () => {
  const stores = withDatabase();
  let uuids: string[];

  before(async () => {
    const { database } = stores;
    const at = (now: number) => ({ now, imported: false });
    await database.transaction(async (transaction) => {
      await applyCappers(
        transaction,
        ['ada', 'bob', 'cyd'].map((handle) => ({ handle, tier: 'elite' as const, verified: true })),
        at(start - 11 * hour),
      );
      await applyGames(transaction, [{ ...game, status: 'scheduled' } as GameRow], at(start - 11 * hour));
    });
    const early = feed.filter(({ capturedAt }) => Date.parse(capturedAt) <= start - 2 * hour);
    await applyLines(database, early, at(start - 2 * hour));
    const pick = { ...game, market: 'moneyline', pick: 'Foxes', stakeUnits: 1 };
    for (const [capperHandle, book] of [['ada', 'north'], ['bob', 'south'], ['cyd']] as [string, string?][])
      await postPick(
        database,
        { ...pick, capperHandle, side: 'home', line: null, oddsAmerican: -130, ...(book && { book }) },
        undefined,
        start - hour,
      );
    const late = feed.slice(early.length);
    const inTime = late.filter(({ capturedAt }) => Date.parse(capturedAt) < start);
    await applyLines(database, inTime, at(start - 1));
    await applyLines(database, late, at(start + 2 * hour));
    await runPipeline(database, start + 2 * hour);
    const over = { ...game, status: 'final', homeScore: 20, awayScore: 10, finalAt: iso(ended) } as GameRow;
    await database.transaction((transaction) => applyGames(transaction, [over], at(ended)));
    await runPipeline(database, ended + hour);
    uuids = await database('picks').orderBy('id').pluck('uuid');
  });

  /** Returns everything that answers derive from prices. */
  async function answers() {
    const { database } = stores;
    const [id] = await database('games').pluck('id');
    const context = { database, now: ended + 2 * week, baseUrl: '', helpLine: '', sports: new Map() };
    const closings = [];
    for (const uuid of uuids) closings.push(await pickClosing.compute(context, { uuid }));
    const points = pricePoints(
      'moneyline',
      'home',
      await gamePrices(database, id, { market: 'moneyline', subject: null }),
    );
    const offers = latestOffers(await gameLines(database, [id], ['moneyline'], start), {
      market: 'moneyline',
      subject: null,
      side: 'home',
      lineE3: null,
    });
    return { closings, offers, moves: points.filter((_, index) => moves(points, index)) };
  }

  const moves = (points: { book: string; oddsAmerican: number }[], index: number) => {
    const before = points.slice(0, index).findLast(({ book }) => book === points[index]!.book);
    return before?.oddsAmerican !== points[index]!.oddsAmerican;
  };
  const count = async () => Number((await stores.database('lines').count())[0]!.count);

  it('stay complete for a week', async () => {
    expect(await thinPrices(stores.database, ended + week - 1)).to.deep.equal({ games: 0, prices: 0 });
    expect(await count()).to.equal(feed.length);
  });

  it('stay for the next run if the process is shutting down', async () => {
    const nothing = { games: 0, prices: 0 };
    expect(await thinPrices(stores.database, ended + week, AbortSignal.abort())).to.deep.equal(nothing);
    expect(await count()).to.equal(feed.length);
  });

  it('are removed if they repeat their neighbors, and no answer changes', async () => {
    const before = await answers();
    expect(before.closings.map(({ status }) => status)).to.deep.equal(['closed', 'closed', 'closed']);
    const { games, prices } = await thinPrices(stores.database, ended + week);
    expect(games).to.equal(1);
    expect(await count()).to.equal(feed.length - prices);
    // Two books, two sides, four prices, the first and last time of each; the start is the first time of the last. In addition, those
    // around the posting of the picks, and the two that their followers found 10 and 20 minutes after it.
    expect(feed.length - prices).to.equal(2 * 2 * (4 * 2 + 3));
    expect(await answers()).to.deep.equal(before);
    const found: string[] = [];
    for await (const { message } of auditPicks(stores.database, () => {})) found.push(message);
    expect(found).to.deep.equal([]);
    expect(await thinPrices(stores.database, ended + week)).to.deep.equal({ games: 0, prices: 0 });
  });

  it('change nothing when they are reported again', async () => {
    const left = await count();
    const now = { now: ended + week, imported: true };
    const outcomes = await applyLines(stores.database, feed, now);
    expect([...new Set(outcomes.map(({ outcome }) => outcome))]).to.deep.equal(['unchanged']);
    expect(await count()).to.equal(left);
    const late = feed.slice(0, 1).map((row) => ({ ...row, book: 'east' }));
    expect(await applyLines(stores.database, late, now)).to.deep.equal([{ outcome: 'added' }]);
    expect(await thinPrices(stores.database, ended + week)).to.deep.equal({ games: 1, prices: 0 });
  });

  describe('cannot be removed by hand:', () => {
    const refused = async (condition: string) => {
      try {
        await stores.owner.raw(`delete from lines where ${condition}`);
      } catch (error) {
        return (error as { code: string }).code;
      }
      return 'removed';
    };
    const cases: Record<string, string> = {
      'the last one before the start': `captured_at = '${iso(start)}' and book = 'north'`,
      'one that changes the price': `captured_at = (select min(captured_at) from lines where book = 'north' and odds_american <> (
         select odds_american from lines where book = 'north' and side = 'home' order by captured_at limit 1) and side = 'home')`,
      'the first one': `captured_at = (select min(captured_at) from lines) and book = 'south'`,
      'all of them': 'true',
    };
    for (const [what, condition] of Object.entries(cases))
      it(what, async () => expect(await refused(condition)).to.equal('PP005'));
    it('one side of a snapshot that repeats its neighbors', async () => {
      const middle = feed.filter(({ capturedAt }) => capturedAt === feed[8]!.capturedAt);
      const rows = middle.map(
        ({ side, oddsAmerican, capturedAt, book }) =>
          `((select id from games), 'moneyline', '${side}', ${oddsAmerican}, '${capturedAt}', false, '${book}')`,
      );
      await stores.owner.raw(
        `insert into lines (game_id, market, side, odds_american, captured_at, closing, book) values ${rows}`,
      );
      const at = `captured_at = '${feed[8]!.capturedAt}'`;
      expect(await refused(`${at} and side = 'home'`)).to.equal('PP005');
      expect(await refused(at)).to.equal('removed');
    });
  });
});
