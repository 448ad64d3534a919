import { expect } from 'chai';
import fc from 'fast-check';
import { gradeByScore, postponedVoidAt, type ScoredPick } from '../../src/rules/grading.ts';

type Example = [market: string, side: string, line: number | null, score: string, result: string | null];

function grade([market, side, line, score]: Example, moneylineWays: 2 | 3 = 2): string | null {
  const [awayScore, homeScore] = score.split('-').map(Number);
  const lineE3 = line === null ? null : line * 1000;
  return outcomeOf({ market, side, lineE3, moneylineWays, homeScore: homeScore!, awayScore: awayScore! });
}

/** A pick on a game of a sport without special rules. */
const plain: ScoredPick = {
  sport: 'curling',
  market: 'moneyline',
  side: 'home',
  lineE3: null,
  moneylineWays: 2,
  homeScore: 0,
  awayScore: 0,
  homeHalfScore: null,
  awayHalfScore: null,
  sets: null,
  played: null,
  periodsE3: null,
};

/** Returns `win`, `half win`, and so on; null if no score decides it. */
function outcomeOf(pick: Partial<ScoredPick>): string | null {
  const outcome = gradeByScore({ ...plain, ...pick });
  return outcome === null ? null : `${outcome.half ? 'half ' : ''}${outcome.result}`;
}

function check(examples: Example[], ways: 2 | 3 = 2): void {
  for (const example of examples) expect(grade(example, ways), example.join(' ')).to.equal(example[4]);
}

describe('grading by the score (away-home)', () => {
  it('gives a two-way moneyline to the higher score and makes a tie a push', () => {
    check([
      ['moneyline', 'home', null, '3-4', 'win'],
      ['moneyline', 'away', null, '3-4', 'loss'],
      ['moneyline', 'home', null, '20-20', 'push'],
      ['moneyline', 'away', null, '20-20', 'push'],
    ]);
  });

  it('makes the draw a side in three-way moneylines', () => {
    check(
      [
        ['moneyline', 'home', null, '1-1', 'loss'],
        ['moneyline', 'away', null, '1-1', 'loss'],
        ['moneyline', 'draw', null, '1-1', 'win'],
        ['moneyline', 'draw', null, '1-2', 'loss'],
        ['moneyline', 'home', null, '1-2', 'win'],
      ],
      3,
    );
  });

  it('adds the line of a spread to its side, with a push at exactly the line', () => {
    check([
      ['spread', 'home', -3.5, '20-24', 'win'],
      ['spread', 'away', 3.5, '20-24', 'loss'],
      ['spread', 'home', -3, '21-24', 'push'],
      ['spread', 'away', 3, '21-24', 'push'],
      ['spread', 'away', 3.5, '21-24', 'win'],
      ['spread', 'home', 0, '1-1', 'push'],
      ['spread', 'away', -1.5, '6-5', 'loss'],
    ]);
  });

  it('compares the sum with the line of a total, with a push at exactly the line', () => {
    check([
      ['total', 'over', 8.5, '4-5', 'win'],
      ['total', 'under', 8.5, '4-5', 'loss'],
      ['total', 'over', 9, '4-5', 'push'],
      ['total', 'under', 9, '4-5', 'push'],
      ['total', 'under', 9.5, '4-5', 'win'],
    ]);
  });

  it('leaves to result events what no score can decide', () => {
    check([
      ['prop', 'over', 8.5, '4-5', null],
      ['team_total', 'over', 8.5, '4-5', null],
      ['moneyline', 'draw', null, '1-1', null],
      ['spread', 'over', 3.5, '4-5', null],
      ['spread', 'home', null, '4-5', null],
      ['total', 'home', 8.5, '4-5', null],
      ['moneyline', 'home', 1.5, '4-5', null],
      ['team_total', 'home_over', null, '4-5', null],
      ['first_quarter_total', 'over', 8.5, '4-5', null],
    ]);
  });

  it("compares each team's points with the line of its total", () => {
    check([
      ['team_total', 'home_over', 4.5, '4-5', 'win'],
      ['team_total', 'home_under', 4.5, '4-5', 'loss'],
      ['team_total', 'away_over', 4.5, '4-5', 'loss'],
      ['team_total', 'away_under', 4.5, '4-5', 'win'],
      ['team_total', 'away_under', 4, '4-5', 'push'],
    ]);
  });

  it("grades markets of the first half by only that half's score", () => {
    const final = { homeScore: 30, awayScore: 10, homeHalfScore: null, awayHalfScore: null };
    const half = { ...final, homeHalfScore: 7, awayHalfScore: 7 };
    const of = (name: string, side: string, lineE3: number | null, ways: 2 | 3 = 2) =>
      [final, half].map((scores) =>
        outcomeOf({ market: `first_half_${name}`, side, lineE3, moneylineWays: ways, ...scores }),
      );
    expect(of('moneyline', 'home', null)).to.deep.equal([null, 'push']);
    expect(of('moneyline', 'home', null, 3)).to.deep.equal([null, 'loss']);
    expect(of('moneyline', 'draw', null, 3)).to.deep.equal([null, 'win']);
    expect(of('spread', 'away', 0.5 * 1000)).to.deep.equal([null, 'win']);
    expect(of('total', 'over', 14_500)).to.deep.equal([null, 'loss']);
  });

  it('splits the stake of a quarter line between the neighboring half lines', () => {
    check([
      ['spread', 'home', -0.25, '1-1', 'half loss'],
      ['spread', 'away', 0.25, '1-1', 'half win'],
      ['spread', 'home', -0.75, '0-1', 'half win'],
      ['spread', 'away', 0.75, '0-1', 'half loss'],
      ['spread', 'home', -0.75, '0-2', 'win'],
      ['total', 'over', 2.75, '1-2', 'half win'],
      ['total', 'under', 2.75, '1-2', 'half loss'],
      ['total', 'over', 2.25, '1-1', 'half loss'],
      ['total', 'over', 2.25, '1-2', 'win'],
      ['team_total', 'home_over', 1.25, '0-1', 'half loss'],
    ]);
  });

  it('gives the two sides of a spread or total opposite outcomes', () => {
    const score = fc.integer({ min: 0, max: 60 });
    const quarter = fc.integer({ min: -160, max: 160 }).map((steps) => steps * 250);
    const turned = (outcome: string | null) =>
      outcome?.replace(/win|loss/, (result) => (result === 'win' ? 'loss' : 'win'));
    fc.assert(
      fc.property(score, score, quarter, (homeScore, awayScore, lineE3) => {
        const scores = { homeScore, awayScore };
        const home = outcomeOf({ ...scores, market: 'spread', side: 'home', lineE3 });
        const away = outcomeOf({ ...scores, market: 'spread', side: 'away', lineE3: -lineE3 });
        expect(away).to.equal(turned(home));
        const over = outcomeOf({ ...scores, market: 'total', side: 'over', lineE3 });
        const under = outcomeOf({ ...scores, market: 'total', side: 'under', lineE3 });
        expect(under).to.equal(turned(over));
      }),
    );
  });

  it('voids a postponed game 48 hours after its first announced start', () => {
    expect(postponedVoidAt(Date.parse('2026-03-07T23:00:00Z'))).to.equal(Date.parse('2026-03-09T23:00:00Z'));
  });
});

describe('grading in sports whose score and line have different units', () => {
  const match = { sport: 'tennis', homeScore: 2, awayScore: 1 };
  const sets = [
    [6, 4],
    [3, 6],
    [7, 6],
  ] as const;

  it('decides a tennis match by sets, and its spread and total only by games', () => {
    const total = { ...match, market: 'total', side: 'over' };
    expect(outcomeOf({ ...match, side: 'home' })).to.equal('win');
    expect(outcomeOf({ ...total, lineE3: 21_500 })).to.equal(null);
    expect(outcomeOf({ ...total, lineE3: 21_500, sets })).to.equal('win');
    expect(outcomeOf({ ...total, lineE3: 32_000, sets })).to.equal('push');
    expect(outcomeOf({ ...match, market: 'spread', side: 'away', lineE3: 500, sets })).to.equal('win');
    expect(outcomeOf({ ...match, market: 'spread', side: 'home', lineE3: -500, sets })).to.equal('loss');
    expect(outcomeOf({ ...match, market: 'team_total', side: 'home_over', lineE3: 15_500, sets })).to.equal(
      'win',
    );
    expect(
      outcomeOf({
        ...match,
        market: 'first_half_total',
        side: 'over',
        lineE3: 500,
        homeHalfScore: 1,
        awayHalfScore: 0,
      }),
    ).to.equal(null);
  });

  it('reports the sets that graded a pick with the score', () => {
    const graded = gradeByScore({ ...plain, ...match, market: 'total', side: 'over', lineE3: 21_500, sets });
    expect(graded).to.deep.equal({
      result: 'win',
      half: false,
      grader: 'sets',
      homeScore: 2,
      awayScore: 1,
      sets,
      played: null,
    });
  });

  it('decides only the moneyline by the winner of a bout, and nothing without a winner', () => {
    const bout = { sport: 'mma', homeScore: 1, awayScore: 0 };
    expect(outcomeOf(bout)).to.equal('win');
    expect(outcomeOf({ ...bout, side: 'away' })).to.equal('loss');
    expect(outcomeOf({ ...bout, homeScore: 0 })).to.equal('void');
    expect(outcomeOf({ ...bout, market: 'total', side: 'under', lineE3: 2_500 })).to.equal(null);
    expect(outcomeOf({ ...bout, market: 'spread', side: 'home', lineE3: -500 })).to.equal(null);
  });
});

describe('grading a shortened game', () => {
  const rain = { sport: 'mlb', homeScore: 3, awayScore: 2, played: 'shortened', periodsE3: 6_000 } as const;
  const over = (line: number) => ({ market: 'total', side: 'over', lineE3: line * 1000 });
  const under = (line: number) => ({ market: 'total', side: 'under', lineE3: line * 1000 });

  it('keeps the moneyline from five innings on and everything already decided, and voids the rest', () => {
    expect(outcomeOf({ ...rain, side: 'home' })).to.equal('win');
    expect(outcomeOf({ ...rain, side: 'away' })).to.equal('loss');
    expect(outcomeOf({ ...rain, ...over(4.5) })).to.equal('win');
    expect(outcomeOf({ ...rain, ...under(4.5) })).to.equal('loss');
    expect(outcomeOf({ ...rain, ...over(4.75) })).to.equal('half win');
    expect(outcomeOf({ ...rain, ...over(5) })).to.equal('void');
    expect(outcomeOf({ ...rain, ...under(8.5) })).to.equal('void');
    expect(outcomeOf({ ...rain, ...over(8.5) })).to.equal('void');
    expect(outcomeOf({ ...rain, market: 'spread', side: 'home', lineE3: -1_500 })).to.equal('void');
    expect(outcomeOf({ ...rain, market: 'team_total', side: 'home_over', lineE3: 2_500 })).to.equal('win');
  });

  it('requires half an inning less if the home team led', () => {
    const short = (periods: number) => outcomeOf({ ...rain, periodsE3: periods * 1000 });
    expect([4, 4.5, 5].map(short)).to.deep.equal(['void', 'win', 'win']);
    const behind = { ...rain, homeScore: 2, awayScore: 3 };
    const away = (periods: number) => outcomeOf({ ...behind, side: 'away', periodsE3: periods * 1000 });
    expect([4.5, 5].map(away)).to.deep.equal(['void', 'win']);
    expect(outcomeOf({ ...rain, ...under(8.5), periodsE3: 8_500 })).to.equal('win');
    expect(outcomeOf({ ...behind, ...under(8.5), periodsE3: 8_500 })).to.equal('void');
  });

  it('counts seven innings as a full game only if a source says so', () => {
    const seven = { ...rain, ...under(8.5), periodsE3: 7_000 };
    expect(outcomeOf({ ...seven, played: 'full' })).to.equal('win');
    expect(outcomeOf({ ...seven, played: null })).to.equal(null);
    expect(outcomeOf({ ...seven, played: 'shortened' })).to.equal('void');
    expect(outcomeOf({ ...seven, played: null, periodsE3: 6_000 })).to.equal('void');
  });

  it('keeps everything in sports with a clock once enough minutes were played', () => {
    const least = { nfl: 55 / 15, ncaaf: 55 / 15, nba: 43 / 12, wnba: 3.5, ncaab: 35 / 20, nhl: 55 / 20 };
    for (const [sport, periods] of Object.entries(least)) {
      const game = { sport, homeScore: 60, awayScore: 50, played: 'shortened' as const, ...under(120.5) };
      const at = (share: number) => outcomeOf({ ...game, periodsE3: Math.round(periods * share * 1000) });
      expect([sport, at(0.98), at(1.001)]).to.deep.equal([sport, 'void', 'win']);
      expect(outcomeOf({ ...game, periodsE3: 1000, ...over(100.5) })).to.equal('win');
      expect(
        outcomeOf({ ...game, periodsE3: 1000, market: 'moneyline', side: 'home', lineE3: null }),
      ).to.equal('void');
    }
  });

  it('keeps only what was decided if nobody says how much was played', () => {
    const unknown = { ...rain, periodsE3: null };
    expect(outcomeOf(unknown)).to.equal(null);
    expect(outcomeOf({ ...unknown, ...under(8.5) })).to.equal(null);
    expect(outcomeOf({ ...unknown, ...over(4.5) })).to.equal('win');
    expect(outcomeOf({ ...unknown, sport: 'curling', periodsE3: 1000 })).to.equal(null);
  });

  it('leaves a retirement in tennis to result events, and voids undecided spreads and totals', () => {
    const match = { sport: 'tennis', homeScore: 1, awayScore: 0, played: 'shortened' } as const;
    const until = (...sets: [number, number][]) => ({ ...match, homeScore: sets.length - 1, sets });
    expect(outcomeOf(until([6, 4], [3, 2]))).to.equal(null);
    expect(outcomeOf({ ...until([5, 4]), homeScore: 0 })).to.equal('void');
    expect(outcomeOf({ ...until([6, 4], [3, 2]), ...under(21.5) })).to.equal('void');
    expect(outcomeOf({ ...until([6, 4], [3, 2]), ...over(14.5) })).to.equal('win');
    expect(outcomeOf({ ...until([6, 4], [3, 2]), market: 'spread', side: 'home', lineE3: 1_500 })).to.equal(
      'void',
    );
  });

  it('still grades the first half by its score', () => {
    const half = { homeHalfScore: 2, awayHalfScore: 0, market: 'first_half_total' };
    expect(outcomeOf({ ...rain, ...half, side: 'under', lineE3: 2_500 })).to.equal('win');
  });

  it('gives a pick the outcome of a full game, or voids it', () => {
    const sports = ['mlb', 'nfl', 'nba', 'nhl', 'soccer', 'curling'];
    const periods = fc.integer({ min: 0, max: 20 }).map((half) => half * 500);
    const points = fc.integer({ min: 0, max: 9 });
    const quarter = fc.integer({ min: -40, max: 40 }).map((steps) => steps * 250);
    const bets = fc.constantFrom(
      ...[
        ['spread', 'home'],
        ['total', 'over'],
        ['total', 'under'],
        ['team_total', 'away_under'],
      ],
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...sports),
        periods,
        points,
        points,
        quarter,
        bets,
        (sport, e3, h, a, line, bet) => {
          const [market, side] = bet;
          const game = { sport, homeScore: h, awayScore: a, market: market!, side: side!, lineE3: line };
          const full = outcomeOf({ ...game, played: 'full' });
          const shortened = outcomeOf({ ...game, played: 'shortened', periodsE3: e3 });
          expect([full, 'void', null]).to.include(shortened);
        },
      ),
    );
  });
});
