import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';

import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { pollEspn } from '../../src/sources/espn/poll.ts';
import { settleStatements } from '../../src/sources/source-scores.ts';
import { readWaiting } from '../../src/sources/waiting.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { postPick } from '../support/post-pick.ts';
import { pick } from '../support/posted-pick.ts';
import { quiet } from '../support/quiet.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { runPipeline } from '../support/whole-way.ts';
import { FakeEspn, type FakeGame, fakeCard, fakeGame, fakeGoal } from './espn/fake.ts';
import { withServer } from './http-server.ts';

const hour = 3_600_000;

describe('the endings of games over several days of a provider', () => {
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock('2026-01-10T12:00:00Z');
  let espn: FakeEspn;
  let league: string;
  let day = 10;

  beforeEach(async () => {
    // Games with picks stay, so each test has its own days.
    await stores.owner.raw(
      'delete from source_events; delete from source_runs; delete from source_requests; delete from source_days; delete from source_scores',
    );
    clock.set(at(12));
    espn = new FakeEspn();
    espn.now = () => clock.now();
    server.answer((req, res) => espn.answer(req, res));
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now: clock.now(),
      imported: false,
    });
  });
  afterEach(() => {
    day += 7;
  });

  /** Returns an instant in hours after midnight of the test's first day. */
  const at = (hours: number) => Date.parse('2026-01-01T00:00:00Z') + (24 * (day - 1) + hours) * hour;

  /** Runs all workers once, at an instant. */
  async function live(instant: number): Promise<void> {
    clock.set(instant);
    await pollEspn({
      database: stores.database,
      clock,
      enqueue: { add: async () => true },
      log: quiet,
      closing: new AbortController().signal,
      config: { leagues: [league], url: server.url },
    });
    await settleStatements(stores.database, clock.now());
    await gradeDue(stores.database, clock.now());
  }
  /** Calls {@link live} every half hour, or at another interval in hours. */
  async function liveThrough(from: number, to: number, every = 0.5): Promise<void> {
    for (let hours = from; hours <= to; hours += every) await live(at(hours));
  }

  /** Posts picks such as `total over 4.5` on a game that starts 20 hours after midnight. */
  async function post(sport: string, game: string, ...selections: readonly string[]): Promise<void> {
    for (const text of selections) {
      const [market = '', side = '', line] = text.split(' ');
      const named = { sport, game, startsAt: new Date(at(20)).toISOString(), market, side };
      const row = { ...pick, ...named, line: line === undefined ? null : Number(line) };
      expect(await postPick(stores.database, row, undefined, clock.now())).to.include({ outcome: 'added' });
    }
  }
  const results = async () =>
    Object.fromEntries(
      (
        await stores
          .database('picks as p')
          .join('games as g', 'g.id', 'p.game_id')
          .leftJoin('settlements as s', 's.pick_id', 'p.id')
          .where('g.starts_at', '>=', new Date(at(0)))
          .orderBy('p.id')
          .select('p.market', 'p.side', 'p.line_e3', 's.result')
      ).map(({ market, side, line_e3, result }) => [
        [market, side, ...(line_e3 === null ? [] : [line_e3 / 1000])].join(' '),
        result,
      ]),
    );
  const ended = async () =>
    (
      await stores
        .database('games')
        .where('starts_at', '>=', new Date(at(0)))
        .select('status', 'home_score', 'away_score', 'played', 'periods_e3', 'final_at')
    )[0];
  const waiting = async () =>
    (await readWaiting(stores.database, clock.now())).filter(({ startsAt }) => startsAt === at(20));

  const date = () => `${new Date(at(20)).toISOString().slice(0, 16)}Z`;
  const rays = (more: FakeGame = {}) =>
    fakeGame({ date: date(), away: 'Tampa Bay Rays', home: 'Boston Red Sox', scheduled: 9, ...more });
  const onRays = ['mlb', 'Tampa Bay Rays @ Boston Red Sox'] as const;
  const bets = [
    'moneyline home',
    'spread home -1.5',
    'total under 8.5',
    'total over 4.5',
    'team_total home_over 2.5',
  ] as const;
  const sixInnings = {
    score: ['2', '3'],
    period: 6,
    linescores: [
      [0, 0, 1, 1, 0, 0],
      [1, 0, 2, 0, 0, 0],
    ],
  } as const;
  const byRule = {
    'moneyline home': 'win',
    'spread home -1.5': 'void',
    'total under 8.5': 'void',
    'total over 4.5': 'win',
    'team_total home_over 2.5': 'win',
  };
  const pending = Object.fromEntries(bets.map((bet) => [bet, null]));

  it('void what a shortened game left undecided, and keep the rest', async () => {
    league = 'mlb';
    espn.events = [rays()];
    await live(clock.now());
    await post(...onRays, ...bets);
    espn.events = [rays({ ...sixInnings, status: 'STATUS_FINAL', detail: 'Final/6' })];
    await liveThrough(22, 23);
    expect(await results()).to.deep.equal(byRule);
    expect(await ended()).to.include({ status: 'final', played: 'shortened', periods_e3: 6000 });
  });

  it('count a suspended game as far as it was played, 48 hours after its start', async () => {
    league = 'mlb';
    espn.events = [rays()];
    await live(clock.now());
    await post(...onRays, ...bets);
    const suspended = rays({
      ...sixInnings,
      period: 7,
      status: 'STATUS_SUSPENDED',
      linescores: [[...sixInnings.linescores[0], 0], sixInnings.linescores[1]],
    });
    espn.events = [suspended];
    await liveThrough(22, 67.5, 2.5);
    await live(at(67.9));
    expect(await results()).to.deep.equal(pending);
    expect((await waiting())[0]?.reasons.join()).to.contain('espn says that it is suspended');
    await liveThrough(68, 68);
    expect(await results()).to.deep.equal(byRule);
    expect(await ended()).to.include({ played: 'shortened', periods_e3: 6000, final_at: at(68) });
    // Later innings change nothing.
    const resumed = `${new Date(at(70)).toISOString().slice(0, 16)}Z`;
    espn.events = [rays({ date: resumed, status: 'STATUS_FINAL', period: 9, score: ['9', '3'] })];
    await liveThrough(70, 71);
    expect(await results()).to.deep.equal(byRule);
    expect(await ended()).to.include({ away_score: 2, played: 'shortened' });
    expect((await stores.database('notices').orderBy('id', 'desc').first('text'))?.text).to.contain(
      'stands as 2-3; a later report says 9-3',
    );
  });

  it('grade a suspended game that is resumed in time by its final score', async () => {
    league = 'mlb';
    espn.events = [rays()];
    await live(clock.now());
    await post(...onRays, ...bets);
    espn.events = [rays({ ...sixInnings, status: 'STATUS_SUSPENDED' })];
    await liveThrough(22, 40, 3);
    // The game resumes the next day.
    const rest = `${new Date(at(42)).toISOString().slice(0, 16)}Z`;
    espn.events = [rays({ ...sixInnings, date: rest, status: 'STATUS_SUSPENDED' })];
    await liveThrough(40.5, 41);
    espn.events = [rays({ ...sixInnings, date: rest, status: 'STATUS_IN_PROGRESS' })];
    await liveThrough(42, 43);
    espn.events = [rays({ date: rest, status: 'STATUS_FINAL', period: 9, score: ['2', '6'] })];
    await liveThrough(44, 46);
    expect(await results()).to.deep.equal({
      'moneyline home': 'win',
      'spread home -1.5': 'win',
      'total under 8.5': 'win',
      'total over 4.5': 'win',
      'team_total home_over 2.5': 'win',
    });
    expect(await ended()).to.include({ played: 'full', periods_e3: 9000 });
  });

  it('ignore a suspension that its source does not confirm in the end', async () => {
    league = 'mlb';
    espn.events = [rays()];
    await live(clock.now());
    await post(...onRays, ...bets);
    espn.events = [rays({ ...sixInnings, status: 'STATUS_SUSPENDED' })];
    await liveThrough(22, 40, 3);
    espn.instead = () => ({ status: 500 });
    await liveThrough(41, 70, 2);
    expect(await results()).to.deep.equal(pending);
    espn.instead = () => undefined;
    espn.events = [rays({ status: 'STATUS_FINAL', period: 9, score: ['2', '6'] })];
    await liveThrough(71, 80);
    expect((await results())['spread home -1.5']).to.equal('win');
  });

  it('grade a cup tie after extra time by its 90 minutes, and wait if nobody knows them', async () => {
    league = 'soccer/eng.fa';
    const cup = (id: string, home: string, more: FakeGame = {}) =>
      fakeGame({ id, date: date(), home, away: 'Harbor Gulls', ...more });
    espn.events = [cup('1', 'Copper Foxes'), cup('2', 'Iron Otters')];
    await live(clock.now());
    await post('soccer', 'Harbor Gulls @ Copper Foxes', 'moneyline draw', 'moneyline home', 'total over 2.5');
    await post('soccer', 'Harbor Gulls @ Iron Otters', 'moneyline away');
    const after = { status: 'STATUS_FINAL_AET', detail: 'AET', period: 4, score: ['1', '3'] } as const;
    const goals = [
      fakeGoal('home', "12'"),
      fakeGoal('away', "90'+3'"),
      fakeGoal('home', "97'"),
      fakeGoal('home', "118'"),
    ];
    espn.events = [cup('1', 'Copper Foxes', { ...after, details: goals }), cup('2', 'Iron Otters', after)];
    await liveThrough(23, 24);
    expect(await results()).to.deep.equal({
      'moneyline draw': 'win',
      'moneyline home': 'loss',
      'total over 2.5': 'loss',
      'moneyline away': null,
    });
    const [game] = await waiting();
    expect([game?.name, game?.reasons.at(-1)]).to.deep.equal([
      'Harbor Gulls @ Iron Otters',
      'espn says that it is over, without a score to grade by (after extra time): post its result',
    ]);
  });

  it('void a bout without a winner, and wait for one with an unknown ending', async () => {
    league = 'ufc';
    const bouts = (more: object[] = [{}, {}]) => [
      fakeCard(
        [
          { id: '61', fighters: ['Ada Stone', 'Bea Reed'], ...more[0] },
          { id: '62', fighters: ['Cleo Hart', 'Dora Finch'], ...more[1] },
        ],
        date(),
      ),
    ];
    espn.events = bouts();
    await live(clock.now());
    await post('mma', 'Bea Reed @ Ada Stone', 'moneyline home', 'total over 2.5');
    await post('mma', 'Dora Finch @ Cleo Hart', 'moneyline away');
    const over = { status: 'STATUS_FINAL' };
    espn.events = bouts([{ ...over, detail: 'No Contest' }, over]);
    await liveThrough(23, 24);
    // A result event decides the line in rounds, and no other pick waits for it.
    expect(await results()).to.deep.equal({
      'moneyline home': 'void',
      'total over 2.5': null,
      'moneyline away': null,
    });
    expect(
      (await waiting()).map(({ name, reasons, selections }) => [name, reasons.at(-1), selections[0]?.needs]),
    ).to.deep.equal([
      ['Bea Reed @ Ada Stone', 'final 0-0', 'a result event'],
      [
        'Dora Finch @ Cleo Hart',
        'espn says that it is over, without a score to grade by (no winner): post its result',
        'a final score',
      ],
    ]);
  });

  it('leave a ledger that passes the audit', async () => {
    await runPipeline(stores.database, clock.now());
    await expectSoundLedger(stores.database);
  });
});
