import { marketIn, marketNamed } from './index.ts';
import type { Words } from './market.ts';
import { periodOf, periodWords } from './periods.ts';

/** How the sides of a market are written: a team, a team with a line, over or under a line, yes or no, or otherwise. */
export type Shape = 'team' | 'spread' | 'overUnder' | 'teamOverUnder' | 'yesNo' | 'teamOrDraw' | 'other';

/** A market without a declaration, known by name. It needs a subject, and only result events grade it (docs/rules/markets.md). */
export interface KnownMarket {
  name: string;
  about: 'game' | 'player' | 'competition';
  shape: Shape;
  /** It is not a bet on only the game, so a line of text never means it: a series, overtime. */
  isOtherBet?: boolean;
  /** The first name is printed behind its line. */
  words: Words;
}

/** Markets about a game itself, its subject being the title. Each line: name, shape, `!` if a text never means it, words. */
const ofGames = `
btts yesNo both teams to score|btts|gg|both teams score|both to score|goal no goal|gg ng|ambos marcan|ambos equipos marcan|beide teams treffen|beide treffen|beide teams scoren|beide scoren|gol nogol|gol no gol|gol gol|bada lagen gor mal|begge lag scorer|begge hold scorer|obie druzyny strzela|obie strzela|entrambe segnano|les deux equipes marquent|deux equipes marquent|ambas marcam|ambas equipas marcam|goal goal
double_chance teamOrDraw double chance|dc|or draw|or tie|draw or|oder unentschieden|oder remis|unentschieden oder|of gelijkspel|gelijkspel of|ou nul|nul ou|ou match nul|ou empate|empate ou|o empate|empate o|o pareggio|pareggio o|eller uavgjort|eller uafgjort|eller oavgjort|lub remis|dubbele kans|dubbelchans|dobbeltsjanse|podwojna szansa|doppelte chance|doppia chance|doble oportunidad|dupla chance|dupla hipotese
draw_no_bet team draw no bet|dnb|tie no bet|gelijkspel geen weddenschap|unentschieden keine wette|empate no accion|empate apuesta no valida|empate no valido|empate no apuesta|rembourse si nul|empate anula aposta|empate anula|rimborso pareggio|ebr|remis bez zakladu
correct_score other correct score|marcador correcto|exact score|cs|resultado exacto|risultato esatto|genaues ergebnis
halftime_fulltime other halftime fulltime|half time full time|ht ft|htft|double result|halbzeit endstand|parziale finale|descanso final|intervalo final|mi temps fin de match|rust eindstand|rust einde
corners_1x2 team most corners|corner 1x2|corners 1x2|corner match bet
corners overUnder corners|total corners|corner count|corner kicks|eckballe|ecken|calci d angolo|corner totali|tiros de esquina|saques de esquina|escanteios|cantos|angoli|corners totales|rzuty rozne|hornor|hjornespark|hoekschoppen|kulmat|kornerit
cards overUnder cards|total cards|bookings|total bookings|tarjetas|karten|cartellini|cartons|cartoes|kaarten|kort|kartki|tarjetas totales|cartellini totali
yellow_cards overUnder yellow cards|total yellow cards|yellows|gelbe karten|cartellini gialli|tarjetas amarillas|cartons jaunes|cartoes amarelos|gula kort|gule kort|gele kaarten|zolte kartki
booking_points overUnder booking points|bookings points|total booking points|card points|cards points
punts overUnder punts|total punts|number of punts
shots_on_target overUnder shots on target|total shots on target|match shots on target|remates a puerta|tiros a puerta|tirs cadres|tiri in porta|torschusse
fouls overUnder fouls|total fouls|faltas|falli|fautes|overtredingen|faule
offsides overUnder offsides|total offsides|abseits|fuorigioco|fuera de juego|fueras de juego|hors jeu|impedimentos
throw_ins overUnder throw ins|total throw ins|saques de banda|rimesse laterali|einwurfe
goal_kicks overUnder goal kicks|total goal kicks|saques de meta|abstosse
to_qualify team! to qualify|to advance|qualify|to go through|to progress|clasificacion|passaggio turno|aufstieg
to_lift_the_trophy team! to lift the trophy|lift the trophy|to win the trophy
both_halves team win both halves|to win both halves|both halves
either_half team win either half|to win either half
clean_sheet team clean sheet|to keep a clean sheet
win_to_nil team win to nil|to win to nil
first_to_score team first to score|first team to score|team to score first|to score first|first goal team|erstes tor|1ere equipe a marquer|premiere equipe a marquer|primer equipo en marcar|prima squadra a segnare
last_to_score team last to score|last team to score|team to score last
odd_even other odd even|total odd even|odds evens|even odd|goals odd even|points odd even|par impar|pari dispari|gerade ungerade
winning_margin other winning margin|margin of victory|win margin
race_to other race to|race to points
first_set_winner team! first set winner|1st set winner|set 1 winner|1st set|first set|set 1
set_handicap spread! set handicap|set spread|sets handicap|set betting handicap
total_sets overUnder! sets|total sets|number of sets
set_betting other set betting|set score|correct set score
method_of_victory other method of victory|method|winning method|how won
round_betting other round betting|round winner|winning round|round of victory
goes_the_distance yesNo! fight to go the distance|go the distance|goes the distance|distance
will_there_be_overtime yesNo! overtime yes no|will there be overtime|will there be extra innings|will there be extra time
european_handicap other european handicap|3 way handicap|three way handicap|handicap 3 way|handicap result|handicap 1x2|eh
handicap spread! handicap|hcp|hc|handikap
series team! series|series winner|series price|series moneyline|series ml|to win series|win series|to win the series|playoff series
series_spread spread! series spread|series handicap
series_total_games overUnder! series total games|total games in series|series total|series length|games in series|number of games in series
extra_time team! extra time|extra time result|to win in extra time|overtime|overtime winner|overtime result|ot|supplementari|verlangerung|prorroga
penalty_shootout team! penalty shootout|to win on penalties|penalties|shootout winner
`;

/**
 * Markets about a player without a box score: name, `?` if the answers are yes and no, sports, words. A list of other markets in braces: it
 * is their sum.
 */
const ofPlayers = `
player_blocks_steals [nba wnba ncaab] steals + blocks|stocks|blocks steals|stl blk|stls blks
player_triple_double? [nba wnba ncaab] triple double|td3|trip dub
player_first_basket? [nba wnba ncaab] first basket|1st basket|first bucket|first basket scorer
player_first_team_basket? [nba wnba ncaab] first team basket
player_field_goals [nba wnba ncaab] field goals|field goals made|fgm
player_frees_made [nba wnba ncaab] free throws made|ft made|ftm|free throws
player_frees_attempts [nba wnba ncaab] frees attempts|free throws attempted|fta
player_defensive_interceptions [nfl ncaaf] defensive interceptions|ints|interceptions|~int|~picks
player_kicking_points [nfl ncaaf] kicking points|kicker points
player_pass_longest_completion [nfl ncaaf] longest completion|longest pass|long completion|longest passing completion
player_pass_rush_yds [nfl ncaaf] passing + rushing yards|pass rush yds|pass rush yards|passing rushing yards|~pass rush
player_pass_rush_reception_tds [nfl ncaaf] pass rush reception tds
player_pass_rush_reception_yds [nfl ncaaf] pass rush reception yds
player_pats [nfl ncaaf] pats|extra points made
player_reception_longest [nfl ncaaf] longest reception|long rec|longest rec|longest catch
player_reception_tds [nfl ncaaf] receiving tds|receiving touchdowns|reception tds
player_rush_longest [nfl ncaaf] longest rush|long rush
player_rush_reception_tds [nfl ncaaf] rush reception tds|rushing receiving touchdowns|rush rec tds
player_rush_reception_yds [nfl ncaaf] rushing + receiving yards|rush rec yds|rush rec yards|rush reception yds|rushing receiving yards|rushing receiving yds|scrimmage yards|~r r yds|~rush rec
player_rush_tds [nfl ncaaf] rush tds|rushing tds|rushing touchdowns
player_sacks [nfl ncaaf] sacks|~sack
player_solo_tackles [nfl ncaaf] solo tackles
player_tackles_assists [nfl ncaaf] tackles + assists|tackles assists|tackles|~t a
player_tds_over [nfl ncaaf] touchdowns|tds|total touchdowns|~td|~touchdown
player_1st_td? [nfl ncaaf] first touchdown|first td|1st td|ftd|first td scorer|first touchdown scorer|to score first td|to score first touchdown
player_last_td? [nfl ncaaf] last touchdown|last td|last td scorer
batter_first_home_run? [mlb] first home run|first hr
batter_hits_runs_rbis [mlb] hits + runs + rbis|hrr|h r rbi|hits runs rbi
batter_singles [mlb] batter singles|~singles|~single
batter_doubles [mlb] batter doubles|~doubles|~double
batter_triples [mlb] batter triples|~triples|~triple
batter_walks [mlb] batter walks|walks|~bb|~bbs
batter_strikeouts [mlb] batter strikeouts|strikeouts|~strikeout|~k|~ks|~k s|~so
batter_stolen_bases [mlb] batter stolen bases|stolen bases|stolen base|sb|sbs|~steals
pitcher_record_a_win? [mlb] pitcher record a win|to record a win|pitcher win
pitcher_hits_allowed [mlb] hits allowed|~ha
pitcher_walks [mlb] pitcher walks|walks allowed|walks|~bb|~bbs
pitcher_earned_runs [mlb] earned runs|earned runs allowed|~er|~ers
player_power_play_points [nhl] power play points|pp points|ppp
player_blocked_shots [nhl] blocked shots|blocks|blks
player_goal_scorer_first? [nhl soccer] player goal scorer first
player_goal_scorer_last? [nhl soccer] player goal scorer last
player_goal_scorer_anytime? [nhl soccer] anytime goalscorer|anytime goal|anytime goal scorer|to score anytime|goal scorer|goalscorer|anytime scorer|marcador|torschutze|marcatore|goleador|buteur|doelpuntenmaker|malskytt|~ag|~ags|~to score|~anytime
player_first_goal_scorer? [nhl soccer] first goalscorer|first goal|first goal scorer|fgs
player_last_goal_scorer? [nhl soccer] last goalscorer|last goal scorer
player_to_receive_card? [soccer] to receive card|to be booked|to be carded|carded|booked|player card
player_to_receive_red_card? [soccer] to receive red card|player red card
player_shots_on_target [soccer] player shots on target|~sot|~shots on target
player_shots [soccer] player shots|~shots
player_aces [tennis] aces|total aces|~ace
player_double_faults [tennis] double faults|total double faults|~double fault
`;

/** Summands of sums that are not the declared markets in their order: a text may name them in any order. */
export const sums: Readonly<Record<string, string>> = {
  player_points_rebounds_assists: 'player_points player_rebounds player_assists',
  player_points_rebounds: 'player_points player_rebounds',
  player_points_assists: 'player_points player_assists',
  player_rebounds_assists: 'player_rebounds player_assists',
  player_blocks_steals: 'player_blocks player_steals',
  player_rush_reception_yds: 'player_rush_yds player_reception_yds',
  player_pass_rush_yds: 'player_pass_yds player_rush_yds',
  player_pass_rush_reception_yds: 'player_pass_yds player_rush_yds player_reception_yds',
  batter_hits_runs_rbis: 'batter_hits batter_runs_scored batter_rbis',
};

/** Markets of competitions. In sports without many leagues of their own, a winner is that of the match or of the tournament. */
const competitionMarkets: readonly KnownMarket[] = [
  {
    name: 'outrights',
    about: 'competition',
    shape: 'other',
    words: {
      '': 'outright|outright winner|tournament winner|to win tournament|to win the tournament|league winner|to win the league|title|champion|championship|futures|future|langzeitwette|campeon|vincente torneo|antepost|season wins|regular season wins',
      'soccer tennis': 'winner|win|to win|ganador|sieger|vincente',
    },
  },
  { name: 'outrights_lay', about: 'competition', shape: 'other', words: '' },
];

/** The key of The Odds API for prices of each market by part of the game. */
const pricedByPeriod = ['h2h', 'h2h_3_way', 'spreads', 'totals', 'team_totals'].flatMap((key) =>
  key.startsWith('h2h') ? key : [key, `alternate_${key}`],
);

/** The Odds API's other keys of markets about a game. */
const providerKeys = [
  ...pricedByPeriod,
  ...pricedByPeriod.flatMap((key) =>
    Object.keys(periodWords).flatMap((period) => (period === 'regulation' ? [] : [`${key}_${period}`])),
  ),
  'h2h_lay',
  'double_chance_h1',
  'double_chance_h2',
  'btts_h1',
  'btts_h2',
  'correct_score_h1',
  'alternate_spreads_corners',
  'alternate_totals_corners',
  'alternate_team_totals_corners',
  'alternate_spreads_cards',
  'alternate_totals_cards',
];

const threeWays =
  '3 way|three way|1x2|3 way moneyline|moneyline 3 way|ml 3 way|three way moneyline|3 way result|regulation moneyline|60 minute line|60 minutes line|3 way line|3 weg|dreiweg|3 wege';

export const known: readonly KnownMarket[] = [
  ...providerKeys.map((name): KnownMarket => {
    const words = name === 'h2h_3_way' ? { 'nhl nba nfl wnba ncaab ncaaf mlb': threeWays } : '';
    return { name, about: 'game', shape: /^h2h/.test(name) ? 'team' : 'other', words };
  }),
  ...rows(ofGames, /^(\S+) (\w+)(!?) (.+)$/).map(
    ([name, shape, isOther, words]): KnownMarket => ({
      name: name!,
      about: 'game',
      shape: shape as Shape,
      isOtherBet: isOther === '!',
      words: words!,
    }),
  ),
  ...rows(ofPlayers, /^(\w+)(\??) \[(.+)\] (.+)$/).map(
    ([name, question, sports, words]): KnownMarket => ({
      name: name!,
      about: 'player',
      shape: question === '' ? 'overUnder' : 'yesNo',
      words: { [sports!]: words! },
    }),
  ),
  ...['player_points_q1', 'player_rebounds_q1', 'player_assists_q1', 'player_pass_yds_q1'].map(
    (name): KnownMarket => ({ name, about: 'player', shape: 'overUnder', words: '' }),
  ),
  ...competitionMarkets,
];

function rows(table: string, pattern: RegExp): string[][] {
  return table
    .trim()
    .split('\n')
    .map((row) => pattern.exec(row)!.slice(1));
}

const byName = new Map(known.map((market) => [market.name, market]));

/** Returns the market without a declaration that is known under a name, or undefined. */
export function knownMarket(name: string): KnownMarket | undefined {
  return byName.get(name);
}

/** Returns what an undeclared market is about. Undefined: only its bettors know. */
export function aboutOf(market: string): KnownMarket['about'] | undefined {
  const { whole, period } = periodOf(market);
  const about = (byName.get(market) ?? byName.get(whole))?.about;
  if (about !== undefined || period === undefined) return about;
  const declared = marketNamed(whole);
  if (declared === undefined) return undefined;
  return declared.gradedBy === 'stat' ? 'player' : 'game';
}

/** Returns how the sides of a market of games are written; undefined for markets of players and for unknown ones. */
export function shapeOf(sport: string, market: string): Shape | undefined {
  const declared = marketIn(sport, market);
  if (declared === undefined) {
    const own = byName.get(market);
    return own?.about === 'game' ? own.shape : undefined;
  }
  if (declared.gradedBy === 'stat') return undefined;
  const sides = declared.contests(3).flat();
  if (sides.includes('yes')) return 'yesNo';
  if (sides.includes('home_over')) return 'teamOverUnder';
  if (sides.includes('over')) return 'overUnder';
  if (!sides.includes('home')) return 'other';
  return declared.line === null ? 'team' : 'spread';
}

/** Reports whether the answers to a player's market are yes and no, without a line. */
export function isQuestion(market: string): boolean {
  const declared = marketNamed(market);
  return declared === undefined ? byName.get(market)?.shape === 'yesNo' : declared.line === null;
}

/** Returns the words for a market beside its line, such as `passing yards`. They read back as that market. */
export function nameOf(market: string): string {
  const words = byName.get(market)?.words;
  const [first] = typeof words === 'object' ? Object.values(words) : [words];
  const label = marketNamed(market)?.label ?? (first?.split('|')[0] || market.replaceAll('_', ' '));
  const named =
    /^(?:player|batter|pitcher) (points|rebounds|assists|threes|steals|blocks|turnovers|goals|shots)/;
  // A comma would end the statistic.
  return label.replace(named, '$1').replace(/,? and |, /g, ' + ');
}
