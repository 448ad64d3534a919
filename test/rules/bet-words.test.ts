import { expect } from 'chai';
import { betWords } from '../../src/rules/bet-text/print.ts';
import { marketIn, markets } from '../../src/rules/markets/index.ts';
import { aboutOf, known } from '../../src/rules/markets/known.ts';
import { meant } from '../../src/rules/markets/meant.ts';

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

  it('differ for different bets, whatever the market, the side, and the line', () => {
    const further = [
      'home',
      'away',
      'draw',
      'over',
      'under',
      'home_over',
      'yes',
      'no',
      'home_or_away',
      '2-1',
    ];
    for (const sport of ['nba', 'nfl', 'mlb', 'nhl', 'soccer', 'tennis', 'mma']) {
      const bets = new Map<string, string>();
      for (const { name } of [...markets, ...known]) {
        const declared = marketIn(sport, name);
        const isPlayers = declared === undefined ? aboutOf(name) === 'player' : declared.gradedBy === 'stat';
        const subject = isPlayers ? 'Rory Finch' : declared === undefined ? 'Gulls @ Foxes' : null;
        const sides = declared?.contests(sport === 'soccer' ? 3 : 2).flat() ?? further;
        const lines =
          declared === undefined ? [[], [2.5], [-2.5]] : declared.line === null ? [[]] : [[2.5], [3]];
        // A key of The Odds API can be another name of a market.
        const meaning = meant(name, { sport });
        const market = declared === undefined && meaning?.kind === 'market' ? meaning.market : name;
        for (const side of sides)
          for (const line of lines) {
            const words = betWords({ sport, market: name, side, subject }, line, opponents);
            const bet = `${market} ${side} ${line}`;
            expect(bets.get(words) ?? bet, `${sport}: ${words}`).to.equal(bet);
            bets.set(words, bet);
          }
      }
    }
  });

  it('name the side of a game whose title names no opponents', () => {
    expect(
      betWords({ sport: 'nfl', market: 'spread', side: 'home', subject: null }, [3], undefined),
    ).to.equal('Home +3');
  });
});
