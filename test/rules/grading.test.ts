import { expect } from 'chai';
import fc from 'fast-check';
import { gradeByScore, postponedVoidAt } from '../../src/rules/grading.ts';

type Example = [market: string, side: string, line: number | null, score: string, result: string | null];

function grade([market, side, line, score]: Example, moneylineWays: 2 | 3 = 2): string | null {
  const [awayScore, homeScore] = score.split('-').map(Number);
  const lineE3 = line === null ? null : line * 1000;
  const final = { homeScore: homeScore!, awayScore: awayScore!, homeHalfScore: null, awayHalfScore: null };
  return gradeByScore({ market, side, lineE3, moneylineWays, ...final });
}

function check(examples: Example[], ways: 2 | 3 = 2): void {
  for (const example of examples) expect(grade(example, ways), example.join(' ')).to.equal(example[4]);
}

describe('grading by the score (away-home)', () => {
  it('gives a two-way moneyline to the higher score and makes a level one a push', () => {
    check([
      ['moneyline', 'home', null, '3-4', 'win'],
      ['moneyline', 'away', null, '3-4', 'loss'],
      ['moneyline', 'home', null, '20-20', 'push'],
      ['moneyline', 'away', null, '20-20', 'push'],
    ]);
  });

  it('makes the draw a side of its own in three-way moneylines', () => {
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

  it('adds the line of a spread to its own side, exactly level being a push', () => {
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

  it('sets the sum against the line of a total, exactly level being a push', () => {
    check([
      ['total', 'over', 8.5, '4-5', 'win'],
      ['total', 'under', 8.5, '4-5', 'loss'],
      ['total', 'over', 9, '4-5', 'push'],
      ['total', 'under', 9, '4-5', 'push'],
      ['total', 'under', 9.5, '4-5', 'win'],
    ]);
  });

  it('leaves to result events what no score can tell', () => {
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

  it("sets each team's points against the line of its total", () => {
    check([
      ['team_total', 'home_over', 4.5, '4-5', 'win'],
      ['team_total', 'home_under', 4.5, '4-5', 'loss'],
      ['team_total', 'away_over', 4.5, '4-5', 'loss'],
      ['team_total', 'away_under', 4.5, '4-5', 'win'],
      ['team_total', 'away_under', 4, '4-5', 'push'],
    ]);
  });

  it("grades markets of the first half by that half's score, and by no other", () => {
    const final = { homeScore: 30, awayScore: 10, homeHalfScore: null, awayHalfScore: null };
    const half = { ...final, homeHalfScore: 7, awayHalfScore: 7 };
    const of = (name: string, side: string, lineE3: number | null, ways: 2 | 3 = 2) =>
      [final, half].map((scores) =>
        gradeByScore({ market: `first_half_${name}`, side, lineE3, moneylineWays: ways, ...scores }),
      );
    expect(of('moneyline', 'home', null)).to.deep.equal([null, 'push']);
    expect(of('moneyline', 'home', null, 3)).to.deep.equal([null, 'loss']);
    expect(of('moneyline', 'draw', null, 3)).to.deep.equal([null, 'win']);
    expect(of('spread', 'away', 0.5 * 1000)).to.deep.equal([null, 'win']);
    expect(of('total', 'over', 14_500)).to.deep.equal([null, 'loss']);
  });

  it('never lets both sides of a spread or total win', () => {
    const score = fc.integer({ min: 0, max: 60 });
    const half = fc.integer({ min: -80, max: 80 }).map((steps) => steps * 500);
    const other = { win: 'loss', loss: 'win', push: 'push', void: 'void' };
    fc.assert(
      fc.property(score, score, half, (homeScore, awayScore, lineE3) => {
        const scores = { homeScore, awayScore, homeHalfScore: null, awayHalfScore: null };
        const shared = { moneylineWays: 2 as const, ...scores };
        const home = gradeByScore({ ...shared, market: 'spread', side: 'home', lineE3 });
        const away = gradeByScore({ ...shared, market: 'spread', side: 'away', lineE3: -lineE3 });
        expect(away).to.equal(other[home!]);
        const over = gradeByScore({ ...shared, market: 'total', side: 'over', lineE3 });
        const under = gradeByScore({ ...shared, market: 'total', side: 'under', lineE3 });
        expect(under).to.equal(other[over!]);
      }),
    );
  });

  it('makes a postponed game void 48 hours after its first announced start', () => {
    expect(postponedVoidAt(Date.parse('2026-03-07T23:00:00Z'))).to.equal(Date.parse('2026-03-09T23:00:00Z'));
  });
});
