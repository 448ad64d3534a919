import { expect } from 'chai';
import { pickEvents } from '../../src/boards/picks/events.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { applyResults } from '../../src/intake/result.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { pendingWork } from '../../src/ledger/sealing/pending-work.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { htmlText } from '../../src/pages/html.ts';
import { lifeOf } from '../../src/pages/parts/life.ts';
import { markets } from '../../src/rules/markets/index.ts';
import { ledgerAt } from '../naive/ledger.ts';
import type { GameRow as NaiveGame, PickRow, ResultRow, Rows } from '../naive/read.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { postPick } from '../support/post-pick.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const hour = 3_600_000;
const start = Date.parse('2024-10-06T17:00:00Z');
const live = (now: number) => ({ now, imported: false });

describe('picks on declared markets', () => {
  const stores = withDatabase();
  let number = 0;
  let game = { sport: 'nfl', game: '', startsAt: '2024-10-06T17:00:00Z' };

  beforeEach(async () => {
    number += 1;
    game = { ...game, sport: 'nfl', game: `Harbor Gulls ${number} @ Copper Foxes ${number}` };
    const ada = { handle: 'ada', tier: 'elite', verified: true } as const;
    await applyCappers(stores.database, [ada], live(start - 9 * hour));
    await world({ status: 'scheduled' }, start - 9 * hour);
  });

  function world(row: Partial<GameRow>, now: number) {
    return stores.database.transaction((transaction) =>
      applyGames(transaction, [{ ...game, status: 'final', ...row } as GameRow], live(now)),
    );
  }
  const post = (market: string, side: string, line: number | null, fields = {}) => {
    const bet = { market, side, line, pick: `${market} ${side}`, oddsAmerican: 100, stakeUnits: 1 };
    const row = { capperHandle: 'ada', ...game, ...bet, ...fields };
    return postPick(stores.database, row, undefined, start - hour);
  };
  const settlements = async () =>
    stores
      .database('picks as p')
      .join('games as g', 'g.id', 'p.game_id')
      .leftJoin('settlements as s', 's.pick_id', 'p.id')
      .where('g.name', game.game)
      .orderBy('p.id')
      .select('p.id', 'p.pick', 's.result', 's.away_score', 's.home_score', 's.grader', 's.settled_at');
  const results = async () => (await settlements()).map(({ result }) => result);

  it("are graded by the team's points in the final score for team totals", async () => {
    await post('team_total', 'home_over', 23.5);
    await post('team_total', 'away_over', 23.5);
    await world({ homeScore: 24, awayScore: 20 }, start + 3 * hour);
    await gradeDue(stores.database, start + 3 * hour);
    expect(await settlements()).to.have.length(2);
    for (const row of await settlements())
      expect(row).to.include({ away_score: 20, home_score: 24, grader: 'score' });
    expect(await results()).to.deep.equal(['win', 'loss']);
  });

  it('settle half of a quarter line with half the units, and are sealed that way', async () => {
    await post('total', 'over', 44.25, { oddsAmerican: -110 });
    await post('spread', 'home', -3.75);
    await post('spread', 'away', 4.25);
    await world({ homeScore: 24, awayScore: 20 }, start + 3 * hour);
    await gradeDue(stores.database, start + 3 * hour);
    const rows = await stores
      .database('settlements as s')
      .join('picks as p', 'p.id', 's.pick_id')
      .orderBy('p.id')
      .limit(3)
      .select('s.result', 's.half', 's.net_units_e4')
      .whereIn(
        'p.id',
        (await settlements()).map(({ id }) => id),
      );
    expect(rows.map(({ result, half, net_units_e4 }) => [result, half, net_units_e4])).to.deep.equal([
      ['loss', true, -5_000],
      ['win', true, 5_000],
      ['win', true, 5_000],
    ]);
    await runPipeline(stores.database, start + 5 * hour);
    await expectSoundLedger(stores.database);
  });

  it('settle half of the stake by a result event', async () => {
    await post('corners', 'over', 9.75, { subject: 'Copper Foxes' });
    const result = { ...game, market: 'corners', subject: 'Copper Foxes', side: 'over', line: 9.75 };
    const apply = (row: object) =>
      applyResults(stores.database, [{ ...result, ...row } as ResultRow], live(start + 3 * hour));
    expect((await apply({ result: 'push', half: true })).outcomes[0]).to.include({ outcome: 'refused' });
    expect((await apply({ result: 'win', half: true })).outcomes).to.deep.equal([{ outcome: 'added' }]);
    expect((await apply({ result: 'win' })).corrections[0]).to.match(
      /stands as half a win; a later report says win/,
    );
    await gradeDue(stores.database, start + 3 * hour);
    await runPipeline(stores.database, start + 5 * hour);
    await expectSoundLedger(stores.database);
  });

  it('are graded by sets for games of a tennis match, or by result events without sets', async () => {
    game = { ...game, sport: 'tennis' };
    await world({ status: 'scheduled' }, start - 9 * hour);
    await post('moneyline', 'home', null);
    await post('total', 'under', 21.5);
    const under = { ...game, market: 'total', side: 'under', line: 21.5, result: 'loss' } as ResultRow;
    await world({ homeScore: 2, awayScore: 1 }, start + 3 * hour);
    await gradeDue(stores.database, start + 3 * hour);
    expect(await results()).to.deep.equal(['win', null]);
    const sets = [
      [6, 4],
      [3, 6],
      [7, 6],
    ];
    await world({ homeScore: 2, awayScore: 1, sets }, start + 4 * hour);
    await gradeDue(stores.database, start + 4 * hour);
    expect(await results()).to.deep.equal(['win', 'loss']);
    const { outcomes } = await applyResults(stores.database, [under], live(start + 4 * hour));
    expect(outcomes[0]).to.deep.include({
      reason: 'the market total is graded from the score, so give its game the final score instead',
    });
    await runPipeline(stores.database, start + 5 * hour);
    await expectSoundLedger(stores.database);
  });

  it('are graded by a result event if the score cannot grade the line', async () => {
    game = { ...game, sport: 'mma' };
    await world({ status: 'scheduled' }, start - 9 * hour);
    await post('moneyline', 'home', null);
    await post('total', 'under', 2.5);
    await world({ homeScore: 1, awayScore: 0 }, start + 3 * hour);
    await gradeDue(stores.database, start + 3 * hour);
    expect(await results()).to.deep.equal(['win', null]);
    const over = { ...game, market: 'total', side: 'under', line: 2.5, result: 'loss' } as ResultRow;
    const { outcomes } = await applyResults(stores.database, [over], live(start + 4 * hour));
    expect(outcomes).to.deep.equal([{ outcome: 'added' }]);
    await gradeDue(stores.database, start + 4 * hour);
    expect(await results()).to.deep.equal(['win', 'loss']);
    await runPipeline(stores.database, start + 5 * hour);
    await expectSoundLedger(stores.database);
  });

  it('are void if a shortened game left them undecided, and the settlement says so', async () => {
    game = { ...game, sport: 'mlb' };
    await world({ status: 'scheduled' }, start - 9 * hour);
    await post('moneyline', 'home', null);
    await post('total', 'over', 4.5);
    await post('total', 'under', 8.5);
    await world({ homeScore: 3, awayScore: 2, played: 'shortened', periods: 6 }, start + 3 * hour);
    await gradeDue(stores.database, start + 3 * hour);
    expect(await results()).to.deep.equal(['win', 'win', 'void']);
    const played = await stores.database('settlements').orderBy('pick_id', 'desc').limit(3).pluck('played');
    expect(played).to.deep.equal(['shortened', 'shortened', 'shortened']);
    await runPipeline(stores.database, start + 5 * hour);
    await expectSoundLedger(stores.database);
  });

  it("are graded by the first half's own score, which the settlement and the sealed body hold", async () => {
    await post('first_half_total', 'over', 30.5);
    await post('first_half_spread', 'away', 3.5);
    await post('total', 'over', 30.5);
    await world({ homeScore: 24, awayScore: 20, homeHalfScore: 10, awayHalfScore: 7 }, start + 3 * hour);
    await gradeDue(stores.database, start + 3 * hour);
    const half = { away_score: 7, home_score: 10, grader: 'first_half_score', settled_at: start + 3 * hour };
    const rows = await settlements();
    expect(rows[0]).to.include({ result: 'loss', ...half });
    expect(rows[1]).to.include({ result: 'win', ...half });
    expect(rows[2]).to.include({ result: 'win', away_score: 20, home_score: 24, grader: 'score' });
    await sealAll(stores.database);
    await expectSoundLedger(stores.database);
    const context = {
      database: stores.database,
      now: start,
      baseUrl: 'https://picks.example',
      helpLine: '1-800-GAMBLER',
      sports: new Map(),
    };
    const outcomes = await Promise.all(
      rows.map(({ id }) =>
        pickEvents(context, id).then((events) => lifeOf(events, { ...game, market: 'first_half_spread' })),
      ),
    );
    expect(htmlText(outcomes[0]!)).to.match(
      /First-half score: <bdi>Harbor Gulls[^<]*<\/bdi> 7, <bdi>Copper Foxes[^<]*<\/bdi> 10/,
    );
    expect(htmlText(outcomes[2]!)).to.match(
      /Final score: <bdi>Harbor Gulls[^<]*<\/bdi> 20, <bdi>Copper Foxes[^<]*<\/bdi> 24/,
    );
  });

  it('have the draw as a side of the first half in three-way sports', async () => {
    game = { ...game, sport: 'soccer' };
    await world({ status: 'scheduled' }, start - 9 * hour);
    for (const side of ['home', 'draw', 'away']) await post('first_half_moneyline', side, null);
    await world({ homeScore: 2, awayScore: 1, homeHalfScore: 1, awayHalfScore: 1 }, start + 2 * hour);
    await gradeDue(stores.database, start + 2 * hour);
    expect(await results()).to.deep.equal(['loss', 'win', 'loss']);
  });

  it('wait for a score or a result event if the first half has no score', async () => {
    await post('first_half_total', 'over', 20.5);
    await post('first_half_moneyline', 'home', null);
    await world({ homeScore: 24, awayScore: 20 }, start + 3 * hour);
    await gradeDue(stores.database, start + 3 * hour);
    expect(await results()).to.deep.equal([null, null]);
    expect((await pendingWork(stores.database)).ungraded, 'nothing is left for grading to do').to.equal(0);

    const event = { ...game, market: 'first_half_moneyline', side: 'home', result: 'loss' as const };
    await applyResults(stores.database, [event], live(start + 4 * hour));
    await gradeDue(stores.database, start + 4 * hour);
    expect((await settlements())[1]).to.include({ result: 'loss', grader: 'result', home_score: null });

    const late = { homeScore: 24, awayScore: 20, homeHalfScore: 14, awayHalfScore: 7 };
    expect((await world(late, start + 5 * hour)).outcomes).to.deep.equal([{ outcome: 'updated' }]);
    expect((await pendingWork(stores.database)).ungraded).to.equal(1);
    await gradeDue(stores.database, start + 5 * hour);
    expect(await results(), 'what has settled stays').to.deep.equal(['win', 'loss']);
    const [refused] = (await applyResults(stores.database, [event], live(start + 6 * hour))).outcomes;
    expect(refused).to.deep.include({ outcome: 'refused' });
  });

  it('keep the first score of a half, and a later one becomes a notice', async () => {
    const known = { homeScore: 24, awayScore: 20, homeHalfScore: 14, awayHalfScore: 7 };
    await world(known, start + 3 * hour);
    expect(await world(known, start + 3 * hour)).to.deep.include({ corrections: [] });
    expect(await world({ homeScore: 24, awayScore: 20 }, start + 3 * hour)).to.deep.include({
      corrections: [],
    });
    const { corrections } = await world({ ...known, homeHalfScore: 13 }, start + 4 * hour);
    expect(corrections).to.have.length(1);
    expect(corrections[0]).to.match(/stands as 20-24 \(first half 7-14\); .* says 20-24 \(first half 7-13\)/);
    const [row] = await stores.database('games').where('name', game.game);
    expect([row.home_half_score, row.away_half_score]).to.deep.equal([14, 7]);
    const change = stores.database('games').where('name', game.game).update('home_half_score', 13);
    expect(await change.then(String, String)).to.match(/the score of a first half never changes/);
  });

  it('are not graded by an impossible half score, which is refused', async () => {
    const outcomeOf = async (row: Partial<GameRow>) => {
      const [outcome] = (await world({ homeScore: 24, awayScore: 20, ...row }, start + 3 * hour)).outcomes;
      return outcome?.outcome === 'refused' ? outcome.reason : outcome?.outcome;
    };
    expect(await outcomeOf({ homeHalfScore: 7 })).to.equal(
      'homeHalfScore and awayHalfScore must be given together',
    );
    expect(await outcomeOf({ homeHalfScore: 7, awayHalfScore: 21 })).to.equal(
      'a first-half score exceeds the final score',
    );
  });

  it('are graded only by result events if their market is undeclared, even if it looks like a total', async () => {
    const about = { subject: 'First quarter' };
    await post('first_quarter_total', 'over', 8.5, about);
    const scores = { homeScore: 24, awayScore: 20, homeHalfScore: 14, awayHalfScore: 7 };
    await world(scores, start + 3 * hour);
    await gradeDue(stores.database, start + 3 * hour);
    expect(await results()).to.deep.equal([null]);
    expect((await pendingWork(stores.database)).ungraded).to.equal(0);
    const event = { ...game, ...about, side: 'over', line: 8.5, result: 'win' as const };
    await applyResults(
      stores.database,
      [{ ...event, market: 'first_quarter_total' }],
      live(start + 4 * hour),
    );
    await gradeDue(stores.database, start + 4 * hour);
    expect(await results()).to.deep.equal(['win']);
  });

  it('are refused with a side or line that the declaration lacks', async () => {
    const refusals: [market: string, side: string, line: number | null, reason: string][] = [
      [
        'team_total',
        'over',
        20.5,
        'a team_total in nfl has the sides home_over, home_under, away_over, away_under, not over',
      ],
      ['team_total', 'home_over', null, 'a team_total needs a line'],
      [
        'first_half_moneyline',
        'draw',
        null,
        'a first_half_moneyline in nfl has the sides home, away, not draw',
      ],
      ['first_half_moneyline', 'home', 3, 'a first_half_moneyline has no line'],
      ['first_half_spread', 'home', null, 'a first_half_spread needs a line'],
      ['first_half_total', 'home', 20.5, 'a first_half_total in nfl has the sides over, under, not home'],
    ];
    for (const [market, side, line, reason] of refusals)
      expect(await post(market, side, line)).to.deep.equal({ outcome: 'refused', reason });
  });

  it('require a subject if the market needs one, and refuse it otherwise', async () => {
    const subject = 'Ada Lovelace';
    expect(await post('moneyline', 'home', null, { subject })).to.deep.equal({
      outcome: 'refused',
      reason: 'a moneyline has no subject',
    });
    expect(await post('player_points', 'over', 20.5)).to.deep.equal({
      outcome: 'refused',
      reason: 'player_points needs a subject: the player that it is about',
    });
    expect(await post('player_points', 'over', 20.5, { subject })).to.include({ outcome: 'added' });
    const row = { ...game, market: 'player_points', side: 'over', line: 20.5 };
    const price = { ...row, oddsAmerican: -110, capturedAt: game.startsAt, book: 'north' };
    expect(await applyLines(stores.database, [price], live(start))).to.deep.equal([
      {
        outcome: 'refused',
        reason: 'player_points needs a subject: the player that it is about',
      },
    ]);
    const moneyline = { ...price, market: 'moneyline', side: 'home', line: null, subject };
    expect(await applyLines(stores.database, [moneyline], live(start))).to.deep.equal([
      { outcome: 'refused', reason: 'a moneyline has no subject' },
    ]);
    const { outcomes } = await applyResults(stores.database, [{ ...row, result: 'win' }], live(start));
    expect(outcomes[0])
      .to.have.property('reason')
      .that.matches(/^player_points needs a subject/);
  });
});

describe('picks on every declared market, from files', () => {
  const stores = withDatabase();
  const folder = withFolder();

  it('settle as a naive computation of the same files does', async () => {
    const now = Date.parse('2025-01-01T00:00:00Z');
    const games: NaiveGame[] = [];
    const picks: PickRow[] = [];
    const results: ResultRow[] = [];
    for (const [index, sport] of ['nfl', 'soccer', 'nba', 'soccer', 'nfl', 'nba'].entries()) {
      const name = { sport, game: `Gulls ${index} @ Foxes ${index}`, startsAt: '2024-10-06T17:00:00Z' };
      const half = index % 3 === 2 ? {} : { homeHalfScore: index, awayHalfScore: (index * 2) % 5 };
      games.push({
        ...name,
        status: 'final',
        homeScore: index + 4,
        awayScore: ((index * 3) % 7) + 4,
        ...half,
      });
      for (const market of markets)
        for (const side of market.contests(sport === 'soccer' ? 3 : 2).flat())
          for (const line of market.line === null ? [null] : [-1.5, 4, 5.5, 8]) {
            const bet = { market: market.name, side, line };
            const pick = `${market.name} ${side} ${line} ${index}`;
            const facts = { pick, oddsAmerican: 120, stakeUnits: 1, postedAt: '2024-10-06T12:00:00Z' };
            picks.push({ capperHandle: 'ada', ...name, ...bet, ...facts });
            if (market.gradedBy === 'firstHalf' && index === 2)
              results.push({ ...name, ...bet, result: 'void' });
          }
    }
    const rows: Rows = {
      cappers: [{ handle: 'ada', tier: 'elite', verified: true }],
      games,
      lines: [],
      picks,
      results,
      stats: [],
    };
    const { refusals } = await ingest(
      stores.database,
      Object.entries(rows).map(([kind, list]) => folder.write(`${kind}.ndjson`, list)),
      now,
    );
    expect(refusals).to.deep.equal([]);
    await runPipeline(stores.database, now);
    const settled: { pick: string; result: string | null }[] = await stores
      .database('board_picks')
      .select('pick', 'result');
    const expected = new Map(ledgerAt(rows, { now }).picks.map(({ pick, result }) => [pick, result]));
    expect(new Map(settled.map(({ pick, result }) => [pick, result]))).to.deep.equal(expected);
    const counts = Object.groupBy([...expected.values()], String);
    expect(Object.keys(counts)).to.have.members(['win', 'loss', 'push', 'void', 'null']);
  });
});
