import { expect } from 'chai';
import type { PlayerStats } from '../../../src/rules/markets/player-markets.ts';
import { readBoxScore } from '../../../src/sources/espn/box-score.ts';
import { Unreadable } from '../../../src/sources/http.ts';
import { type FakeGroup, type FakeSummary, fakeId, fakeSummary } from './fake.ts';

const basketKeys = [
  'minutes',
  'threePointFieldGoalsMade-threePointFieldGoalsAttempted',
  'offensiveRebounds',
  'rebounds',
  'assists',
  'steals',
  'blocks',
  'turnovers',
  'points',
];
const basket = (...players: FakeGroup['players'][number][]): FakeGroup => ({ keys: basketKeys, players });
const batKeys = [
  'hits-atBats',
  'atBats',
  'runs',
  'hits',
  'RBIs',
  'homeRuns',
  'walks',
  'strikeouts',
  'pitches',
];
const pitchKeys = ['fullInnings.partInnings', 'hits', 'strikeouts', 'pitches-strikes', 'pitches'];
const skateKeys = ['timeOnIce', 'goals', 'assists', 'shotsTotal', 'shootoutGoals'];
const goalKeys = ['saves', 'shootoutSaves', 'timeOnIce'];

function statsOf(sport: string, summary: FakeSummary): Record<string, PlayerStats> {
  const { players } = readBoxScore(fakeSummary(summary), sport);
  return Object.fromEntries(players.map(({ names, stats }) => [names[0], stats]));
}

describe("ESPN's box scores", () => {
  it('have basketball figures by key, in any order', () => {
    const ada = { name: 'Ada Cole', values: [31, '3-7', 2, 7, 5, 1, 0, 4, 22], more: { didNotPlay: false } };
    const turned = { keys: basketKeys.toReversed(), players: [{ ...ada, values: ada.values.toReversed() }] };
    const expected = {
      minutes: 31,
      points: 22,
      rebounds: 7,
      assists: 5,
      threes: 3,
      steals: 1,
      blocks: 0,
      turnovers: 4,
    };
    for (const group of [basket(ada), turned])
      for (const sport of ['nba', 'wnba', 'ncaab'])
        expect(statsOf(sport, { teams: [[group], []] })).to.deep.equal({ 'Ada Cole': expected });
  });

  it('say who did not play, but not by the reason, which players who played may have too', () => {
    const reason = "COACH'S DECISION";
    const group = basket(
      { name: 'Ada Cole', values: [12, '0-0', 0, 1, 0, 0, 0, 0, 0], more: { didNotPlay: false, reason } },
      { name: 'Bea Ray', values: [], more: { didNotPlay: true, reason } },
      { name: 'Cleo Day', values: [0, '0-0', 0, 0, 0, 0, 0, 0, 0], more: { didNotPlay: false } },
      { name: 'Dot Fay', values: [0, '0-0', 0, 0, 0, 1, 0, 0, 0], more: { didNotPlay: false } },
      { name: 'Eve Gray', values: [12, '0-0', 0, 1, 0, 0, 0, 0, 0], more: { didNotPlay: true } },
    );
    const stats = statsOf('nba', { teams: [[group], []] });
    expect(stats['Ada Cole']).to.include({ minutes: 12 });
    expect(stats['Bea Ray']).to.deep.equal({ played: 0 });
    // Played for some seconds, or not at all.
    expect(stats['Cleo Day']).not.to.have.any.keys('played', 'minutes');
    expect(stats['Dot Fay']).to.include({ played: 1, steals: 1 });
    // Contradicts itself, so picks wait.
    expect(stats['Eve Gray']).to.deep.equal({});
  });

  it('have no value for a missing key, or for values that are not parallel to the keys', () => {
    const keys = basketKeys.filter((key) => key !== 'assists');
    const group = { keys, players: [{ name: 'Ada Cole', values: [31, '3-7', 2, 7, 1, 0, 4, 22] }] };
    expect(statsOf('nba', { teams: [[group], []] })['Ada Cole'])
      .to.include({ points: 22 })
      .and.not.have.key('assists');
    const short = basket({ name: 'Ada Cole', values: [31, '3-7', 2] });
    expect(statsOf('nba', { teams: [[short], []] })).to.deep.equal({ 'Ada Cole': {} });
    const dash = basket({ name: 'Ada Cole', values: [31, '--', 2, '--', 1, 0, 4, 22, 1] });
    expect(statsOf('nba', { teams: [[dash], []] })['Ada Cole']).to.not.have.any.keys('threes', 'rebounds');
  });

  const football = (changes: Record<string, Partial<FakeGroup> | null> = {}): FakeGroup[] => {
    const groups: Record<string, FakeGroup> = {
      passing: {
        keys: ['completions/passingAttempts', 'passingYards', 'passingTouchdowns', 'interceptions'],
        players: [{ name: 'Ann Pass', values: ['19/32', 237, 2, 1] }],
      },
      rushing: {
        keys: ['rushingAttempts', 'rushingYards', 'rushingTouchdowns'],
        players: [
          { name: 'Ann Pass', values: [3, -4, 1] },
          { name: 'Bo Run', values: [15, 55, 0] },
        ],
      },
      receiving: {
        keys: ['receptions', 'receivingYards', 'receivingTouchdowns'],
        players: [
          { name: 'Cy Catch', values: [0, 0, 0] },
          { name: 'Di Deep', values: [6, 90, 2] },
        ],
      },
      interceptions: {
        keys: ['interceptions', 'interceptionYards', 'interceptionTouchdowns'],
        players: [{ name: 'Ed Pick', values: [1, 40, 1] }],
      },
      defensive: {
        keys: ['totalTackles', 'defensiveTouchdowns'],
        players: [{ name: 'Ed Pick', values: [4, 1] }],
      },
      kickReturns: { keys: ['kickReturnTouchdowns'], players: [] },
      puntReturns: { keys: ['puntReturnTouchdowns'], players: [] },
    };
    return Object.entries(groups).flatMap(([name, group]) =>
      changes[name] === null ? [] : [{ name, ...group, ...changes[name] }],
    );
  };
  const touchdowns = (count: number, team = '1') =>
    Array.from({ length: count }, () => ({ team: { id: team }, scoringType: { name: 'touchdown' } }));
  const kicks = [{ team: { id: '1' }, scoringType: { name: 'field-goal' } }];
  const nfl = (groups: readonly FakeGroup[], scoringPlays: unknown[] = [...touchdowns(4), ...kicks]) =>
    statsOf('nfl', { teams: [groups, []], scoringPlays });

  it('have football figures by group and key, and 0 for a player that a group does not list', () => {
    const stats = nfl(football());
    expect(stats['Ann Pass']).to.deep.equal({
      played: 1,
      completions: 19,
      passing_attempts: 32,
      passing_yards: 237,
      passing_touchdowns: 2,
      passing_interceptions: 1,
      rushing_attempts: 3,
      rushing_yards: -4,
      receptions: 0,
      receiving_yards: 0,
      touchdowns: 1,
    });
    expect(stats['Ed Pick']).to.include({ passing_interceptions: 0, touchdowns: 1 });
    expect(stats['Cy Catch']).to.include({ receptions: 0, touchdowns: 0 });
    expect(stats.Nobody).to.equal(undefined);
  });

  it('imply no 0 if a group is missing or contains an unreadable player', () => {
    expect(nfl(football({ receiving: null }))['Bo Run']).to.not.have.any.keys('receptions', 'touchdowns');
    const summary = fakeSummary({ teams: [football(), []], scoringPlays: touchdowns(4) }) as {
      boxscore: { players: { statistics: { name: string; athletes: unknown[] }[] }[] };
    };
    summary.boxscore.players[0]!.statistics.find(({ name }) => name === 'receiving')!.athletes.push({ x: 1 });
    const { players } = readBoxScore(summary, 'nfl');
    const of = (name: string) => players.find(({ names }) => names[0] === name)!.stats;
    expect(of('Bo Run')).to.not.have.any.keys('receptions', 'touchdowns');
    expect(of('Di Deep')).to.include({ receptions: 6 });
  });

  it("imply no 0 touchdowns while one of the team's touchdowns has no scorer", () => {
    const stats = nfl(football(), touchdowns(5));
    expect(stats['Bo Run']).not.to.have.key('touchdowns');
    expect(stats['Di Deep']).to.include({ touchdowns: 2 });
    expect(nfl(football(), [{ team: {} }])['Bo Run']).not.to.have.key('touchdowns');
    expect(nfl(football(), [...touchdowns(4), ...touchdowns(3, '2')])['Bo Run']).to.include({
      touchdowns: 0,
    });
  });

  it('separate batters from pitchers, with total bases from the plays', () => {
    const bat = (name: string, appearances: number, values: readonly (string | number)[]) => ({
      name,
      values,
      more: { atBats: Array.from({ length: appearances }, (_, at) => ({ id: String(at) })) },
    });
    const groups: FakeGroup[] = [
      {
        type: 'batting',
        keys: batKeys,
        players: [
          bat('Ann Bat', 5, ['3-4', 4, 1, 3, 2, 1, 1, 0, 20]),
          bat('Bo Bench', 0, ['0-0', 0, 0, 0, 0, 0, 0, 0, 0]),
          bat('Cy Both', 4, ['1-4', 4, 0, 1, 0, 0, 0, 2, 12]),
          bat('Di Wrong', 4, ['2-4', 4, 0, 2, 0, 0, 0, 2, 12]),
        ],
      },
      {
        type: 'pitching',
        keys: pitchKeys,
        players: [
          { name: 'Cy Both', values: ['5.2', 3, 9, '97-68', 97] },
          { name: 'Ed Arm', values: ['0.1', 0, 1, '4-3', 4] },
        ],
      },
    ];
    const hit = (name: string, type: string) => ({
      type: { id: '1', type },
      participants: [
        { type: 'pitcher', athlete: { id: '1' } },
        { type: 'batter', athlete: { id: fakeId(name) } },
      ],
    });
    const plays = [
      hit('Ann Bat', 'single'),
      hit('Ann Bat', 'double'),
      hit('Ann Bat', 'home-run'),
      hit('Ann Bat', 'fly-out'),
      hit('Cy Both', 'bunt-single'),
      hit('Di Wrong', 'triple'),
      { type: { type: 'ball' } },
    ];
    const stats = statsOf('mlb', { teams: [groups, []], plays });
    expect(stats['Ann Bat']).to.deep.equal({
      hits: 3,
      home_runs: 1,
      rbis: 2,
      runs: 1,
      plate_appearances: 5,
      total_bases: 7,
      pitches: 0,
    });
    expect(stats['Bo Bench']).to.include({ plate_appearances: 0 });
    expect(stats['Cy Both']).to.include({
      total_bases: 1,
      strikeouts_thrown: 9,
      outs_recorded: 17,
      pitches: 97,
    });
    expect(stats['Di Wrong'], 'plays that do not give the hits').not.to.have.key('total_bases');
    expect(stats['Ed Arm']).to.deep.equal({
      plate_appearances: 0,
      strikeouts_thrown: 1,
      outs_recorded: 1,
      pitches: 4,
    });
    expect(statsOf('mlb', { teams: [groups, []] })['Bo Bench']).not.to.have.key('total_bases');
  });

  it("have skaters' shots on goal, and the starting goalie if only one played", () => {
    const skater = { name: 'Ann Ice', values: ['14:06', 1, 2, 5, 0] };
    const scratched = { name: 'Bo Bench', values: ['0:00', 0, 0, 0, 0] };
    const groups = (...goalies: FakeGroup['players'][number][]): FakeGroup[] => [
      { name: 'forwards', keys: skateKeys, players: [skater, scratched] },
      { name: 'goalies', keys: goalKeys, players: goalies },
    ];
    const one = { name: 'Cy Net', values: [20, 3, '60:00'] };
    const other = { name: 'Di Net', values: [4, 0, '9:12'] };
    const stats = statsOf('nhl', { teams: [groups(one), []] });
    expect(stats['Ann Ice']).to.deep.equal({ goals: 1, assists: 2, shots_on_goal: 5, played: 1 });
    expect(stats['Bo Bench']).to.include({ played: 0 });
    expect(stats['Cy Net']).to.deep.equal({ saves: 20, played: 1 });
    const two = statsOf('nhl', { teams: [groups(one, other), []] });
    expect(two['Cy Net']).to.deep.equal({ saves: 20 });
    expect(two['Di Net']).to.deep.equal({ saves: 4 });
  });

  it('show that a game is over by its completion, and are refused in another shape', () => {
    expect(readBoxScore(fakeSummary({ completed: false }), 'nba').completed).to.equal(false);
    expect(() => readBoxScore(fakeSummary(), 'nba')).to.throw(Unreadable, 'no box score');
    for (const other of [undefined, {}, [], { header: { id: '1', competitions: [] } }])
      expect(() => readBoxScore(other, 'nba')).to.throw(Unreadable, 'not a summary');
    expect(
      readBoxScore(fakeSummary({ teams: [[{ keys: ['x'], players: [] }], []] }), 'nba').players,
    ).to.deep.equal([]);
  });
});
