import { expect } from 'chai';
import { betWords } from '../../src/rules/bet-text/print.ts';

const opponents = { away: 'Gulls', home: 'Foxes' };

describe('the words of a bet', () => {
  const cases: [
    sport: string,
    market: string,
    side: string,
    lines: number[],
    subject: string | null,
    words: string,
  ][] = [
    ['nfl', 'spread', 'home', [3.5], null, 'Foxes +3.5'],
    ['nfl', 'spread', 'away', [0], null, 'Gulls PK'],
    ['nfl', 'spread', 'away', [-3, -2.5], null, 'Gulls -3 to -2.5'],
    ['nfl', 'moneyline', 'away', [], null, 'Gulls ML'],
    ['nfl', 'total', 'over', [8.5], null, 'over 8.5'],
    ['nfl', 'team_total', 'home_under', [20.5], null, 'Foxes team total under 20.5'],
    ['soccer', 'moneyline', 'draw', [], null, 'Draw'],
    ['soccer', 'double_chance', 'away_or_draw', [], 'Gulls @ Foxes', 'Gulls or draw'],
    ['soccer', 'double_chance', 'home_or_away', [], 'Gulls @ Foxes', 'Foxes or Gulls'],
    ['soccer', 'btts', 'yes', [], 'Gulls @ Foxes', 'both teams to score: yes'],
    ['nfl', 'player_receptions', 'over', [4.5], 'Rory Finch', 'Rory Finch over 4.5 receptions'],
    ['soccer', 'question', 'yes', [], 'Rain in May', 'Rain in May: yes'],
    ['soccer', 'mascot_race', 'the_fox', [2.5], 'The mascots', 'The mascots: the fox +2.5'],
  ];
  for (const [sport, market, side, lines, subject, words] of cases)
    it(`${sport} ${market} ${side} ${lines}: ${words}`, () => {
      expect(betWords({ sport, market, side, subject }, lines, opponents)).to.equal(words);
    });

  it('name the part of the game', () => {
    for (const [market, side] of [
      ['first_half_spread', 'home'],
      ['first_half_moneyline', 'away'],
      ['first_half_total', 'over'],
    ] as const) {
      const words = betWords({ sport: 'nba', market, side, subject: null }, [2.5], opponents);
      expect(words).to.match(/1H/);
    }
  });

  it('name the side of a game whose title names no opponents', () => {
    expect(
      betWords({ sport: 'nfl', market: 'spread', side: 'home', subject: null }, [3], undefined),
    ).to.equal('Home +3');
  });
});
