import { expect } from 'chai';
import { etDay } from '../../../src/rules/et-day.ts';
import { readScoreboard } from '../../../src/sources/espn/answers.ts';
import { leaguesOf } from '../../../src/sources/espn/leagues.ts';
import { Unreadable } from '../../../src/sources/http.ts';
import { type FakeGame, fakeCard, fakeGame, fakeGoal } from './fake.ts';

const league = (name: string) => leaguesOf([name])[0]!;
const read = (name: string, ...events: unknown[]) => readScoreboard({ leagues: [], events }, league(name));
const only = (name: string, game: FakeGame) => read(name, fakeGame(game)).events[0]!;

describe("ESPN's scoreboard", () => {
  it('is read as games with their starts', () => {
    expect(read('nba', fakeGame()).events).to.deep.equal([
      {
        eventId: '401700001',
        away: 'Harbor Gulls',
        home: 'Copper Foxes',
        startsAt: Date.parse('2026-01-11T18:00:00Z'),
        day: null,
        state: 'scheduled',
      },
    ]);
  });

  for (const [status, state] of [
    ['STATUS_SCHEDULED', 'scheduled'],
    ['STATUS_DELAYED', 'delayed'],
    ['STATUS_RAIN_DELAY', 'delayed'],
    ['STATUS_IN_PROGRESS', 'in_progress'],
    ['STATUS_SUSPENDED', 'suspended'],
    ['STATUS_POSTPONED', 'postponed'],
    ['STATUS_CANCELED', 'cancelled'],
    ['STATUS_ABANDONED', 'cancelled'],
    ['STATUS_WALKOVER', 'cancelled'],
    ['STATUS_FORFEIT', 'final'],
  ] as const)
    it(`is ${state} for ${status}, without a score, whatever the game stood at`, () => {
      const report = only('mlb', { status, score: ['3', '2'] });
      expect(report).to.include({ state });
      expect(report.score).to.equal(undefined);
    });

  it('has the half-time score in sports with quarters and halves if the periods add up', () => {
    const final = { status: 'STATUS_FINAL', score: ['101', '99'] } as const;
    const score = (name: string, away: readonly number[], home: readonly number[]) =>
      only(name, { ...final, linescores: [away, home] }).score;
    const whole = { away: 101, home: 99 };
    const quarters = score('nba', [20, 30, 25, 26], [25, 24, 25, 25]);
    expect(quarters).to.deep.equal({ ...whole, awayHalf: 50, homeHalf: 49 });
    expect(score('ncaab', [50, 40, 11], [45, 45, 9])).to.include({ awayHalf: 50, homeHalf: 45 });
    expect(score('nba', [20, 30, 25, 25], [25, 24, 25, 25])).to.deep.equal(whole);
    expect(score('nba', [50, 51], [50, 49])).to.deep.equal(whole);
    expect(score('nba', [20, 30, 51], [25, 24, 50])).to.include({ awayHalf: 50, homeHalf: 49 });
    expect(score('nhl', [20, 30, 51], [25, 24, 50])).to.deep.equal(whole);
  });

  it('has the score after 90 minutes of a soccer match', () => {
    const final = { score: ['1', '2'], period: 2 } as const;
    for (const status of ['STATUS_FULL_TIME', 'STATUS_FINAL'])
      expect(only('soccer/eng.1', { ...final, status }).score).to.deep.equal({
        away: 1,
        home: 2,
        played: 'full',
      });
  });

  for (const [what, game] of [
    ['extra time', { status: 'STATUS_FINAL_AET', period: 4 }],
    ['a shootout', { status: 'STATUS_FINAL_PEN', period: 5 }],
    ['a shootout under its other name', { status: 'STATUS_FULL_PEN', period: 5 }],
    ['extra time that only the detail mentions', { status: 'STATUS_FULL_TIME', detail: 'Full Time (AET)' }],
    ['more than two periods', { status: 'STATUS_FINAL', period: 4 }],
  ] as const)
    it(`has no score for a soccer match after ${what}, unless the goals are listed by period`, () => {
      const cup = (more: FakeGame) => only('soccer/uefa.champions', { ...game, score: ['2', '3'], ...more });
      expect(cup({})).to.deep.include({ state: 'final', note: 'after extra time' });
      expect(cup({}).score).to.equal(undefined);
      const linescores = [
        [1, 1, 0, 0, 4],
        [0, 2, 0, 1, 5],
      ] as const;
      const in90 = { away: 2, home: 2, awayHalf: 1, homeHalf: 0, played: 'full' };
      expect(cup({ linescores }).score).to.deep.equal(in90);
      expect(cup({ linescores, score: ['2', '4'] }).score).to.equal(undefined);
      const details = [
        fakeGoal('away', "45'+1'"),
        fakeGoal('home', "46'"),
        fakeGoal('away', "90'+5'"),
        { type: { id: '94', text: 'Yellow Card' }, clock: { displayValue: "91'" }, team: { id: '1' } },
        fakeGoal('home', "88'", { ownGoal: true }),
        fakeGoal('home', "105'+1'"),
        fakeGoal('away', "120'", { shootout: true }),
      ];
      expect(cup({ details }).score).to.deep.equal(in90);
      expect(cup({ details: details.slice(1) }).score).to.equal(undefined);
      const unsure = details.with(0, fakeGoal('away', "45'+1'", { ownGoal: true }));
      expect(cup({ details: unsure }).score).to.equal(undefined);
      const undated = details.with(5, fakeGoal('home', ''));
      expect(cup({ details: undated }).score).to.equal(undefined);
    });

  const runs = (innings: number, total: number) => [total, ...Array<number>(innings - 1).fill(0)];
  for (const [what, game, length] of [
    ['nine innings', { period: 9, linescores: [runs(9, 2), runs(9, 3)] }, ['full', 9]],
    [
      'eight and a half innings with the home team ahead',
      { period: 9, linescores: [runs(9, 2), runs(8, 3)] },
      ['full', 8.5],
    ],
    [
      'extra innings',
      { period: 10, detail: 'Final/10', linescores: [runs(10, 2), runs(10, 3)] },
      ['full', 10],
    ],
    [
      'six innings with runs',
      { period: 6, detail: 'Final/6', linescores: [runs(6, 2), runs(6, 3)] },
      ['shortened', 6],
    ],
    ['four and a half innings', { period: 5, linescores: [runs(5, 2), runs(4, 3)] }, ['shortened', 4.5]],
    ['six innings without their runs', { period: 6 }, ['shortened', 6]],
    [
      'seven of seven innings',
      { period: 7, scheduled: 7, linescores: [runs(7, 2), runs(6, 3)] },
      ['full', 6.5],
    ],
    [
      'seven of nine innings',
      { period: 7, scheduled: 9, linescores: [runs(7, 2), runs(7, 3)] },
      ['shortened', 7],
    ],
  ] as const satisfies readonly (readonly [string, FakeGame, readonly unknown[]])[])
    it(`says how much of a baseball game was played: ${what}`, () => {
      const { score } = only('mlb', { status: 'STATUS_FINAL', score: ['2', '3'], ...game });
      expect([score?.played, score?.periods]).to.deep.equal(length);
    });

  for (const [name, what, game, length] of [
    ['nba', 'the whole game', { period: 4 }, ['full', 4]],
    ['nba', 'overtime', { period: 5, clock: 100 }, ['full', undefined]],
    ['nba', 'all but five minutes', { period: 4, clock: 300 }, ['full', 3.584]],
    ['nba', 'three quarters and a half', { period: 4, clock: 360 }, ['shortened', 3.5]],
    ['nfl', 'a half', { period: 2 }, ['shortened', 2]],
    ['ncaab', 'a half and a minute', { period: 2, clock: 1140 }, ['shortened', 1.05]],
    ['nhl', 'two periods', { period: 2 }, ['shortened', 2]],
  ] as const satisfies readonly (readonly [string, string, FakeGame, readonly unknown[]])[])
    it(`says how much of a game was played: ${name}, ${what}`, () => {
      const { score } = only(name, { status: 'STATUS_FINAL', score: ['2', '3'], ...game });
      expect([score?.played, score?.periods]).to.deep.equal(length);
    });

  for (const [name, what, game, periods] of [
    ['mlb', 'in the top of the seventh', { period: 7, linescores: [runs(7, 3), runs(6, 3)] }, 6],
    ['mlb', 'in the bottom of the fifth', { period: 5, linescores: [runs(5, 3), runs(5, 3)] }, 4.5],
    ['nfl', 'in the first quarter', { period: 1, clock: 358 }, 0.603],
    ['soccer/eng.1', 'after 67 minutes', { period: 2, clock: 4020 }, 1.489],
    ['soccer/eng.1', 'in stoppage time', { period: 1, clock: 2760 }, 1],
  ] as const satisfies readonly (readonly [string, string, FakeGame, number])[])
    it(`has the score of a game suspended ${what}, and the part surely played (${name})`, () => {
      const report = only(name, { status: 'STATUS_SUSPENDED', score: ['3', '3'], ...game });
      expect(report.state).to.equal('suspended');
      expect(report.score).to.deep.include({ away: 3, home: 3, played: 'shortened', periods });
    });

  const doubtful: readonly (readonly [string, FakeGame, string])[] = [
    ['is not completed', { completed: false }, 'not completed'],
    ['has an unknown ending', { status: 'STATUS_RETIRED', score: ['3', '9'] }, 'unknown ending'],
    [
      'has a length that contradicts its quarters',
      {
        score: ['3', '9'],
        period: 2,
        linescores: [
          [3, 0, 0, 0],
          [9, 0, 0, 0],
        ],
      },
      'contradictory length',
    ],
    ['has no score', { score: ['', '9'] }, 'no score'],
    [
      'ended with a clock that never ran',
      { score: ['3', '9'], period: 4, clock: 900 },
      'contradictory length',
    ],
    ['names the loser as winner', { score: ['3', '9'], winner: 'away' }, 'contradictory winner'],
  ];
  for (const [what, game, note] of doubtful)
    it(`has no score for a final game that ${what}`, () => {
      const { events, leftOut } = read('nfl', fakeGame({ status: 'STATUS_FINAL', ...game }));
      expect(events[0]).to.deep.include({ state: 'final', note });
      expect(leftOut).to.deep.equal({ [`final score: ${note}`]: 1 });
    });

  it('has a final score when the game is completed, whatever its state', () => {
    const done = { status: 'STATUS_FINAL', state: 'in', score: ['3', '9'] } as const;
    expect(only('nfl', done)).to.deep.include({ state: 'final', score: { away: 3, home: 9 } });
  });

  it('has a game for each bout of a card, decided by the winner', () => {
    const { events, leftOut } = read(
      'ufc',
      fakeCard([
        { id: '1', fighters: ['Ada Stone', 'Bea Reed'], status: 'STATUS_FINAL', winner: 1 },
        { id: '2', fighters: ['Cleo Hart', 'Dora Finch'], status: 'STATUS_FINAL' },
        {
          id: '3',
          fighters: ['Edna Moss', 'Fay Brook'],
          status: 'STATUS_FINAL',
          method: 'Unofficial Majority Draw',
        },
        { id: '4', fighters: ['Gia Lane', 'Hope Marsh'], status: 'STATUS_FINAL', detail: 'No Contest' },
        { id: '5', fighters: ['Ida Field', 'Joy Park'], status: 'STATUS_NO_CONTEST' },
        {
          id: '6',
          fighters: ['Kit Dale', 'Liv Shaw'],
          status: 'STATUS_FINAL',
          winner: 0,
          detail: 'No Contest',
        },
      ]),
    );
    expect(events.map(({ home, away, score, note }) => [home, away, score, note])).to.deep.equal([
      ['Ada Stone', 'Bea Reed', { home: 0, away: 1 }, undefined],
      ['Cleo Hart', 'Dora Finch', undefined, 'no winner'],
      ['Edna Moss', 'Fay Brook', { home: 0, away: 0 }, undefined],
      ['Gia Lane', 'Hope Marsh', { home: 0, away: 0 }, undefined],
      ['Ida Field', 'Joy Park', { home: 0, away: 0 }, undefined],
      ['Kit Dale', 'Liv Shaw', undefined, 'contradictory winner'],
    ]);
    expect(leftOut).to.deep.equal({ 'final score: no winner': 1, 'final score: contradictory winner': 1 });
  });

  it('names only the day of a game whose start is a placeholder, and counts unknown states', () => {
    const unknown = fakeGame({ id: '2', status: 'STATUS_NEW', completed: false });
    const { events, leftOut } = read('nfl', fakeGame({ timeValid: false }), unknown);
    expect(events.map(({ day }) => day)).to.deep.equal([etDay(events[0]!.startsAt), null]);
    expect(events[1]).to.not.have.property('state');
    expect(leftOut).to.deep.equal({ 'unknown state': 1 });
  });

  it('loses only an unreadable game, unless most are unreadable', () => {
    const broken = { competitions: [{ id: '5', date: 'soon' }] };
    const { events, leftOut } = read('nfl', fakeGame(), broken);
    expect([events.length, leftOut]).to.deep.equal([1, { 'unreadable game': 1 }]);
    expect(() => read('nfl', broken, broken, fakeGame())).to.throw(Unreadable, /^2 games are unreadable: /);
    for (const body of [{ games: [] }, [], null, 'x'])
      expect(() => readScoreboard(body, league('nfl'))).to.throw(
        Unreadable,
        /^the answer is not a scoreboard/,
      );
    expect(read('nfl').events).to.deep.equal([]);
  });

  it('covers the leagues of its setting, once each', () => {
    const keys = (...names: string[]) => leaguesOf(names).map(({ key }) => key);
    expect(keys('nba', 'soccer/por.1', 'nba')).to.deep.equal(['nba', 'soccer.por.1']);
    expect(keys('all')).to.include.members(['nba', 'nfl', 'ufc', 'soccer.eng.1']);
  });
});
