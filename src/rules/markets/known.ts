/** Parts of a game that The Odds API prices separately. */
const periods = [
  ...['h1', 'h2', 'q1', 'q2', 'q3', 'q4', 'p1', 'p2', 'p3'],
  ...[1, 3, 5, 7].map((innings) => `1st_${innings}_innings`),
];

const pricedByPeriod = [
  ...['h2h', 'h2h_3_way', 'spreads', 'alternate_spreads', 'totals', 'alternate_totals'],
  ...['team_totals', 'alternate_team_totals'],
];

/** The Odds API's keys of player markets that no box score grades. */
export const otherPlayerMarkets: readonly string[] = [
  'player_blocks_steals',
  'player_triple_double',
  'player_first_basket',
  'player_first_team_basket',
  'player_field_goals',
  'player_frees_made',
  'player_frees_attempts',
  'player_points_q1',
  'player_rebounds_q1',
  'player_assists_q1',
  'player_defensive_interceptions',
  'player_kicking_points',
  'player_pass_longest_completion',
  'player_pass_rush_yds',
  'player_pass_rush_reception_tds',
  'player_pass_rush_reception_yds',
  'player_pass_yds_q1',
  'player_pats',
  'player_reception_longest',
  'player_reception_tds',
  'player_rush_longest',
  'player_rush_reception_tds',
  'player_rush_reception_yds',
  'player_rush_tds',
  'player_sacks',
  'player_solo_tackles',
  'player_tackles_assists',
  'player_tds_over',
  'player_1st_td',
  'player_last_td',
  'batter_first_home_run',
  'batter_hits_runs_rbis',
  'batter_singles',
  'batter_doubles',
  'batter_triples',
  'batter_walks',
  'batter_strikeouts',
  'batter_stolen_bases',
  'pitcher_record_a_win',
  'pitcher_hits_allowed',
  'pitcher_walks',
  'pitcher_earned_runs',
  'player_power_play_points',
  'player_blocked_shots',
  'player_goal_scorer_first',
  'player_goal_scorer_last',
  'player_goal_scorer_anytime',
  'player_first_goal_scorer',
  'player_last_goal_scorer',
  'player_to_receive_card',
  'player_to_receive_red_card',
  'player_shots_on_target',
  'player_shots',
];

/** The Odds API's keys of tournament markets. */
const tournamentMarkets = ['outrights', 'outrights_lay'];

/**
 * The Odds API's keys of markets about a game, its parts, its teams, and its players. A market without a declaration is known only by name:
 * it needs a subject, and result events grade it (docs/rules/markets.md).
 */
export const knownMarkets: readonly string[] = [
  ...pricedByPeriod,
  ...pricedByPeriod.flatMap((key) => periods.map((period) => `${key}_${period}`)),
  'h2h_lay',
  ...tournamentMarkets,
  ...['draw_no_bet', 'double_chance', 'double_chance_h1', 'double_chance_h2', 'btts', 'btts_h1', 'btts_h2'],
  ...['correct_score', 'correct_score_h1', 'halftime_fulltime', 'corners_1x2'],
  ...['alternate_spreads_corners', 'alternate_totals_corners', 'alternate_team_totals_corners'],
  ...['alternate_spreads_cards', 'alternate_totals_cards'],
  ...otherPlayerMarkets,
];

const aboutGame = new Set(
  knownMarkets.filter((key) => !otherPlayerMarkets.includes(key) && !tournamentMarkets.includes(key)),
);

/** Reports whether a market known only by name is about a game itself, so that its subject is the game's title. */
export function isAboutGame(market: string): boolean {
  return aboutGame.has(market);
}
