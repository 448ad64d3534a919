import { expect } from 'chai';
import { BOARD_PATHS, expectedBody } from './boards.ts';
import * as capperBoards from './boards-capper.ts';
import * as feeds from './boards-feeds.ts';
import * as leaderboards from './boards-leaderboards.ts';
import * as picks from './boards-picks.ts';
import * as sharp from './boards-sharp.ts';
import { capper, fromStart, game, line, pick, START, stateAt } from './cases.ts';
import { exportCsv, exportJson } from './export-rows.ts';
import type { Query } from './query.ts';
import type { GameRow, PickRow, Rows } from './read.ts';
import { clvFigures, wilson } from './record.ts';

const LATER = fromStart(100);

/** Games on successive days that the home side wins (W), loses (L), or ties (P), or that are cancelled (V), and picks on them. */
function season(results: string, fields: Partial<PickRow> = {}): Partial<Rows> {
  const games: GameRow[] = [];
  const picks: PickRow[] = [];
  [...results].forEach((letter, index) => {
    const startsAt = fromStart(24 * index);
    const homeScore = { W: 20, L: 10, P: 17, V: null }[letter]!;
    const status = letter === 'V' ? 'cancelled' : 'final';
    games.push(game({ startsAt, status, homeScore, awayScore: letter === 'V' ? null : 17 }));
    picks.push(pick({ startsAt, postedAt: fromStart(24 * index - 2), ...fields }));
  });
  return { games, picks };
}

describe('naive records and streaks', () => {
  it('count a record with its rates', () => {
    const lines = [line({ oddsAmerican: -110 })];
    const state = stateAt(LATER, { lines, ...season('WWLPV', { oddsAmerican: 150, stakeUnits: 2 }) });
    expect(picks.recordWindows(state).windows.all).to.deep.equal({
      picks: 5,
      wins: 2,
      losses: 1,
      pushes: 1,
      voids: 1,
      record: '2-1-1',
      hitRatePct: 66.67,
      unitsNet: 4,
      unitsStaked: 6,
      roiPct: 66.67,
      breakEvenPct: 40,
      averageOddsAmerican: 150,
      flatUnits: 2,
      yieldPct: 66.67,
      // 1.96 times the square root of 3 * 1.5 + 1, divided by 3 picks.
      yieldLowPct: -86.55,
      yieldHighPct: 219.89,
      clvMeanBps: 3095,
      clvSample: 1,
      clvSameLineSample: 1,
      clvMovedSample: 0,
      edgeMeanPct: null,
      edgeSample: 0,
      importedPicks: 5,
      latePicks: 0,
      unchecked: 0,
      aboveMarket: 0,
      unseen: 0,
    });
    expect(picks.recordWindows(stateAt(START, season('W'))).windows.all).to.deep.include({
      picks: 0,
      record: '0-0-0',
      hitRatePct: null,
      roiPct: null,
      clvMeanBps: null,
    });
  });

  it('bound a window by the Eastern day of settling', () => {
    const at = (now: string) => picks.recordWindows(stateAt(now, { picks: [pick()] })).windows['7d']!.picks;
    // Settled on January 10 at 15:00 Eastern; the sixth day after that ends on January 17 at 05:00 UTC.
    expect([at('2021-01-17T04:59:59Z'), at('2021-01-17T05:00:00Z')]).to.deep.equal([1, 0]);
  });

  it('ignore pushes and voids in a streak', () => {
    const streak = (results: string) =>
      capperBoards.streak(stateAt(fromStart(400), season(results)), { handle: 'ANN' });
    expect(streak('LWWPVW')).to.deep.equal({
      handle: 'ann',
      kind: 'W',
      length: 3,
      since: fromStart(27),
      lastSettledAt: fromStart(24 * 5 + 3),
    });
    expect(streak('WWLL')).to.deep.include({ kind: 'L', length: 2 });
    expect(streak('PV')).to.deep.include({ kind: null, length: 0, since: null, lastSettledAt: null });
  });

  it('order a streak by settling, not by posting', () => {
    const rows = season('LWW');
    const first = { ...rows.picks![0]!, postedAt: fromStart(-1) };
    const last = { ...rows.picks![2]!, postedAt: fromStart(-50) };
    const state = stateAt(fromStart(400), { ...rows, picks: [first, rows.picks![1]!, last] });
    expect(capperBoards.streak(state, { handle: 'ann' })).to.deep.include({ kind: 'W', length: 2 });
  });

  it('keep a hot streak on the board for 30 days', () => {
    const streaks = (now: string, min?: number) =>
      sharp.streaks(stateAt(now, season('WWW')), { min }).streaks.length;
    expect([streaks(fromStart(100)), streaks(fromStart(100), 4)]).to.deep.equal([1, 0]);
    expect([streaks(fromStart(51 + 720)), streaks(fromStart(51 + 720.01))]).to.deep.equal([1, 0]);
  });

  it('rank by the shrunk yield, from 20 results on in a long window', () => {
    expect(wilson(8, 2)).to.be.closeTo(0.4901625, 1e-6);
    expect(wilson(0, 5)).to.be.closeTo(0, 1e-12);
    const [a, b, c] = [season('WWWWWWWWLL'), season('W'), season('P')];
    const named = (rows: Partial<Rows>, capperHandle: string) =>
      rows.picks!.map((row) => ({ ...row, capperHandle }));
    const games = [...a.games!, game({ startsAt: fromStart(480), homeScore: 17 })];
    const third = named(c, 'cy').map((row) => ({ ...row, startsAt: fromStart(480) }));
    const picks = [...named(b, 'bob'), ...third, ...named(a, 'ann')];
    const state = stateAt(fromStart(600), { games, picks });
    const ranks = leaderboards.leaderboard(state).cappers;
    expect(ranks.map((one) => [one.rank, one.handle])).to.deep.equal([
      [null, 'ann'],
      [null, 'bob'],
      [null, 'cy'],
    ]);
    const month = leaderboards.leaderboard(state, { window: '30d' }).cappers;
    expect(month.map((one) => [one.rank, one.handle])).to.deep.equal([
      [1, 'ann'],
      [2, 'bob'],
      [3, 'cy'],
    ]);
    expect(ranks.map((one) => one.wilsonPct)).to.deep.equal([49.02, 20.65, null]);
    expect(leaderboards.unitsLeaderboard(state).cappers).to.have.length(1);
    expect(leaderboards.unitsLeaderboard(state, { min_n: 1 }).cappers[0]).to.deep.include({ unitsNet: 6 });
    expect(leaderboards.clvLeaderboard(state, { min_n: 1 }).cappers).to.deep.equal([]);
  });

  it('show CLV figures and bins', () => {
    expect(clvFigures([1, 2, 3, 4])).to.deep.equal({
      sample: 4,
      beatSample: 4,
      evenSample: 0,
      meanBps: 2.5,
      medianBps: 2.5,
      p25Bps: 1.8,
      p75Bps: 3.3,
    });
    expect(clvFigures([0, -1])).to.deep.include({ beatSample: 0, evenSample: 1 });
    expect(clvFigures([])).to.deep.include({ sample: 0, meanBps: null, p75Bps: null });
    const bins = capperBoards.histogram([-1001, -1000, -1, 0, 99, 100, 999, 1000, 5000]);
    expect(bins).to.have.length(22);
    const filled = bins.filter((bin) => bin.count > 0).map((bin) => [bin.fromBps, bin.toBps, bin.count]);
    expect(filled).to.deep.equal([
      [null, -1000, 1],
      [-1000, -900, 1],
      [-100, 0, 1],
      [0, 100, 2],
      [100, 200, 1],
      [900, 1000, 1],
      [1000, null, 2],
    ]);
  });

  it('fill the days of a timeline and of a units curve, including the 25-hour day', () => {
    const on = (startsAt: string, postedAt: string) => ({
      games: game({ startsAt }),
      picks: pick({ startsAt, postedAt }),
    });
    // Posted on November 3, 2018, at 23:30 EDT; settled on November 4 at 23:30 EST.
    const late = on('2018-11-05T01:30:00Z', '2018-11-04T03:30:00Z');
    const open = on('2018-11-05T20:00:00Z', '2018-11-05T04:59:59Z');
    const state = stateAt('2018-11-05T05:00:00Z', {
      games: [late.games, open.games],
      picks: [late.picks, open.picks],
    });
    const none = { picks: 0, wins: 0, losses: 0, pushes: 0, voids: 0, pending: 0 };
    expect(capperBoards.capperTimeline(state, { handle: 'ann', days: 3 }).days).to.deep.equal([
      { ...none, day: '2018-11-03', picks: 1 },
      { ...none, day: '2018-11-04', picks: 1, wins: 1, pending: 1 },
      { ...none, day: '2018-11-05' },
    ]);
    expect(capperBoards.unitsCurve(state, { handle: 'ann', days: 3 }).days).to.deep.equal([
      { day: '2018-11-03', unitsNet: 0, cumulative: 0 },
      { day: '2018-11-04', unitsNet: 1, cumulative: 1 },
      { day: '2018-11-05', unitsNet: 0, cumulative: 1 },
    ]);
  });
});

describe('naive feeds and lists', () => {
  const night = '2021-01-11T04:59:00Z';
  const rows = {
    cappers: [capper('ann', 'elite'), capper('bob')],
    games: [game(), game({ game: 'Newts @ Toads', startsAt: night })],
    picks: [
      pick(),
      pick({ capperHandle: 'bob', side: 'away', postedAt: fromStart(-3) }),
      pick({ capperHandle: 'bob', market: 'total', side: 'over', line: 37, postedAt: fromStart(-40) }),
      pick({ capperHandle: 'bob', game: 'Newts @ Toads', startsAt: night }),
    ],
  };

  it('contain the slate of the Eastern day', () => {
    const state = stateAt(fromStart(-1), rows);
    const feed = feeds.feedToday(state);
    expect([feed.day, feed.count]).to.deep.equal(['2021-01-10', 4]);
    expect(feeds.feedToday(stateAt('2021-01-11T05:00:00Z', rows)).count).to.equal(0);
    expect(feeds.gamesToday(state).games).to.deep.equal([
      {
        gameId: 1,
        sport: 'nfl',
        game: 'Otters @ Herons',
        startsAt: new Date(START).toISOString(),
        day: null,
        pickCount: 3,
        capperCount: 2,
        marketCount: 2,
        tiers: { elite: 1, verified_sharp: 0, listed: 1 },
      },
      {
        gameId: 2,
        sport: 'nfl',
        game: 'Newts @ Toads',
        startsAt: new Date(night).toISOString(),
        day: null,
        pickCount: 1,
        capperCount: 1,
        marketCount: 1,
        tiers: { elite: 0, verified_sharp: 0, listed: 1 },
      },
    ]);
  });

  it('contain the games that start within the requested hours', () => {
    const upcoming = (now: string, hours?: number) => feeds.feedUpcoming(stateAt(now, rows), { hours }).count;
    expect([upcoming(fromStart(-1)), upcoming(START), upcoming(START, 12)]).to.deep.equal([3, 0, 1]);
    expect([upcoming(fromStart(-2), 2), upcoming(fromStart(-2), 1)]).to.deep.equal([3, 0]);
  });

  it('count the latest pick of each capper in a market', () => {
    const second = pick({ capperHandle: 'bob', side: 'home', postedAt: fromStart(-1) });
    const state = stateAt(LATER, { ...rows, picks: [...rows.picks, second] });
    expect(capperBoards.versus(state, { handle: 'ann', other: 'bob' }).shared).to.deep.equal({
      games: 1,
      agreed: 1,
      opposed: 0,
    });
  });

  it('compare two cappers', () => {
    const versus = capperBoards.versus(stateAt(LATER, rows), {
      handle: 'ann',
      other: 'bob',
    });
    expect(versus.shared).to.deep.equal({ games: 1, agreed: 0, opposed: 1 });
    expect(versus.left.lifetime.record).to.equal('1-0-0');
    expect(versus.right.lifetime.record).to.equal('1-1-1');
  });

  it('list related picks, picks of a game, and settlements', () => {
    const related = {
      ...rows,
      picks: [...rows.picks, pick({ capperHandle: 'cy', postedAt: fromStart(-8) })],
    };
    const state = stateAt(LATER, related);
    const mine = state.picks.find((one) => one.capperHandle === 'ann')!.uuid;
    const count = (hours?: number) => picks.related(state, { uuid: mine, hours }).count;
    expect([count(), count(5)]).to.deep.equal([1, 0]);
    const all = picks.byGame(state, { sport: 'nfl', game: 'Otters @ Herons', limit: 2 });
    expect([all.count, all.sides]).to.deep.equal([
      2,
      [
        { market: 'moneyline', subject: null, side: 'away', count: 1 },
        { market: 'moneyline', subject: null, side: 'home', count: 2 },
        { market: 'total', subject: null, side: 'over', count: 1 },
      ],
    ]);
    const settled = feeds.feedSettled(state, { limit: 2 }).picks;
    expect(settled.map((one) => one.game)).to.deep.equal(['Newts @ Toads', 'Otters @ Herons']);
  });

  it('show catalogs, rosters, and snapshots', () => {
    const state = stateAt(fromStart(-1), rows);
    expect(feeds.markets(state).markets).to.deep.equal([
      { sport: 'nfl', market: 'moneyline', picks: 3, lastPostedAt: fromStart(-2) },
      { sport: 'nfl', market: 'total', picks: 1, lastPostedAt: fromStart(-40) },
    ]);
    expect(feeds.markets(state, { days: 1 }).markets).to.have.length(1);
    expect(feeds.sports(state).sports).to.have.length(10);
    expect(leaderboards.cappers(state, { tier: 'elite' }).cappers).to.deep.equal([
      {
        verdict: {
          word: 'unproven',
          sentence: 'Too few results at prices known to be on offer to tell skill from luck.',
          missing: '50 more games with prices to compare.',
        },
        id: 1,
        handle: 'ann',
        tier: 'elite',
        verified: true,
        sports: ['nfl'],
        picks: 1,
        lastPostedAt: fromStart(-2),
      },
    ]);
    expect(feeds.snapshotOfSport(state, { sport: 'nfl' })).to.deep.equal({
      consensusGroups: 0,
      hotStreaks: 0,
      hasPickOfTheDay: true,
      lastPickAt: fromStart(-2),
      lastPickAgoSeconds: 3600,
      lastSettleAt: null,
      lastSettleAgoSeconds: null,
      eliteCappers24h: 1,
      picksToday: 4,
    });
  });

  it('export newest first, or oldest first from a given position', () => {
    const state = stateAt(fromStart(10), rows);
    const ids = (params: Query) => exportJson(state, params).map((row) => row.id);
    expect([ids({}), ids({ limit: 1 }), ids({ after_id: 2 })]).to.deep.equal([[4, 1, 2, 3], [4], [3, 4]]);
    expect([ids({ since: fromStart(-3) }), ids({ since: 'rubbish' })]).to.deep.equal([
      [1, 2, 4],
      [4, 1, 2, 3],
    ]);
    expect(exportCsv(state, { limit: 1 })[0]).to.deep.equal([
      ...['4', 'nfl', 'Newts @ Toads', 'moneyline', 'Herons', '100', '', '', '1', 'pending'],
      ...[fromStart(-2), '', 'http://localhost:3000/record/4'],
      ...[state.picks.find(({ id }) => id === 4)!.uuid, 'bob', 'listed', '', 'home', ''],
      ...[
        '2021-01-11T04:59:00.000Z',
        'acme',
        'imported',
        'false',
        '',
        '',
        '',
        '',
        'false',
        '',
        '',
        '',
        '',
        '2',
      ],
    ]);
  });

  it('list the newest picks, of one capper and of verified ones', () => {
    const cappers = [capper('ann'), { ...capper('bob'), verified: false }];
    const state = stateAt(LATER, { ...rows, cappers });
    const posted = (list: { picks: { capperHandle: string; market: string }[] }) =>
      list.picks.map(({ capperHandle, market }) => [capperHandle, market]);
    expect(posted(feeds.feedPicks(state))).to.deep.equal([['ann', 'moneyline']]);
    expect(feeds.feedPicks(state, { sport: 'nba' }).count).to.equal(0);
    expect(
      posted(capperBoards.capperPicks(state, { handle: 'BOB' })).map(([, market]) => market),
    ).to.deep.equal(['moneyline', 'moneyline', 'total']);
  });

  it('answer every endpoint for an empty ledger', () => {
    const state = stateAt(LATER, { cappers: [capper('ann'), capper('bob')] });
    for (const path of BOARD_PATHS.filter((one) => !/:uuid|:name/.test(one)))
      expect(
        expectedBody(path, state, { handle: 'ann', other: 'bob', sport: 'nba', tier: 'elite', game: 'x' }),
      ).to.be.an('object');
  });
});
