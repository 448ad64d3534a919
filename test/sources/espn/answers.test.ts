import { expect } from 'chai';
import { OtherShape, readScoreboard } from '../../../src/sources/espn/answers.ts';
import { leaguesOf } from '../../../src/sources/espn/leagues.ts';
import { type FakeGame, fakeCard, fakeGame } from './fake.ts';

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
    ['STATUS_FORFEIT', 'final'],
  ] as const)
    it(`says ${state} for ${status}, and gives no score, whatever the game stood at`, () => {
      const report = only('mlb', { status, score: ['3', '2'] });
      expect(report).to.include({ state });
      expect(report.score).to.equal(undefined);
    });

  it('gives the half-time score of sports with quarters and halves, where the periods add up', () => {
    const final = { status: 'STATUS_FINAL', score: ['101', '99'] } as const;
    const score = (name: string, away: readonly number[], home: readonly number[]) =>
      only(name, { ...final, linescores: [away, home] }).score;
    const whole = { away: 101, home: 99 };
    const quarters = score('nba', [20, 30, 25, 26], [25, 24, 25, 25]);
    expect(quarters).to.deep.equal({ ...whole, awayHalf: 50, homeHalf: 49 });
    expect(score('ncaab', [50, 40, 11], [45, 45, 9])).to.include({ awayHalf: 50, homeHalf: 45 });
    expect(score('nba', [20, 30, 25, 25], [25, 24, 25, 25])).to.deep.equal(whole);
    expect(score('nba', [50, 51], [50, 49])).to.deep.equal(whole);
    expect(score('nhl', [20, 30, 51], [25, 24, 50])).to.deep.equal(whole);
  });

  it('gives the score of the 90 minutes of a soccer match', () => {
    const final = { score: ['1', '2'], period: 2 } as const;
    for (const status of ['STATUS_FULL_TIME', 'STATUS_FINAL'])
      expect(only('soccer/eng.1', { ...final, status }).score).to.deep.equal({ away: 1, home: 2 });
  });

  for (const [what, game] of [
    ['extra time', { status: 'STATUS_FINAL_AET', period: 4 }],
    ['a shootout', { status: 'STATUS_FINAL_PEN', period: 5 }],
    ['extra time, as the detail alone says', { status: 'STATUS_FULL_TIME', detail: 'Full Time (AET)' }],
    ['more than two periods', { status: 'STATUS_FINAL', period: 4 }],
  ] as const)
    it(`gives no score of a soccer match after ${what}, unless the goals are given by period`, () => {
      const cup = (more: FakeGame) => only('soccer/uefa.champions', { ...game, score: ['2', '3'], ...more });
      expect(cup({})).to.deep.include({ state: 'final', note: 'after extra time' });
      expect(cup({}).score).to.equal(undefined);
      const linescores = [
        [1, 1, 0, 0, 4],
        [0, 2, 0, 1, 5],
      ] as const;
      expect(cup({ linescores }).score).to.deep.equal({ away: 2, home: 2, awayHalf: 1, homeHalf: 0 });
      expect(cup({ linescores, score: ['2', '4'] }).score).to.equal(undefined);
    });

  const doubtful: readonly (readonly [string, FakeGame, string])[] = [
    ['is not completed', { completed: false }, 'contradictory state'],
    ['goes on', { state: 'in' }, 'contradictory state'],
    ['has no score', { score: ['', '9'] }, 'no score'],
    ['is 0-0 where that cannot be', { score: ['0', '0'] }, '0-0'],
    ['names the loser as winner', { score: ['3', '9'], winner: 'away' }, 'contradictory winner'],
  ];
  for (const [what, game, note] of doubtful)
    it(`gives no score of a game that is final but ${what}`, () => {
      const { events, leftOut } = read('nfl', fakeGame({ status: 'STATUS_FINAL', ...game }));
      expect(events[0]).to.deep.include({ state: 'final', note });
      expect(leftOut).to.deep.equal({ [`final score: ${note}`]: 1 });
    });

  it('makes a game of each bout of a card, which the winner decides', () => {
    const { events, leftOut } = read(
      'ufc',
      fakeCard([
        { id: '1', fighters: ['Ada Stone', 'Bea Reed'], status: 'STATUS_FINAL', winner: 1 },
        { id: '2', fighters: ['Cleo Hart', 'Dora Finch'], status: 'STATUS_FINAL' },
      ]),
    );
    expect(events.map(({ home, away, score, note }) => [home, away, score, note])).to.deep.equal([
      ['Ada Stone', 'Bea Reed', { home: 0, away: 1 }, undefined],
      ['Cleo Hart', 'Dora Finch', undefined, 'no winner'],
    ]);
    expect(leftOut).to.deep.equal({ 'final score: no winner': 1 });
  });

  it('leaves out starts that are placeholders, and states that it does not know, and counts them', () => {
    const unknown = fakeGame({ id: '2', status: 'STATUS_NEW' });
    const { events, leftOut } = read('nfl', fakeGame({ timeValid: false }), unknown);
    expect(events).to.have.length(1);
    expect(events[0]).to.not.have.property('state');
    expect(leftOut).to.deep.equal({ 'start not announced': 1, 'unknown state': 1 });
  });

  it('loses a game that it cannot read and no other, unless that is most of them', () => {
    const broken = { competitions: [{ id: '5', date: 'soon' }] };
    const { events, leftOut } = read('nfl', fakeGame(), broken);
    expect([events.length, leftOut]).to.deep.equal([1, { 'unreadable game': 1 }]);
    expect(() => read('nfl', broken, broken, fakeGame())).to.throw(OtherShape, /^2 games cannot be read: /);
    for (const body of [{ games: [] }, [], null, 'x'])
      expect(() => readScoreboard(body, league('nfl'))).to.throw(OtherShape, /^the answer is no scoreboard/);
    expect(read('nfl').events).to.deep.equal([]);
  });

  it('has the leagues of a setting, once each', () => {
    const keys = (...names: string[]) => leaguesOf(names).map(({ key }) => key);
    expect(keys('nba', 'soccer/por.1', 'nba')).to.deep.equal(['nba', 'soccer.por.1']);
    expect(keys('all')).to.include.members(['nba', 'nfl', 'ufc', 'soccer.eng.1']);
  });
});
