import { marketIn, marketNamed } from '../markets/index.ts';
import { otherPlayerMarkets } from '../markets/known.ts';
import { marketMeant } from '../markets/names.ts';
import { plainWords } from '../plain-name.ts';

/** Short words for player markets. If a word has several markets, the line or the person who posts the bet decides. */
const short: readonly (readonly [sports: string, words: string, markets: string])[] = [
  ['nba wnba ncaab', 'p|point', 'player_points'],
  [
    'nba wnba ncaab',
    '3|3s|3pt|3pts|3ptm|3 pt|3 pts|tpm|treys|three|3 pointer|3 ptm|made 3s',
    'player_threes',
  ],
  ['nba wnba ncaab', 'stls', 'player_steals'],
  ['nba wnba ncaab', 'blks', 'player_blocks'],
  ['nba wnba ncaab', 'tos|to s', 'player_turnovers'],
  ['nba wnba ncaab', 'stocks|stl blk|steals blocks|blocks steals|stls blks', 'player_blocks_steals'],
  ['nba wnba ncaab', 'pr', 'player_points_rebounds'],
  ['nba wnba ncaab', 'pa', 'player_points_assists'],
  ['nba wnba ncaab', 'ra', 'player_rebounds_assists'],
  ['nba wnba ncaab', 'dd|dbl dbl|double dbl', 'player_double_double'],
  ['nba wnba ncaab', 'triple double|td3|trip dub', 'player_triple_double'],
  ['nba wnba ncaab', 'first basket|1st basket|first bucket', 'player_first_basket'],
  ['nba wnba ncaab', 'ft made|ftm|free throws made', 'player_frees_made'],
  [
    'nfl ncaaf',
    'atd|attd|anytime|any time td|any time touchdown|to score a td|to score a touchdown|td scorer|anytime scorer',
    'player_anytime_td',
  ],
  ['nfl ncaaf', 'td|tds|touchdown|touchdowns', 'player_tds_over'],
  [
    'nfl ncaaf',
    'first td|1st td|ftd|first td scorer|first touchdown|first touchdown scorer',
    'player_1st_td',
  ],
  ['nfl ncaaf', 'last td|last td scorer|last touchdown', 'player_last_td'],
  [
    'nfl ncaaf',
    'int|ints|interception|interceptions|picks',
    'player_pass_interceptions player_defensive_interceptions',
  ],
  ['nfl ncaaf', 'passing int|passing ints|pass int|pass ints|ints thrown', 'player_pass_interceptions'],
  ['nfl ncaaf', 'comps|cmp|cmps', 'player_pass_completions'],
  ['nfl ncaaf', 'rec|rec s|recs', 'player_receptions player_reception_yds'],
  ['nfl ncaaf', 'rush|ru yds|rushing', 'player_rush_yds'],
  ['nfl ncaaf', 'passing|pass', 'player_pass_yds'],
  ['nfl ncaaf', 'receiving', 'player_reception_yds'],
  [
    'nfl ncaaf',
    'rush rec|rush rec yds|rush rec yards|rushing receiving yards|rushing receiving yds|rushing and receiving yards|rush and rec yds|r r yds|scrimmage yards',
    'player_rush_reception_yds',
  ],
  [
    'nfl ncaaf',
    'pass rush yds|pass rush yards|passing rushing yards|passing and rushing yards|pass rush',
    'player_pass_rush_yds',
  ],
  ['nfl ncaaf', 'longest reception|long rec|longest rec|longest catch', 'player_reception_longest'],
  ['nfl ncaaf', 'longest rush|long rush', 'player_rush_longest'],
  ['nfl ncaaf', 'longest completion|longest pass|long completion', 'player_pass_longest_completion'],
  ['nfl ncaaf', 'tackles assists|tackles and assists|t a|tackles', 'player_tackles_assists'],
  ['nfl ncaaf', 'sacks|sack', 'player_sacks'],
  ['nfl ncaaf', 'kicking points|kicker points', 'player_kicking_points'],
  ['mlb', 'k|ks|k s|so|strikeout|strikeouts', 'pitcher_strikeouts batter_strikeouts'],
  ['mlb', 'tb|tbs', 'batter_total_bases'],
  ['mlb', 'hrs|home run|homer|hr s', 'batter_home_runs'],
  ['mlb', 'runs|run', 'batter_runs_scored'],
  ['mlb', 'hit', 'batter_hits'],
  ['mlb', 'rbis', 'batter_rbis'],
  ['mlb', 'hrr|h r rbi|hits runs rbi|hits runs rbis|hits runs and rbis|h r rbis', 'batter_hits_runs_rbis'],
  ['mlb', 'er|ers|earned runs|earned runs allowed', 'pitcher_earned_runs'],
  ['mlb', 'ha|hits allowed', 'pitcher_hits_allowed'],
  ['mlb', 'walks allowed', 'pitcher_walks'],
  ['mlb', 'bb|bbs|walks', 'batter_walks pitcher_walks'],
  ['mlb', 'sb|sbs|stolen bases|stolen base|steals', 'batter_stolen_bases'],
  ['mlb', 'singles|single', 'batter_singles'],
  ['mlb', 'doubles|double', 'batter_doubles'],
  ['mlb', 'triples|triple', 'batter_triples'],
  ['mlb', 'outs|out', 'pitcher_outs'],
  ['nhl', 's|shots', 'player_shots_on_goal'],
  ['nhl', 'point|pt|pts', 'player_points'],
  ['nhl', 'assist|a', 'player_assists'],
  ['nhl', 'pp points|power play points|ppp', 'player_power_play_points'],
  ['nhl', 'blocked shots|blocks|blks', 'player_blocked_shots'],
  [
    'nhl soccer',
    'ag|ags|anytime goal|anytime goalscorer|anytime goal scorer|to score|to score anytime|goal scorer|goalscorer|anytime scorer|anytime',
    'player_goal_scorer_anytime',
  ],
  ['nhl soccer', 'first goal|first goalscorer|first goal scorer|fgs', 'player_first_goal_scorer'],
  ['soccer', 'sot|shots on target', 'player_shots_on_target'],
  ['soccer', 'shots', 'player_shots'],
  ['soccer', 'to be booked|to be carded|carded|booked', 'player_to_receive_card'],
];

const bySport = new Map<string, Map<string, readonly string[]>>();
for (const [sports, words, markets] of short)
  for (const sport of sports.split(' ')) {
    const own = bySport.get(sport) ?? new Map<string, readonly string[]>();
    bySport.set(sport, own);
    for (const word of words.split('|')) own.set(keyOf(word), markets.split(' '));
  }

/** Maximum number of words for a statistic: `rushing and receiving yards`. */
export const maxStatisticWords = 6;

const others = new Set(otherPlayerMarkets);

/** Caches lookups, because the same few words recur in every text. */
const cached = new Map<string, readonly string[]>();
const maxCached = 20_000;

/** Returns the player markets that words name in a sport. */
export function playerMarketsMeant(sport: string, text: string): readonly string[] {
  const key = `${sport}\n${text}`;
  const before = cached.get(key);
  if (before !== undefined) return before;
  const markets = lookUp(sport, text);
  if (cached.size >= maxCached) cached.clear();
  cached.set(key, markets);
  return markets;
}

function lookUp(sport: string, text: string): readonly string[] {
  const key = keyOf(text);
  if (key === '') return [];
  const own = bySport.get(sport)?.get(key);
  if (own !== undefined) return own;
  if (key.length < 2) return [];
  const meaning = marketMeant(sport, text, true);
  if (!('market' in meaning)) return [];
  const { market } = meaning;
  if (marketNamed(market)?.gradedBy === 'stat') return marketIn(sport, market) === undefined ? [] : [market];
  return others.has(market) ? [market] : [];
}

const questions = new Set([
  'player_double_double',
  'player_triple_double',
  'player_anytime_td',
  'player_1st_td',
  'player_last_td',
  'player_first_basket',
  'player_first_team_basket',
  'player_goal_scorer_anytime',
  'player_goal_scorer_first',
  'player_goal_scorer_last',
  'player_first_goal_scorer',
  'player_last_goal_scorer',
  'player_to_receive_card',
  'player_to_receive_red_card',
  'batter_first_home_run',
  'pitcher_record_a_win',
]);

/** Reports whether the answers to a market are yes and no, without a line. */
export function isQuestion(market: string): boolean {
  return questions.has(market);
}

/** Names of markets without a label. */
const names: Readonly<Record<string, string>> = {
  player_tds_over: 'touchdowns',
  player_1st_td: 'first touchdown',
  player_last_td: 'last touchdown',
  player_goal_scorer_anytime: 'anytime goalscorer',
  player_first_goal_scorer: 'first goalscorer',
  player_rush_reception_yds: 'rushing + receiving yards',
  player_pass_rush_yds: 'passing + rushing yards',
  player_reception_longest: 'longest reception',
  player_rush_longest: 'longest rush',
  player_pass_longest_completion: 'longest completion',
  player_frees_made: 'free throws made',
  player_blocks_steals: 'steals + blocks',
  batter_hits_runs_rbis: 'hits + runs + rbis',
  pitcher_earned_runs: 'earned runs',
  pitcher_hits_allowed: 'hits allowed',
};

/** Returns the words for a player market after its line, such as `passing yards`. They read back as that market. */
export function statisticWords(market: string): string {
  const label = names[market] ?? marketNamed(market)?.label ?? market.replaceAll('_', ' ');
  const words =
    /^(?:player|batter|pitcher) (points|rebounds|assists|threes|steals|blocks|turnovers|goals|shots)/;
  // A comma would end the statistic.
  return label.replace(words, '$1').replace(/,? and |, /g, ' + ');
}

function keyOf(text: string): string {
  return plainWords(text).join('');
}
