import { expect } from 'chai';
import type { PriceReport } from '../../../src/sources/answer.ts';
import {
  readEvents,
  readOdds,
  readPastOdds,
  readScores,
  readSports,
} from '../../../src/sources/odds-api/answers.ts';
import { sportOf, wantedKeys } from '../../../src/sources/odds-api/sports.ts';
import { fakeBook, fakeEvent } from './fake.ts';

const at = '2026-01-11T15:00:00Z';
const now = Date.parse(at);

/** The fake book, with one of its markets changed. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of an answer are what is being bent
function bent(key: string, change: (market: any) => unknown): unknown[] {
  const book = structuredClone(fakeBook(at)) as { markets: { key: string }[] };
  for (const market of book.markets) if (market.key === key) change(market);
  return [book];
}

describe('answers of The Odds API', () => {
  it('map sport keys to sports, of which only those in season are polled', () => {
    expect(
      ['americanfootball_ncaaf', 'mma_mixed_martial_arts', 'soccer_epl', 'tennis_atp_us_open'].map(sportOf),
    ).to.deep.equal(['ncaaf', 'mma', 'soccer', 'tennis']);
    expect(
      ['americanfootball_nfl_preseason', 'basketball_nba_preseason', 'baseball_mlb_preseason'].map(sportOf),
    ).to.deep.equal(['nfl', 'nba', 'mlb']);
    expect(sportOf('cricket_test_match')).to.equal(undefined);
    expect(sportOf('constructor')).to.equal(undefined);
    const season = [
      'basketball_nba',
      'tennis_atp_us_open',
      'tennis_wta_us_open',
      'soccer_epl',
      'politics_us',
    ];
    expect(
      wantedKeys(['americanfootball_nfl', 'basketball_nba', 'tennis_*', 'politics_us'], season),
    ).to.deep.equal(['basketball_nba', 'tennis_atp_us_open', 'tennis_wta_us_open']);
    const sports = [{ key: 'a', active: true }, { key: 'b', active: false }, { key: 7 }];
    expect(readSports(sports))
      .to.include({ unreadable: 1 })
      .and.deep.include({ items: ['a'] });
  });

  it("yield moneylines, spreads, and totals on the ledger's sides", () => {
    const { items } = readOdds([fakeEvent({ bookmakers: [fakeBook(at)] })], 2, now);
    const common = { capturedAt: now, book: 'draftkings' };
    expect(items).to.deep.equal([
      {
        eventId: 'bda33adca828c09dc3cac3a856aef176',
        away: 'Harbor Gulls',
        home: 'Copper Foxes',
        startsAt: Date.parse('2026-01-11T18:00:00Z'),
        prices: [
          { market: 'moneyline', side: 'home', line: null, oddsAmerican: -150, ...common },
          { market: 'moneyline', side: 'away', line: null, oddsAmerican: 130, ...common },
          { market: 'spread', side: 'home', line: -3.5, oddsAmerican: -110, ...common },
          { market: 'spread', side: 'away', line: 3.5, oddsAmerican: -110, ...common },
          { market: 'total', side: 'over', line: 44.5, oddsAmerican: -105, ...common },
          { market: 'total', side: 'under', line: 44.5, oddsAmerican: -115, ...common },
        ],
      },
    ]);
  });

  it('are counted by reason for what they omit, and refused if none of their prices is readable', () => {
    const whole = fakeBook(at) as { markets: object[] };
    const decimal = bent('totals', ({ outcomes }) => {
      outcomes[0].price = 1.95;
    });
    const unknown = {
      ...whole,
      markets: [...whole.markets, { key: 'player_first_basket', outcomes: [] }, 'x'],
    };
    const [south] = bent('spreads', ({ outcomes }) => outcomes.pop()) as object[];
    const halved = [{ ...south, key: 'south' }];
    const bookmakers = [...decimal, unknown, ...halved, { title: 'a book without a key' }];
    const { leftOut } = readOdds([fakeEvent({ bookmakers })], 2, now);
    expect(leftOut).to.deep.equal({
      'contest without a price of each side': 1,
      'price that is not in American odds': 1,
      'unknown market': 1,
      'unreadable bookmaker': 1,
      'unreadable market': 1,
    });
    expect(() => readOdds([fakeEvent({ bookmakers: [{ title: 'a book' }] })], 2, now)).to.throw(
      'no price in the answer is readable: unreadable bookmaker',
    );
    expect(readOdds([fakeEvent({ bookmakers: [] })], 2, now).items).to.have.length(1);
  });

  it('yield player prices, including one-sided ones, and none with name and description swapped', () => {
    const over = { name: 'Over', description: 'Ada Cole', point: 20.5, price: -110 };
    const book = (key: string, ...outcomes: object[]) => ({
      key,
      markets: [{ key: 'player_points', last_update: '2026-01-11T15:00:00Z', outcomes }],
    });
    const yes = {
      key: 'north',
      markets: [
        {
          key: 'player_anytime_td',
          last_update: '2026-01-11T15:00:00Z',
          outcomes: [{ name: 'Yes', description: 'Bea Ray', price: 150 }],
        },
      ],
    };
    const bookmakers = [
      book(
        'south',
        over,
        { ...over, name: 'Under', price: -115 },
        { ...over, description: 'Bea Ray', point: 9.5 },
      ),
      book('west', { ...over, name: 'Ada Cole', description: 'Over' }),
      book('east', { name: 'Over', point: 20.5, price: -110 }),
      book('prizepicks', over),
      yes,
    ];
    const { items, leftOut } = readOdds([fakeEvent({ bookmakers })], 2, now);
    expect(
      items[0]!.prices!.map(({ book: by, market, subject, side, line, oddsAmerican }) =>
        [by, market, subject, side, line, oddsAmerican].join(' '),
      ),
    ).to.deep.equal([
      'south player_points Ada Cole over 20.5 -110',
      'south player_points Ada Cole under 20.5 -115',
      'south player_points Bea Ray over 9.5 -110',
      'north player_anytime_td Bea Ray yes  150',
    ]);
    expect(leftOut).to.deep.equal({ 'market with an unknown outcome': 2, "pick'em app": 1 });
  });

  it('yield no player where a book lists a team, several players, or that nobody scores', () => {
    const outcome = (description: string, name = 'Over') => ({ name, description, price: 150, point: 20.5 });
    const players = (key: string, ...outcomes: object[]) =>
      readOdds(
        [
          fakeEvent({
            bookmakers: [fakeBook(at), { key: 'b', last_update: at, markets: [{ key, outcomes }] }],
          }),
        ],
        2,
        now,
      );
    const { items, leftOut } = players(
      'player_pass_yds',
      ...['Copper Foxes', 'Foxes', 'Rory Finch + Ada Cole', 'Ada Cole'].map((name) => outcome(name)),
    );
    const named = items[0]!.prices!.flatMap(({ subject }) => subject ?? []);
    expect([named, leftOut]).to.deep.equal([['Ada Cole'], { 'price about no player': 3 }]);
    expect(
      players(
        'player_anytime_td',
        ...['Foxes D/ST', 'No Touchdown Scorer', 'Gulls Defense'].map((name) => outcome(name, 'Yes')),
      ).leftOut,
    ).to.deep.equal({ 'price about no player': 3 });
    expect(players('player_pass_yds', outcome('Under'), outcome('Ada Cole')).leftOut).to.deep.equal({
      'market with an unknown outcome': 1,
    });
  });

  it('yield no price of a bookmaker that is listed twice and contradicts itself', () => {
    const read = (...bookmakers: unknown[]) => readOdds([fakeEvent({ bookmakers })], 2, now);
    const moneylines = ({ items }: ReturnType<typeof read>) =>
      items[0]!.prices!.flatMap(({ market, oddsAmerican }) => (market === 'moneyline' ? oddsAmerican : []));
    expect(moneylines(read(fakeBook(at), fakeBook(at)))).to.deep.equal([-150, 130]);
    const twice = read(fakeBook(at), fakeBook(at, { home: -200, away: 170 }));
    expect(moneylines(twice)).to.deep.equal([]);
    expect(twice.leftOut).to.deep.equal({ 'contest without a price of each side': 1 });
  });

  it('yield no total of a game where the outcomes name a team', () => {
    const totals = bent('totals', (market) => {
      for (const outcome of market.outcomes) outcome.description = 'Copper Foxes';
    });
    const { items, leftOut } = readOdds([fakeEvent({ bookmakers: totals })], 2, now);
    expect(items[0]!.prices!.map(({ market }) => market)).to.not.include('total');
    expect(leftOut).to.deep.equal({ 'market with an unknown outcome': 1 });
  });

  it("yield one snapshot of a market and its alternates, in which the market's own line wins", () => {
    const markets = [
      {
        key: 'alternate_totals',
        last_update: '2026-01-11T15:00:00Z',
        outcomes: [43.5, 44.5].flatMap((point) => [
          { name: 'Over', price: -130, point },
          { name: 'Under', price: 110, point },
        ]),
      },
      {
        key: 'totals',
        last_update: '2026-01-11T14:58:00Z',
        outcomes: [
          { name: 'Over', price: -105, point: 44.5 },
          { name: 'Under', price: -115, point: 44.5 },
        ],
      },
    ];
    const event = fakeEvent({ bookmakers: [{ ...(fakeBook(at) as object), markets }] });
    const [{ prices }] = readOdds([event], 2, now).items as unknown as [{ prices: PriceReport[] }];
    expect(new Set(prices.map(({ capturedAt }) => capturedAt))).to.deep.equal(new Set([now]));
    expect(prices.map(({ side, line, oddsAmerican }) => [side, line, oddsAmerican])).to.deep.equal([
      ['over', 44.5, -105],
      ['under', 44.5, -115],
      ['over', 43.5, -130],
      ['under', 43.5, 110],
    ]);
  });

  it('yield past prices with the instant of their snapshot', () => {
    const past = { timestamp: '2026-01-11T14:55:00Z', data: [fakeEvent({ bookmakers: [fakeBook(at)] })] };
    const { asOf, items } = readPastOdds(past, 2);
    expect([asOf, items[0]!.prices!.length]).to.deep.equal([Date.parse(past.timestamp), 6]);
    expect(() => readPastOdds([], 2)).to.throw('the answer is not from the history');
  });

  it('yield team totals and first-half markets, one contest at a time', () => {
    const team = (name: string, description: string, point: number) => ({
      name,
      description,
      point,
      price: -110,
    });
    const book = {
      ...(fakeBook(at) as object),
      markets: [
        {
          key: 'team_totals',
          outcomes: [
            team('Over', 'Copper Foxes', 24.5),
            team('Under', 'Copper Foxes', 24.5),
            team('Over', 'Harbor Gulls', 20.5),
            team('Under', 'Harbor Gulls', 21.5),
          ],
        },
        {
          key: 'spreads_h1',
          outcomes: [
            { name: 'Copper Foxes', price: 100, point: -1.5 },
            { name: 'Harbor Gulls', price: -120, point: 1.5 },
          ],
        },
        { key: 'totals_q1', outcomes: [{ name: 'Over', price: 100, point: 9.5 }] },
      ],
    };
    const { items } = readOdds([fakeEvent({ bookmakers: [book] })], 2, now);
    expect(items[0]?.prices?.map(({ market, side, line }) => [market, side, line])).to.deep.equal([
      ['team_total', 'home_over', 24.5],
      ['team_total', 'home_under', 24.5],
      ['first_half_spread', 'home', -1.5],
      ['first_half_spread', 'away', 1.5],
    ]);
  });

  it("fall back to the bookmaker's instant if the market has none", () => {
    const book = bent('h2h', (market) => {
      market.last_update = undefined;
    });
    const { items } = readOdds([fakeEvent({ bookmakers: book })], 2, now);
    expect(items[0]?.prices?.filter(({ market }) => market === 'moneyline')).to.have.length(2);
  });

  it('yield draws where the sport has them, and no moneyline with too many or too few sides', () => {
    const draw = bent('h2h', ({ outcomes }) => outcomes.push({ name: 'Draw', price: 250 }));
    const moneyline = (bookmakers: unknown[], ways: 2 | 3) =>
      readOdds([fakeEvent({ bookmakers })], ways, now).items[0]?.prices?.filter(
        ({ market }) => market === 'moneyline',
      ).length;
    expect([moneyline(draw, 3), moneyline(draw, 2), moneyline([fakeBook(at)], 3)]).to.deep.equal([3, 0, 0]);
  });

  it('skip an impossible market, and keep the rest of the book', () => {
    const faults: [
      string,
      (market: { outcomes: Record<string, unknown>[]; last_update: unknown }) => unknown,
    ][] = [
      ['h2h', ({ outcomes }) => Object.assign(outcomes[0]!, { price: 50 })],
      ['h2h', ({ outcomes }) => Object.assign(outcomes[0]!, { price: 'even' })],
      ['h2h', ({ outcomes }) => Object.assign(outcomes[0]!, { name: 'Someone else' })],
      ['h2h', (market) => Object.assign(market, { last_update: 'yesterday' })],
      ['h2h', (market) => Object.assign(market, { outcomes: {} })],
      ['spreads', ({ outcomes }) => Object.assign(outcomes[0]!, { point: 3.5 })],
      ['spreads', ({ outcomes }) => Object.assign(outcomes[0]!, { point: undefined })],
      ['totals', ({ outcomes }) => Object.assign(outcomes[0]!, { point: 44.1 })],
      ['totals', ({ outcomes }) => outcomes.pop()],
    ];
    for (const [key, fault] of faults) {
      const { items, unreadable } = readOdds([fakeEvent({ bookmakers: bent(key, fault) })], 2, now);
      expect([items[0]?.prices?.length, unreadable], String(fault)).to.deep.equal([4, 0]);
    }
  });

  it('yield no prices of games more than a week away', () => {
    const far = fakeEvent({ commence_time: '2026-01-19T18:00:00Z', bookmakers: [fakeBook(at)] });
    expect(readOdds([far], 2, now).items[0]?.prices).to.deep.equal([]);
  });

  it('lose only unreadable events, count them, and report what was wrong with one', () => {
    const bad = [
      null,
      7,
      { ...fakeEvent(), commence_time: 'soon' },
      { ...fakeEvent(), home_team: 'x'.repeat(200) },
    ];
    const read = readEvents([...bad, fakeEvent({ id: 'good' })]);
    expect(read.items.map(({ eventId }) => eventId)).to.deep.equal(['good']);
    expect(read.unreadable).to.equal(4);
    expect(read.example).to.be.a('string');
  });

  it('skip outrights, which name no teams', () => {
    const outright = fakeEvent({ home_team: null, away_team: null });
    expect(readEvents([outright])).to.deep.equal({
      items: [],
      unreadable: 0,
      example: null,
      leftOut: { outright: 1 },
    });
  });

  it('are refused if nothing in them is readable', () => {
    for (const body of [undefined, null, {}, { message: 'x' }, 'text', [{}], [1, 2]])
      expect(() => readEvents(body), JSON.stringify(body)).to.throw(/not a list|nothing in the answer/);
    expect(readEvents([]).items).to.deep.equal([]);
  });

  it('yield final scores only of completed events', () => {
    const scores = [
      { name: 'Copper Foxes', score: '24' },
      { name: 'Harbor Gulls', score: '17' },
    ];
    const read = (event: Parameters<typeof fakeEvent>[0]) =>
      readScores([fakeEvent(event)], 'americanfootball_nfl').items[0]?.score;
    expect(read({ completed: true, scores })).to.deep.equal({ home: 24, away: 17 });
    expect(read({ completed: false, scores })).to.equal(undefined);
    expect(read({ completed: true, scores: null })).to.equal(undefined);
    expect(read({ completed: true, scores: [scores[0]!] })).to.equal(undefined);
    expect(
      read({ completed: true, scores: [scores[0]!, { name: 'Harbor Gulls', score: '17 (ET)' }] }),
    ).to.equal(undefined);
    expect(read({ completed: true, scores: [scores[0]!, scores[0]!, scores[1]!] })).to.equal(undefined);
  });

  it('yield no score of a soccer match that may have had extra time, and say so', () => {
    const scores = [
      { name: 'Copper Foxes', score: '2' },
      { name: 'Harbor Gulls', score: '1' },
    ];
    const read = (key: string, month = '01') => {
      const event = fakeEvent({ completed: true, scores, commence_time: `2026-${month}-11T18:00:00Z` });
      return readScores([event], key);
    };
    const score = { home: 2, away: 1 };
    for (const key of ['soccer_epl', 'soccer_usa_mls', 'basketball_nba'])
      expect(read(key).items[0]).to.deep.include({ score });
    expect(read('soccer_usa_mls', '11').items[0]).to.deep.include({ note: 'may include extra time' });
    for (const key of [
      'soccer_fa_cup',
      'soccer_uefa_champs_league',
      'soccer_fifa_world_cup',
      'soccer_new_cup',
    ]) {
      const { items, leftOut } = read(key);
      expect(items[0]).to.deep.include({ state: 'final', note: 'may include extra time' });
      expect(items[0]).to.not.have.property('score');
      expect(leftOut).to.deep.equal({ 'final score: may include extra time': 1 });
    }
  });
});
