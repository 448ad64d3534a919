/** The parts of a game that The Odds API prices apart. */
const periods = [
  ...['h1', 'h2', 'q1', 'q2', 'q3', 'q4', 'p1', 'p2', 'p3'],
  ...[1, 3, 5, 7].map((innings) => `1st_${innings}_innings`),
];

const pricedByPeriod = [
  ...['h2h', 'h2h_3_way', 'spreads', 'alternate_spreads', 'totals', 'alternate_totals'],
  ...['team_totals', 'alternate_team_totals'],
];

/**
 * The keys of The Odds API for markets about a game, its parts, and its teams. Where no declared market has a key, the market is
 * known by name only: it needs a subject, and result events grade it (docs/rules/markets.md).
 */
export const knownMarkets: readonly string[] = [
  ...pricedByPeriod,
  ...pricedByPeriod.flatMap((key) => periods.map((period) => `${key}_${period}`)),
  ...['outrights', 'h2h_lay', 'outrights_lay'],
  ...['draw_no_bet', 'double_chance', 'double_chance_h1', 'double_chance_h2', 'btts', 'btts_h1', 'btts_h2'],
  ...['correct_score', 'correct_score_h1', 'halftime_fulltime', 'corners_1x2'],
  ...['alternate_spreads_corners', 'alternate_totals_corners', 'alternate_team_totals_corners'],
  ...['alternate_spreads_cards', 'alternate_totals_cards'],
];
