/** Other names of a market, and the sports in which they mean it; an empty list means all sports. */
export type WordsOfMarket = readonly [market: string, sports: readonly string[], words: readonly string[]];

const basketball = ['nba', 'wnba', 'ncaab'];
const football = ['nfl', 'ncaaf'];
const pointSports = [...basketball, ...football];

/**
 * Other names of game markets. Leaves out names that can mean another market of the sport: a handicap in soccer can have three sides, and a
 * 1X2 in hockey ends with the third period.
 */
export const gameWords: readonly WordsOfMarket[] = [
  ['moneyline', [], ['ml', 'h2h', 'head to head', 'straight up', 'match winner']],
  ['moneyline', [...pointSports, 'mlb', 'nhl', 'mma'], ['winner', 'to win']],
  ['moneyline', ['tennis'], ['match odds']],
  ['moneyline', ['mma'], ['fight winner', 'bout winner']],
  [
    'moneyline',
    ['soccer'],
    ['1x2', 'result', 'match odds', 'win draw win', '3 way', 'three way', 'h2h 3 way'],
  ],
  ['moneyline', ['soccer'], ['3 way moneyline', 'three way moneyline', '3 way result', 'full time result']],
  ['moneyline', ['soccer'], ['ft result', 'full time 1x2', 'ft 1x2', '1x2 full time', '1x2 ft']],
  ['spread', [], ['ats', 'point spread', 'against the spread']],
  ['spread', pointSports, ['handicap', 'point handicap']],
  ['spread', ['nhl'], ['puck line', 'pl', 'handicap', 'goal spread', 'goal handicap']],
  ['spread', ['mlb'], ['run line', 'rl', 'handicap', 'run spread', 'run handicap']],
  ['spread', ['soccer'], ['asian handicap', 'ah', 'asian spread', 'goal spread']],
  ['spread', ['tennis'], ['games spread', 'games handicap', 'game handicap']],
  ['total', [], ['over under', 'ou', 'total over under', 'over under total']],
  ['total', pointSports, ['total points', 'points total', 'points over under', 'over under points']],
  ['total', ['mlb'], ['total runs', 'runs total', 'runs over under', 'over under runs']],
  ['total', ['nhl', 'soccer'], ['total goals', 'goals total', 'goals over under', 'over under goals']],
  ['total', ['soccer'], ['asian total']],
  ['total', ['tennis'], ['total games', 'games total', 'games over under', 'over under games']],
  ['total', ['mma'], ['total rounds', 'rounds total', 'rounds over under', 'over under rounds']],
  ['team_total', [], ['tt', 'team over under', 'team ou']],
  ['team_total', pointSports, ['team points', 'team total points', 'total team points']],
  ['team_total', ['mlb'], ['team runs', 'team total runs', 'total team runs']],
  ['team_total', ['nhl', 'soccer'], ['team goals', 'team total goals', 'total team goals']],
];

/** Other names of markets without a declaration. */
export const knownWords: readonly (readonly [word: string, market: string])[] = [
  ['dnb', 'draw_no_bet'],
  ['both teams to score', 'btts'],
  ['both teams score', 'btts'],
];

/**
 * Other names of player markets. Leaves out names that can concern another kind of player: strikeouts belong to pitchers or batters, and
 * interceptions are thrown or caught.
 */
export const playerWords: readonly WordsOfMarket[] = [
  ['player_points', [...basketball, 'nhl'], ['points', 'pts', 'points scored']],
  ['player_rebounds', basketball, ['rebounds', 'rebs', 'reb']],
  ['player_assists', [...basketball, 'nhl'], ['assists', 'asts', 'ast']],
  [
    'player_threes',
    basketball,
    ['threes', 'threes made', 'made threes', '3pm', '3s', '3 pointers', '3 pointers made'],
  ],
  [
    'player_threes',
    basketball,
    ['three pointers', 'three pointers made', 'three made', '3pt made', '3pt field goals'],
  ],
  ['player_threes', basketball, ['3 point field goals', '3 point field goals made', 'made 3 pointers']],
  ['player_steals', basketball, ['steals', 'stl']],
  ['player_blocks', basketball, ['blocks', 'blk']],
  ['player_turnovers', basketball, ['turnovers', 'tov']],
  ['player_points_rebounds_assists', basketball, ['points rebounds assists', 'pra']],
  ['player_points_rebounds', basketball, ['points rebounds', 'p r']],
  ['player_points_assists', basketball, ['points assists', 'p a']],
  ['player_rebounds_assists', basketball, ['rebounds assists', 'r a']],
  ['player_double_double', basketball, ['double double']],
  ['player_pass_yds', football, ['passing yards', 'pass yards', 'passing yds', 'pass yds']],
  ['player_pass_tds', football, ['passing touchdowns', 'pass touchdowns', 'passing tds', 'pass tds']],
  ['player_pass_completions', football, ['completions', 'pass completions', 'passing completions']],
  ['player_pass_attempts', football, ['pass attempts', 'passing attempts', 'pass atts', 'passing atts']],
  [
    'player_pass_interceptions',
    football,
    ['interceptions thrown', 'passing interceptions', 'pass interceptions'],
  ],
  ['player_rush_yds', football, ['rushing yards', 'rush yards', 'rushing yds', 'rush yds']],
  [
    'player_rush_attempts',
    football,
    ['rushing attempts', 'rush attempts', 'rushing atts', 'rush atts', 'carries'],
  ],
  ['player_receptions', football, ['receptions', 'recs', 'catches']],
  [
    'player_reception_yds',
    football,
    ['receiving yards', 'reception yards', 'rec yards', 'receiving yds', 'rec yds'],
  ],
  [
    'player_anytime_td',
    football,
    ['anytime td', 'anytime touchdown', 'anytime td scorer', 'anytime touchdown scorer'],
  ],
  ['batter_hits', ['mlb'], ['hits']],
  ['batter_home_runs', ['mlb'], ['home runs', 'hr', 'homers']],
  ['batter_rbis', ['mlb'], ['rbi', 'runs batted in']],
  ['batter_runs_scored', ['mlb'], ['runs scored']],
  ['batter_total_bases', ['mlb'], ['bases', 'total bases']],
  ['pitcher_strikeouts', ['mlb'], ['strikeouts thrown', 'pitching strikeouts', 'pitcher ks']],
  ['pitcher_outs', ['mlb'], ['outs recorded', 'pitching outs', 'pitcher outs recorded']],
  ['player_goals', ['nhl'], ['goals', 'goals scored']],
  ['player_shots_on_goal', ['nhl'], ['shots on goal', 'sog']],
  ['player_total_saves', ['nhl'], ['saves', 'goalie saves', 'goaltender saves']],
];
