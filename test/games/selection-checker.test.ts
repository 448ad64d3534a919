import { expect } from 'chai';
import { checkLine } from '../../src/intake/price.ts';
import { checkResult } from '../../src/intake/result.ts';
import { checkImportedPick, checkPick } from '../../src/ledger/posting/pick-row.ts';
import { type Checked, faultsText } from '../../src/platform/schema.ts';

const row = {
  sport: 'nhl',
  game: 'Harbor Gulls @ Copper Foxes',
  startsAt: '2024-10-06T17:00:00Z',
  market: 'puck line',
  side: 'Home',
  line: -1.5,
};
const price = { oddsAmerican: -110, book: 'north' };
const pick = { ...row, ...price, capperHandle: 'ada', pick: 'Foxes -1.5', stakeUnits: 1 };

const checks: [what: string, check: (value: unknown) => Checked<object>, row: object][] = [
  ['picks', checkPick, pick],
  ['imported picks', checkImportedPick, { ...pick, postedAt: '2024-10-05T06:00:00Z' }],
  ['prices', checkLine, { ...row, ...price, capturedAt: '2024-10-05T06:00:00Z' }],
  ['results', checkResult, { ...row, result: 'win' }],
];

for (const [what, check, given] of checks)
  describe(`the markets and sides of ${what}`, () => {
    const read = (change: object) => {
      const checked = check({ ...given, ...change });
      if (!checked.ok) return faultsText(checked.faults);
      const { market, side } = checked.value as Record<string, unknown>;
      return [market, side];
    };
    const lineOf = (change: object) => {
      const checked = check({ ...given, ...change });
      return checked.ok ? (checked.value as Record<string, unknown>).line : faultsText(checked.faults);
    };

    it('are understood in other words of the sport', () => {
      expect(read({})).to.deep.equal(['spread', 'home']);
      expect(read({ market: 'O/U', side: 'U' })).to.deep.equal(['total', 'under']);
      expect(read({ market: 'Home team total', side: 'Over' })).to.deep.equal(['team_total', 'home_over']);
      expect(read({ sport: 'soccer', market: '1X2', side: 'X' })).to.deep.equal(['moneyline', 'draw']);
      expect(read({ sport: 'soccer', market: '1X2', side: 2 })).to.deep.equal(['moneyline', 'away']);
      expect(read({ sport: 'mlb' })).to.deep.equal(['puck_line', 'home']);
      const inning = { sport: 'mlb', market: 'NRFI', subject: 'Gulls @ Foxes', line: null };
      const sides = ['yes', 'no', 'under'].map((side) => read({ ...inning, side }));
      expect(sides).to.deep.equal(['under', 'over', 'under'].map((side) => ['totals_1st_1_innings', side]));
      expect(lineOf({ ...inning, side: 'yes' })).to.equal(0.5);
    });

    it('are parsed as a question when the bet is on over or under one half of something', () => {
      const touchdown = { sport: 'nfl', market: 'Anytime Touchdowns', subject: 'Ada Lovelace', line: 0.5 };
      expect([read({ ...touchdown, side: 'Over' }), lineOf({ ...touchdown, side: 'Over' })]).to.deep.equal([
        ['player_anytime_td', 'yes'],
        null,
      ]);
      expect(read({ ...touchdown, side: 'lower' })).to.deep.equal(['player_anytime_td', 'no']);
      expect(read({ ...touchdown, side: 'over', line: 1.5 })).to.deep.equal(['player_anytime_td', 'over']);
      const receptions = { ...touchdown, market: 'receptions', side: 'More' };
      expect([read(receptions), lineOf(receptions)]).to.deep.equal([['player_receptions', 'over'], 0.5]);
    });

    it('become slugs if no declared market matches', () => {
      const about = { market: 'First Touchdown', subject: 'Ada Lovelace', side: 'Yes' };
      expect(read(about)).to.deep.equal(['first_touchdown', 'yes']);
    });

    it('are refused for a misspelling, with the intended market and all other faults', () => {
      expect(read({ market: 'Pukc line' })).to.equal('market "Pukc line" is not known: did you mean spread?');
      expect(read({ market: 'totl', game: 'X' })).to.match(
        /^market "totl" .+ total\?; game must be 3 to 200/,
      );
    });

    it('are refused unless they are text of acceptable length', () => {
      const must = 'market must be a slug';
      for (const market of [null, 7, ['ML'], '', '½', 'm'.repeat(100_000)])
        expect(read({ market })).to.include(must);
      for (const side of [null, ['home'], '', 'h'.repeat(100_000)])
        expect(read({ side })).to.include('side must be a slug');
      expect(read({ market: undefined, side: 'home' })).to.equal('market is missing');
      for (const value of [null, 'ML', 7, [given]]) expect(check(value).ok).to.equal(false);
    });
  });
