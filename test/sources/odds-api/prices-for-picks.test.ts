import { expect } from 'chai';
import { applyCappers } from '../../../src/intake/capper.ts';

import { gradeDue } from '../../../src/ledger/grading/grade.ts';
import { whenAsked } from '../../../src/sources/odds-api/credits.ts';
import { pollOddsApi } from '../../../src/sources/odds-api/poll.ts';
import { expectedOf } from '../../../src/sources/odds-api/requests.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { postPick } from '../../support/post-pick.ts';
import { quiet } from '../../support/quiet.ts';
import { addTeams } from '../../support/teams.ts';
import { withServer } from '../http-server.ts';
import { FakeOddsApi, fakeBook, fakeEvent } from './fake.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const iso = (at: number) => new Date(at).toISOString();

/** A request as a test reads it: the path after `/v4/`, and its parameters. */
interface Asked {
  path: string;
  markets: string | null;
  date: string | null;
}

describe("The Odds API's prices for picks", () => {
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock(0);
  let provider: FakeOddsApi;
  // Every test has its own day, since posted picks stay.
  let today = Date.parse('2025-12-30T12:00:00Z');
  let start: number;

  beforeEach(async () => {
    await stores.owner.raw('delete from odds_api_calls; delete from source_events; delete from source_runs');
    await addTeams(stores.database, 'nfl', 'Harbor Gulls', 'Copper Foxes', 'Tin Cats', 'Iron Owls');
    today += 3 * day;
    start = today + 6 * hour;
    clock.set(today);
    provider = new FakeOddsApi();
    // Recent use leaves nothing for earlier prices.
    await stores.database('odds_api_calls').insert({
      at: iso(today - 2 * day),
      sport_key: 'americanfootball_nfl',
      markets: ['h2h'],
      purpose: 'closing',
      credits: 200,
    });
    server.answer((req, res) => provider.answer(req, res));
    server.asked.splice(0);
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now: today,
      imported: false,
    });
  });

  const poll = (key = provider.key) =>
    pollOddsApi({
      config: {
        key,
        url: server.url,
        sports: ['americanfootball_nfl'],
        regions: ['us'],
        bookmakers: [],
      },
      database: stores.database,
      clock,
      enqueue: { add: async () => true },
      log: quiet,
      closing: new AbortController().signal,
    });

  /** Polls until an instant, inclusive: each minute of the last ten, and each half hour before that. */
  async function pollUntil(until: number): Promise<void> {
    for (let now = clock.now(); now < until; now += now < until - 40 * minute ? 30 * minute : minute) {
      if (now < until - 10 * minute && now >= until - 40 * minute) continue;
      clock.set(now);
      await poll();
    }
    clock.set(until);
    await poll();
  }

  /** Returns the requests that cost credits since the last call. */
  const priced = (): Asked[] =>
    server.asked.splice(0).flatMap((url) => {
      const { pathname, searchParams } = new URL(url, server.url);
      const path = pathname.replace('/v4/', '').replace('sports/americanfootball_nfl/', '');
      const of = (name: string) => searchParams.get(name);
      return /odds$/.test(path) ? [{ path, markets: of('markets'), date: of('date') }] : [];
    });

  function event(over: Parameters<typeof fakeEvent>[0] = {}) {
    return fakeEvent({ id: `event-${today}`, commence_time: iso(start), ...over });
  }

  interface Bet {
    market: string;
    subject?: string;
    side: string;
    line?: number;
    book?: string;
    startsAt?: number;
  }

  async function pick(of: Bet) {
    const { startsAt = start, ...rest } = of;
    const row = {
      capperHandle: 'ada',
      sport: 'nfl',
      game: 'Harbor Gulls @ Copper Foxes',
      startsAt: iso(startsAt),
      pick: 'a pick',
      oddsAmerican: -110,
      stakeUnits: 1,
      ...rest,
    };
    const posted = await postPick(stores.database, row, undefined, clock.now());
    expect(posted, JSON.stringify(posted)).to.include({ outcome: 'added' });
  }

  async function closing() {
    await gradeDue(stores.database, clock.now());
    return stores
      .database('picks as p')
      .leftJoin('closings as c', 'c.pick_id', 'p.id')
      .orderBy('p.id', 'desc')
      .first('c.odds_american', 'c.line_e3', 'c.captured_at');
  }

  it('are requested four minutes before the start, only for the markets of the picks', async () => {
    provider.events = [event()];
    await poll();
    await pick({ market: 'moneyline', side: 'home' });
    await pick({ market: 'total', side: 'over', line: 44.5 });
    await pollUntil(start - 5 * minute);
    expect(priced()).to.deep.equal([]);
    provider.events = [event({ bookmakers: [fakeBook(iso(start - 5 * minute))] })];
    await pollUntil(start);
    expect(priced()).to.deep.equal([{ path: 'odds', markets: 'h2h,totals', date: null }]);
    expect(await closing()).to.include({ odds_american: -105, line_e3: 44_500 });
  });

  it('are not requested without picks when credits are few', async () => {
    provider.events = [event()];
    await pollUntil(start);
    expect(priced()).to.deep.equal([]);
  });

  it('share a request for consecutive starts when credits are few', async () => {
    const later = start + hour;
    provider.events = [
      event(),
      event({
        id: `later-${today}`,
        commence_time: iso(later),
        home_team: 'Iron Owls',
        away_team: 'Tin Cats',
      }),
    ];
    await poll();
    await pick({ market: 'moneyline', side: 'home' });
    await postPick(
      stores.database,
      {
        capperHandle: 'ada',
        sport: 'nfl',
        game: 'Tin Cats @ Iron Owls',
        startsAt: iso(later),
        market: 'moneyline',
        side: 'home',
        pick: 'Owls',
        oddsAmerican: -110,
        stakeUnits: 1,
      },
      undefined,
      clock.now(),
    );
    await pollUntil(start);
    await pollUntil(later);
    expect(priced()).to.have.length(1);
  });

  it('are requested again when the first request fails', async () => {
    provider.events = [event({ bookmakers: [fakeBook(iso(start - 5 * minute))] })];
    await poll();
    await pick({ market: 'moneyline', side: 'home' });
    let failures = 0;
    provider.instead = (path) => (path.endsWith('/odds') && failures++ < 1 ? { status: 502 } : undefined);
    await pollUntil(start);
    expect(priced()).to.have.length(2);
    expect(await closing()).to.include({ odds_american: -150 });
  });

  it('come from the single event for team totals and first halves', async () => {
    provider.events = [event()];
    provider.single[`event-${today}`] = [
      {
        key: 'draftkings',
        title: 'A book',
        markets: [
          {
            key: 'team_totals',
            last_update: iso(start - 5 * minute),
            outcomes: ['Over', 'Under'].map((name) => ({
              name,
              description: 'Copper Foxes',
              price: -112,
              point: 24.5,
            })),
          },
        ],
      },
    ];
    await poll();
    await pick({ market: 'team_total', side: 'home_over', line: 24.5 });
    await pollUntil(start);
    expect(priced()).to.deep.equal([
      { path: `events/event-${today}/odds`, markets: 'team_totals', date: null },
    ]);
    expect(await closing()).to.include({ odds_american: -112, line_e3: 24_500 });
  });

  const players = (key: string, markets: Record<string, object[]>) => ({
    key,
    title: 'A book',
    markets: Object.entries(markets).map(([market, outcomes]) => ({
      key: market,
      last_update: iso(start - 5 * minute),
      outcomes,
    })),
  });
  const rushing = (description: string, name: string, price: number, point = 60.5) => ({
    name,
    description,
    price,
    point,
  });

  it('come from the single event for players, and close picks on only that player', async () => {
    provider.events = [event({ bookmakers: [fakeBook(iso(start - 5 * minute))] })];
    provider.single[`event-${today}`] = [
      players('draftkings', {
        player_rush_yds: [
          rushing('Bea Ray Jr.', 'Over', -125),
          rushing('Bea Ray Jr.', 'Under', 105),
          rushing('Ada Cole', 'Over', -140),
          rushing('Ada Cole', 'Under', 120),
        ],
        player_anytime_td: [{ name: 'Yes', description: 'Ada Cole', price: 150 }],
      }),
      // The player and the side are swapped, and it is a pick'em app: neither is a price.
      players('fanduel', {
        player_rush_yds: [{ name: 'Bea Ray', description: 'Over', price: -300, point: 60.5 }],
      }),
      players('prizepicks', { player_rush_yds: [rushing('Bea Ray', 'Over', -200)] }),
    ];
    await poll();
    await pick({ market: 'player_rush_yds', subject: 'Bea Ray', side: 'over', line: 60.5 });
    await pick({ market: 'player_rush_yds', subject: 'Cy Fox', side: 'over', line: 60.5 });
    await pick({ market: 'player_anytime_td', subject: 'Ada Cole', side: 'yes' });
    await pollUntil(start);
    expect(priced()[0]).to.deep.equal({
      path: `events/event-${today}/odds`,
      markets: 'player_anytime_td,player_rush_yds',
      date: null,
    });
    await gradeDue(stores.database, start);
    const closings = await stores
      .database('picks as p')
      .leftJoin('closings as c', 'c.pick_id', 'p.id')
      .orderBy('p.id', 'desc')
      .limit(3)
      .select('p.subject', 'c.odds_american', 'c.prices');
    expect(closings).to.deep.equal([
      {
        subject: 'Ada Cole',
        odds_american: 150,
        prices: [{ side: 'yes', odds_american: 150 }],
      },
      { subject: 'Cy Fox', odds_american: null, prices: null },
      {
        subject: 'Bea Ray',
        odds_american: -125,
        prices: [
          { side: 'over', odds_american: -125 },
          { side: 'under', odds_american: 105 },
        ],
      },
    ]);
    expect((await stores.database('lines').distinct('book').pluck('book')).sort()).to.deep.equal([
      'draftkings',
    ]);
    const run = await stores.database('source_runs').where('source', 'like', '%/event-odds').first();
    expect(run.left_out).to.include({ 'market with an unknown outcome': 1, "pick'em app": 1 });
  });

  it('are requested for players only while credits remain', async () => {
    provider.events = [event({ bookmakers: [fakeBook(iso(start - 5 * minute))] })];
    // One credit above the reserve may be spent on this day.
    const daysLeft = (Date.UTC(2026, new Date(today).getUTCMonth() + 1, 1) - today) / day;
    provider.remaining = 20 + Math.floor(0.75 * daysLeft);
    await poll();
    await pick({ market: 'player_rush_yds', subject: 'Bea Ray', side: 'over', line: 60.5 });
    await pick({ market: 'player_receptions', subject: 'Bea Ray', side: 'over', line: 3.5 });
    await pick({ market: 'player_rush_yds', subject: 'Ada Cole', side: 'under', line: 40.5 });
    await pollUntil(start);
    expect(priced()).to.deep.equal([
      { path: `events/event-${today}/odds`, markets: 'player_rush_yds', date: null },
    ]);
  });

  it("include alternate lines if the main answer lacks the pick's own", async () => {
    const at = iso(start - 5 * minute);
    provider.events = [event({ bookmakers: [fakeBook(at)] })];
    const book = fakeBook(at) as { markets: { key: string; outcomes: object[] }[] };
    const main = book.markets.filter(({ key }) => key === 'spreads');
    const alternates = {
      key: 'alternate_spreads',
      last_update: iso(start - 4.5 * minute),
      outcomes: [-2.5, -3.5].flatMap((point) => [
        { name: 'Copper Foxes', price: point === -2.5 ? -135 : -118, point },
        { name: 'Harbor Gulls', price: 115, point: -point },
      ]),
    };
    provider.single[`event-${today}`] = [{ ...book, markets: [...main, alternates] }];
    await poll();
    await pick({ market: 'spread', side: 'home', line: -3.5, book: 'draftkings' });
    await pick({ market: 'spread', side: 'home', line: -2.5, book: 'draftkings' });
    await pollUntil(start);
    expect(priced()).to.deep.equal([
      { path: 'odds', markets: 'spreads', date: null },
      { path: `events/event-${today}/odds`, markets: 'alternate_spreads,spreads', date: null },
    ]);
    expect(await closing()).to.include({ odds_american: -135, line_e3: -2_500 });
    const closings = await stores
      .database('closings')
      .orderBy('pick_id', 'desc')
      .limit(2)
      .pluck('odds_american');
    expect(closings, 'at a line that the market itself has, its price counts').to.deep.equal([-135, -110]);
  });

  it('are not requested twice for an event that the provider does not know', async () => {
    provider.events = [event()];
    await poll();
    await pick({ market: 'first_half_total', side: 'over', line: 20.5 });
    provider.events = [];
    await pollUntil(start);
    expect(priced()).to.have.length(1);
    const run = await stores.database('source_runs').where('source', 'like', '%/event-odds').first();
    expect(run.message).to.equal('The Odds API: 404 EVENT_NOT_FOUND: unknown event, or the event is over.');
  });

  it('come from the history, as of the start, if they were missed', async () => {
    await stores.owner('odds_api_calls').delete();
    provider.events = [event()];
    await poll();
    await pick({ market: 'moneyline', side: 'home' });
    // The service is down from before the last call until 20 minutes after the start.
    clock.set(start + 20 * minute);
    provider.past = {
      timestamp: iso(start - 2 * minute),
      data: [
        event({ bookmakers: [fakeBook(iso(start - 3 * minute), { home: -170, away: 150 })] }),
        event({ id: 'another', home_team: 'Iron Owls' }),
      ],
    };
    server.asked.splice(0);
    await poll();
    expect(priced()).to.deep.include({
      path: 'historical/odds',
      markets: 'h2h',
      date: iso(start - 1000).replace('.000', ''),
    });
    expect(await closing()).to.include({ odds_american: -170, captured_at: start - 3 * minute });
    clock.set(start + 30 * minute);
    await poll();
    expect(priced().filter(({ date }) => date !== null)).to.deep.equal([]);
  });

  it('stay missed under a key without access to the history, which is reported once', async () => {
    await stores.owner('odds_api_calls').delete();
    provider.events = [event()];
    await poll();
    await pick({ market: 'moneyline', side: 'home' });
    clock.set(start + 20 * minute);
    server.asked.splice(0);
    await poll();
    expect(priced().filter(({ date }) => date !== null)).to.have.length(1);
    expect(await stores.database('source_runs').where('source', 'odds-api/history').first()).to.include({
      ok: true,
      message:
        "The Odds API: 401 HISTORICAL_UNAVAILABLE_ON_FREE_USAGE_PLAN: past prices are not in the key's plan. Missed closings are not repaired.",
    });
    expect(await stores.database('source_runs').where('source', 'odds-api').first()).to.include({ ok: true });
    clock.set(start + 90 * minute);
    await poll();
    expect(priced().filter(({ date }) => date !== null)).to.deep.equal([]);
    provider.key = 'another';
    await poll();
    expect(priced().filter(({ date }) => date !== null)).to.have.length(1);
  });

  it('use the credits of scores that a free source provides', async () => {
    provider.events = [event()];
    await poll();
    await pick({ market: 'moneyline', side: 'home' });
    await stores.owner.raw(
      `insert into source_events (source, event_id, game_id, starts_at, seen_at)
       select 'espn/nfl', 'e', game_id, starts_at, seen_at from source_events`,
    );
    const over = async (free: string[], now: number) =>
      (await expectedOf(stores.database, new Set(free), now)).get('odds-api/americanfootball_nfl')?.overSince;
    expect(await over([], start + 4 * hour)).to.be.a('number');
    expect(await over(['espn/nfl'], start + 4 * hour)).to.equal(null);
    expect(await over(['espn/nfl'], start + 10 * hour)).to.be.a('number');
  });

  it('are requested soon after posting, with spare credits, for players and lines outside the main answer', async () => {
    await stores.owner('odds_api_calls').delete();
    provider.events = [event({ bookmakers: [fakeBook(iso(today))] })];
    provider.remaining = 20_000;
    await poll();
    priced();
    clock.set(today + hour);
    await pick({ market: 'player_rush_yds', subject: 'Bea Ray', side: 'over', line: 60.5 });
    await pick({ market: 'spread', side: 'home', line: 30.5 });
    await pick({ market: 'moneyline', side: 'home' });
    const single = { path: `events/event-${today}/odds`, date: null };
    clock.set(today + hour + minute);
    await poll();
    expect(priced().filter(({ path }) => path === single.path)).to.deep.equal([
      { ...single, markets: 'player_rush_yds' },
      { ...single, markets: 'spreads,alternate_spreads' },
    ]);
    clock.set(today + hour + 20 * minute);
    await poll();
    expect(priced().filter(({ path }) => path === single.path)).to.deep.equal([]);
  });

  it('are requested at once for a new pick without a price, although the credits do not suffice for the sport', async () => {
    await stores.owner('odds_api_calls').delete();
    provider.events = [event({ bookmakers: [fakeBook(iso(today + hour))] })];
    const daysLeft = (Date.UTC(2026, new Date(today).getUTCMonth() + 1, 1) - today) / day;
    provider.remaining = 20 + Math.floor(2.9 * daysLeft);
    await poll();
    clock.set(today + hour);
    await poll();
    expect(priced()).to.deep.equal([]);
    const [{ id: gameId }] = await stores
      .database('games')
      .where({ starts_at: iso(start) })
      .select('id');
    const bet = { gameId, sport: 'nfl', market: 'moneyline', startsAt: start };
    const ask = (more: object = {}) => whenAsked(stores.database, [{ ...bet, ...more }], clock.now());
    expect(await ask()).to.deep.equal([clock.now()]);
    expect(await ask({ startsAt: start + 2 * day }), 'a day before the start').to.deep.equal([start + day]);
    expect(await ask({ market: 'question' }), 'a market that it lacks').to.deep.equal([null]);
    expect(await ask({ gameId: gameId + 1000 }), 'a game that it lacks').to.deep.equal([null]);
    await pick({ market: 'moneyline', side: 'home' });
    clock.set(today + hour + 15_000);
    await poll();
    expect(priced()).to.deep.equal([{ path: 'odds', markets: 'h2h', date: null }]);
    await pick({ market: 'moneyline', side: 'away' });
    clock.set(today + hour + 20 * minute);
    await poll();
    expect(priced(), 'the second one had a price').to.deep.equal([]);
    await stores.owner('source_runs').where({ source: 'odds-api' }).update({ quota_remaining: 20 });
    expect(await ask(), 'no credits before the start').to.deep.equal([null]);
  });
});
