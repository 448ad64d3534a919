import { expect } from 'chai';
import { request } from 'undici';
import { expectedBody } from '../../naive/boards.ts';
import { differences } from '../../naive/differences.ts';
import { DELAYS } from '../../naive/follow.ts';
import { type LedgerState, ledgerAt } from '../../naive/ledger.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { followedEnd, followedPicks } from '../../support/followed-picks.ts';
import { withRedis } from '../../support/redis.ts';
import { storedRows } from '../../support/stored-rows.ts';

describe("the boards at followers' prices", () => {
  const stores = withDatabase();
  const redis = withRedis();
  const now = followedEnd + 60_000;
  let site: RunningApi;
  let state: LedgerState;

  before(async () => {
    await followedPicks(stores.database);
    const { rows, ids } = await storedRows(stores.database);
    state = ledgerAt(rows, { now, ids });
    site = await startApi({ database: stores, redis }, { clock: fixedClock(now) });
  });
  after(() => site?.close());

  const get = async (path: string) => (await request(site.address + path)).body;

  it("show a capper's record for those who follow later", async () => {
    const body = (await (await get('/api/cappers/FOLLOWED/follow')).json()) as {
      live: { picks: number };
      delays: { delay: number; coveragePct: number; picks: number; wins: number; losses: number }[];
    };
    expect(body.live.picks).to.equal(3);
    expect(
      body.delays.map(({ delay, coveragePct, picks, wins, losses }) => [
        delay,
        coveragePct,
        picks,
        wins,
        losses,
      ]),
    ).to.deep.equal([
      [5, 100, 3, 1, 2],
      [15, 100, 3, 1, 2],
      [60, 66.67, 2, 1, 1],
    ]);
    for (const window of ['7d', 'all'] as const)
      for (const market of [undefined, 'total', 'spread']) {
        const query = `window=${window}${market === undefined ? '' : `&market=${market}`}`;
        const answer = await (await get(`/api/cappers/followed/follow?${query}`)).json();
        const expected = expectedBody('/api/cappers/:handle/follow', state, {
          handle: 'followed',
          window,
          market,
        });
        expect(differences(expected, answer), query).to.deep.equal([]);
      }
  });

  it("rank cappers by followers' prices", async () => {
    for (const delay of [undefined, ...DELAYS.map(String)])
      for (const window of ['7d', '30d', 'all'])
        for (const tier of [undefined, 'elite', 'listed'])
          for (const provenance of ['all', 'imported']) {
            const params = { window, provenance, ...(delay && { delay }), ...(tier && { tier }) };
            const url = `/api/leaderboard?${new URLSearchParams(params)}`;
            const answer = await (await get(url)).json();
            expect(differences(expectedBody('/api/leaderboard', state, params), answer), url).to.deep.equal(
              [],
            );
          }
    const at = async (query: string) =>
      (
        (await (await get(`/api/leaderboard${query}`)).json()) as { cappers: { unitsNet: number }[] }
      ).cappers.map(({ unitsNet }) => unitsNet);
    expect([await at(''), await at('?delay=15')]).to.deep.equal([[-1.16], [-1.16]]);
    expect((await request(`${site.address}/api/leaderboard?delay=20`)).statusCode).to.equal(400);
  });

  it("add a line to the capper's page, with the number of picks covered", async () => {
    const page = (await (await get('/c/followed')).text()).replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
    expect(page).to.contain('Of 3 live picks, 3 could still be had after 15 minutes');
    expect(page).to.contain('; on those, followed made −1.2 units, a follower −1.2.');
    const narrowed = await (await get('/c/followed?market=spread')).text();
    expect(narrowed).not.to.contain('could still be had');
  });
});

describe("the boards at followers' prices, for a pick above the market", () => {
  const stores = withDatabase();
  const redis = withRedis();
  const now = followedEnd + 60_000;
  let site: RunningApi;
  let state: LedgerState;

  before(async () => {
    await followedPicks(stores.database, Number.POSITIVE_INFINITY, { dreamOdds: 400 });
    const { rows, ids } = await storedRows(stores.database);
    state = ledgerAt(rows, { now, ids });
    site = await startApi({ database: stores, redis }, { clock: fixedClock(now) });
  });
  after(() => site?.close());

  const get = async (path: string): Promise<unknown> => (await request(site.address + path)).body.json();

  it('follow the pick, which counts at the price that could be had', async () => {
    const prices = await stores
      .database('follower_prices as f')
      .join('board_picks as b', 'b.pick_id', 'f.pick_id')
      .join('cappers as c', 'c.id', 'b.capper_id')
      .where('c.handle', 'dreamer')
      .select('b.price_verdict', 'f.odds_american');
    expect(prices).to.deep.equal(Array(3).fill({ price_verdict: 'above_market', odds_american: -138 }));
    const body = (await get('/api/cappers/dreamer/follow')) as {
      live: { picks: number };
      delays: { picks: number; coveragePct: number | null }[];
    };
    expect(body.live.picks).to.equal(1);
    expect(body.delays.map(({ picks, coveragePct }) => [picks, coveragePct])).to.deep.equal(
      DELAYS.map(() => [1, 100]),
    );
    const expected = expectedBody('/api/cappers/:handle/follow', state, { handle: 'dreamer' });
    expect(differences(expected, body)).to.deep.equal([]);
  });

  it('rank its capper', async () => {
    for (const delay of DELAYS) {
      const params = { window: 'all', delay: String(delay) };
      const answer = await get(`/api/leaderboard?${new URLSearchParams(params)}`);
      expect(differences(expectedBody('/api/leaderboard', state, params), answer)).to.deep.equal([]);
      expect((answer as { cappers: { handle: string }[] }).cappers.map(({ handle }) => handle)).to.deep.equal(
        ['dreamer', 'followed'],
      );
    }
  });
});
