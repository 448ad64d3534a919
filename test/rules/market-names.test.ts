import { expect } from 'chai';
import fc from 'fast-check';
import { marketSides, markets } from '../../src/rules/markets/index.ts';
import { known } from '../../src/rules/markets/known.ts';
import { meant, sideMeant } from '../../src/rules/markets/meant.ts';

/** Words by sport, and the markets they mean. */
const words: Record<string, Record<string, string>> = {
  nfl: {
    ML: 'moneyline',
    'Money Line': 'moneyline',
    moneyline: 'moneyline',
    h2h: 'moneyline',
    'Head-to-Head': 'moneyline',
    'Full Game Moneyline': 'moneyline',
    Spreads: 'spread',
    'Point Spread': 'spread',
    point_spreads: 'spread',
    ATS: 'spread',
    Handicap: 'spread',
    'Alt Spread': 'spread',
    Totals: 'total',
    'Over/Under': 'total',
    'O/U': 'total',
    'Total Points': 'total',
    alternate_totals: 'total',
    'Team Total': 'team_total',
    TT: 'team_total',
    'Team O/U': 'team_total',
    '1H ML': 'first_half_moneyline',
    'Spread (1st half)': 'first_half_spread',
    'First-Half Totals': 'first_half_total',
    totals_h1: 'first_half_total',
    alternate_spreads_h1: 'first_half_spread',
  },
  nhl: { 'Puck Line': 'spread', puckline: 'spread', 'total goals': 'total', 'team goals': 'team_total' },
  mlb: { 'Run Line': 'spread', 'run-lines': 'spread', RL: 'spread', 'Total Runs': 'total' },
  soccer: {
    'Booking Points': 'booking_points',
    'Total Cards O/U': 'cards',
    'Over/Under Corners': 'corners',
    '1X2': 'moneyline',
    '1-x-2': 'moneyline',
    'Match Result': 'moneyline',
    'Full Time Result': 'moneyline',
    h2h_3_way: 'moneyline',
    'Asian Handicap': 'spread',
    asian_handicaps: 'spread',
    AH: 'spread',
    'Total Goals': 'total',
    'Half Time Result': 'first_half_moneyline',
    '1st half 1X2': 'first_half_moneyline',
  },
  tennis: { 'Match Winner': 'moneyline', 'Total Games': 'total', 'Games Handicap': 'spread' },
  mma: { 'Fight Winner': 'moneyline', 'Total Rounds': 'total' },
  // A sport that the operator added has the words that mean the same everywhere.
  curling: { ML: 'moneyline', spreads: 'spread', 'over/under': 'total' },
};

/** Words that mean, or may mean, something else in these sports. They stay separate markets. */
const others: Record<string, Record<string, string>> = {
  nfl: {
    '1X2': 'h2h_3_way',
    'Match Result': 'match_result',
    'FG total': 'fg_total',
  },
  nba: { 'puck line': 'puck_line', 'run line': 'run_line', 'FT total': 'ft_total' },
  nhl: { '1X2': 'h2h_3_way', h2h_3_way: 'h2h_3_way', 'full time total': 'full_time_total' },
  mlb: {
    'Total Fouls': 'fouls',
    'first 5 innings total': 'totals_1st_5_innings',
  },
  soccer: {
    Handicap: 'handicap',
    'Draw No Bet': 'draw_no_bet',
    'Double chance': 'double_chance',
    HT_FT: 'halftime_fulltime',
  },
  tennis: { 'Total Sets': 'total_sets', 'set handicap': 'set_handicap', 'Game winner': 'game_winner' },
};

const inSports = (table: typeof words) =>
  Object.entries(table).flatMap(([sport, by]) =>
    Object.entries(by).map(([word, market]) => ({ sport, word, market })),
  );
const listed = inSports(words);

/** Returns the market that a name means, a suggestion, or several markets; a slug if it means none. */
function marketMeant(sport: string | undefined, word: string, hasSubject = false) {
  const found = meant(word, { sport, hasSubject });
  switch (found?.kind) {
    case 'market':
      return { market: found.market, ...(found.team === undefined ? {} : { team: found.team }) };
    case 'misspelled':
      return { suggestion: found.market };
    case undefined:
      return { market: word.trim().toLowerCase().replace(/\s+/g, '_') };
    default:
      return { found };
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The optimal string alignment distance, by its table. */
function distance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  for (let row = 1; row <= one.length; row += 1)
    for (let column = 1; column <= other.length; column += 1) {
      const changed = one[row - 1] === other[column - 1] ? 0 : 1;
      const costs = [
        table[row - 1]![column]! + 1,
        table[row]![column - 1]! + 1,
        table[row - 1]![column - 1]! + changed,
      ];
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        costs.push(table[row - 2]![column - 2]! + 1);
      table[row]![column] = Math.min(...costs);
    }
  return table[one.length]![other.length]!;
}

describe('other words for markets', () => {
  it('mean the declared market of their sport', () => {
    for (const { sport, word, market } of listed)
      expect(marketMeant(sport, word), `${sport} ${word}`).to.deep.equal({ market });
  });

  it('mean nothing special in other sports', () => {
    for (const { sport, word, market } of inSports(others))
      expect(marketMeant(sport, word), `${sport} ${word}`).to.deep.equal({ market });
  });

  it('mean player markets by sport, and prefer them if a subject is given', () => {
    for (const [sport, word, market] of [
      ['nba', 'Points', 'player_points'],
      ['nba', 'Player Points', 'player_points'],
      ['nba', 'Total Points', 'player_points'],
      ['nba', 'Points O/U', 'player_points'],
      ['nba', 'Pts + Reb + Ast', 'player_points_rebounds_assists'],
      ['nba', 'Points, rebounds & assists by the player', 'player_points_rebounds_assists'],
      ['nba', 'Total Rebounds + Points', 'player_points_rebounds'],
      ['ncaab', 'Asts and Rebs O/U', 'player_rebounds_assists'],
      ['nba', 'R+A', 'player_rebounds_assists'],
      ['wnba', '3-Pointers Made', 'player_threes'],
      ['wnba', '3-point field goals made by the player', 'player_threes'],
      ['nfl', 'Receiving Yards', 'player_reception_yds'],
      ['nfl', 'Anytime TD', 'player_anytime_td'],
      ['nfl', 'Total Points', 'total'],
      ['mlb', 'Home Runs', 'batter_home_runs'],
      ['mlb', 'Total Bases', 'batter_total_bases'],
      ['nhl', 'SOG', 'player_shots_on_goal'],
      ['nhl', 'Total Goals', 'player_goals'],
      ['nhl', 'Shots on goal by the player - Inc. OT', 'player_shots_on_goal'],
      ['nba', 'Points - 1st Quarter', 'player_points_q1'],
      ['nba', 'Points + Threes', 'player_points_threes'],
      ['nba', 'player_points_alternate', 'player_points'],
      ['nfl', 'Player Reception Yds', 'player_reception_yds'],
      ['nfl', 'player_points_alternate', 'player_points_alternate'],
      ['tennis', 'Points', 'points'],
    ] as const)
      expect(marketMeant(sport, word, true), `${sport} ${word}`).to.deep.equal({ market });
    expect(marketMeant('nba', 'Total Points')).to.deep.equal({ market: 'total' });
    expect(meant('Points', { sport: 'nba' })).to.have.nested.property('markets[1].market', 'player_points');
    expect(marketMeant('soccer', 'Total Goals inc. overtime')).to.have.property(
      'market',
      'total_goals_inc_overtime',
    );
    expect(marketMeant('nba', 'Total Rebonds by the player', true)).to.deep.equal({
      suggestion: 'player_rebounds',
    });
    expect(marketMeant('mlb', 'batter_hist', true)).to.deep.equal({ suggestion: 'batter_hits' });
    expect(marketMeant('nba', 'Assits', true)).to.deep.equal({ suggestion: 'player_assists' });
  });

  it('are matched without regard to case, spaces, punctuation, and the plural', () => {
    const separators = fc.array(fc.constantFrom(' ', '_', ' - ', ' / '), { minLength: 9, maxLength: 9 });
    const cases = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(
        fc.constantFrom(...listed),
        separators,
        cases,
        fc.boolean(),
        ({ sport, word, market }, between, upper, plural) => {
          const parts = word.toLowerCase().match(/[a-z0-9]+/g)!;
          const text = parts.map((part, at) => (at === 0 ? part : between[at % 9]! + part)).join('');
          const written = [...text].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join('');
          const whole = `${written}${plural && !/s$/i.test(word) && parts.at(-1)!.length > 2 ? 's' : ''}`;
          expect(marketMeant(sport, whole), whole).to.deep.equal({ market });
        },
      ),
    );
  });

  it('include the names, labels, and provider keys of every declared market in every sport', () => {
    for (const { name, label, oddsApi } of markets)
      for (const word of [name, label, oddsApi.key, oddsApi.alternates ?? name])
        for (const sport of [...Object.keys(words), undefined])
          expect(marketMeant(sport, word), `${sport} ${word}`).to.deep.equal({ market: name });
  });

  it('leave known markets and parsed slugs unchanged', () => {
    const keys = new Set(markets.flatMap(({ oddsApi }) => [oddsApi.key, oddsApi.alternates]));
    for (const { name } of known.filter((each) => !keys.has(each.name) && each.name !== 'handicap'))
      expect(marketMeant('nfl', name)).to.deep.equal({ market: name });
    expect(marketMeant('nba', 'Draw-No-Bet')).to.deep.equal({ market: 'draw_no_bet' });
    expect(marketMeant('nba', 'Totals Q1')).to.deep.equal({ market: 'totals_q1' });
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(words)), fc.string(), (sport, text) => {
        const once = meant(text, { sport });
        if (once?.kind !== 'market') return;
        const { market, subject } = once;
        expect(meant(market, { sport })).to.deep.equal({ kind: 'market', market, subject });
      }),
    );
  });

  it('suggest the market if one letter is wrong, missing, added, or swapped', () => {
    const typos: Record<string, Record<string, string>> = {
      nfl: {
        spraed: 'spread',
        sprea: 'spread',
        'Point Spred': 'spread',
        moneylnie: 'moneyline',
        'mony line': 'moneyline',
        totla: 'total',
        'over/undr': 'total',
        '1st half spraed': 'first_half_spread',
        frist_half_total: 'first_half_total',
        'team totl': 'team_total',
      },
      nhl: { 'pukc line': 'spread' },
      mlb: { 'run lien': 'spread' },
      soccer: { 'asain handicap': 'spread', 'match reslt': 'moneyline' },
    };
    for (const { sport, word, market } of inSports(typos))
      expect(marketMeant(sport, word), word).to.deep.equal({ suggestion: market });
    // Words with two slips, or with one in a word of another sport, a short word, or a number.
    for (const [sport, word] of [
      ['nfl', 'sprde'],
      ['nfl', 'ttoatl'],
      ['nba', 'pukc line'],
      ['nfl', 'mk'],
      ['nfl', '2h total'],
      ['soccer', '2-way moneyline'],
    ] as const)
      expect(marketMeant(sport, word)).not.to.have.property('suggestion');
  });

  it('suggest a market for every slip in its name', () => {
    const place = fc.nat();
    const slip = fc.constantFrom('change', 'add', 'remove', 'swap');
    fc.assert(
      fc.property(
        fc.constantFrom(...markets),
        place,
        slip,
        fc.constantFrom(...letters),
        ({ name }, seed, kind, letter) => {
          const word = plain(name);
          const at = seed % word.length;
          const [before, here, after] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
          const written = {
            change: before + letter + after,
            add: before + letter + here + after,
            remove: before + after,
            swap: before + (after[0] ?? '') + here + after.slice(1),
          }[kind];
          expect(distance(written, word)).to.be.at.most(1);
          const meaning = marketMeant('curling', written);
          // A slip may yield another name, such as one with a trailing s.
          if ('suggestion' in meaning) expect(meaning.suggestion).to.equal(name);
          else expect(meaning).to.have.property('market', name);
        },
      ),
    );
  });

  it('mean one market without a sport if no sport disagrees', () => {
    for (const [word, market] of Object.entries({
      'puck line': 'spread',
      ML: 'moneyline',
      Corners: 'corners',
    }))
      expect(marketMeant(undefined, word)).to.deep.equal({ market });
  });
});

describe('words of markets without a declaration', () => {
  it('of two bets at one price mean neither of them', () => {
    for (const name of ['BTTS and Over 2.5', 'Over 2.5 & BTTS', 'Moneyline and Over 2.5', 'DNB + over 1.5']) {
      const found = meant(name, { sport: 'soccer' });
      expect(found?.kind === 'market' && found.subject, name).to.equal('question');
    }
  });

  it('of a run in the first inning mean its total', () => {
    const total = { kind: 'market', market: 'totals_1st_1_innings', subject: 'game', line: 0.5 };
    for (const name of ['NRFI', 'No Run First Inning', 'no runs in the 1st inning'])
      expect(meant(name, { sport: 'mlb' }), name).to.deep.equal({ ...total, side: 'under' });
    for (const name of ['YRFI', 'Run in first inning'])
      expect(meant(name, { sport: 'mlb', hasSubject: true }), name).to.deep.equal({ ...total, side: 'over' });
    expect(meant('Runs in 1st inning', { sport: 'mlb' })).to.not.have.property('side');
  });

  it('mean punts, aces, and double faults, which are no double', () => {
    expect(marketMeant('nfl', 'Total Punts')).to.include({ market: 'punts' });
    expect(marketMeant('tennis', 'Double Faults')).to.include({ market: 'player_double_faults' });
    expect(marketMeant('tennis', 'aces')).to.include({ market: 'player_aces' });
    expect(meant('double', { sport: 'tennis' })?.kind).to.equal('refused');
  });
});

describe('other words for sides', () => {
  const side = (sport: string, market: string, written: string) =>
    sideMeant(sport, marketMeant(sport, market) as { market: string }, written);

  it('mean the matching side of the market', () => {
    for (const [market, written, expected] of [
      ['total', 'Over', 'over'],
      ['total', 'UNDER', 'under'],
      ['total', 'o', 'over'],
      ['first_half_total', 'U', 'under'],
      ['spread', 'Home', 'home'],
      ['moneyline', 'A', 'away'],
      ['team_total', 'Home Over', 'home_over'],
      ['team_total', 'away-under', 'away_under'],
      ['Home Team Total', 'Over', 'home_over'],
      ['away total', 'u', 'away_under'],
      // Sides of other markets, or of no declared one.
      ['total', 'Home', 'home'],
      ['moneyline', '1', '1'],
      ['first_touchdown', 'O', 'o'],
      ['first_touchdown', 'Ada Lovelace', 'ada_lovelace'],
    ] as const)
      expect(side('nfl', market, written), `${market} ${written}`).to.equal(expected);
  });

  it('include 1, X, and 2 in soccer', () => {
    const read = (market: string) => ['1', 'X', '2'].map((written) => side('soccer', market, written));
    expect(read('1X2')).to.deep.equal(['home', 'draw', 'away']);
    expect(read('moneyline')).to.deep.equal(['home', 'draw', 'away']);
    expect(read('asian handicap')).to.deep.equal(['home', 'x', 'away']);
    expect(read('correct_score')).to.deep.equal(['1', 'x', '2']);
  });

  it('leave the sides of declared markets unchanged', () => {
    for (const { name } of markets)
      for (const each of marketSides(name, 3)!)
        for (const sport of ['nfl', 'soccer']) expect(side(sport, name, each)).to.equal(each);
  });
});
