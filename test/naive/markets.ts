/** The markets, written out independently: every question about one is answered in the plainest way. */

export const FINAL_SCORE = ['moneyline', 'spread', 'total', 'team_total'];
export const HALF_SCORE = ['first_half_moneyline', 'first_half_spread', 'first_half_total'];

/** Figures of a player's box score to add up, by sport and market. */
const basketballSums: Record<string, string[]> = {
  player_points: ['points'],
  player_rebounds: ['rebounds'],
  player_assists: ['assists'],
  player_threes: ['threes'],
  player_steals: ['steals'],
  player_blocks: ['blocks'],
  player_turnovers: ['turnovers'],
  player_points_rebounds_assists: ['points', 'rebounds', 'assists'],
  player_points_rebounds: ['points', 'rebounds'],
  player_points_assists: ['points', 'assists'],
  player_rebounds_assists: ['rebounds', 'assists'],
};
const footballSums: Record<string, string[]> = {
  player_pass_yds: ['passing_yards'],
  player_pass_tds: ['passing_touchdowns'],
  player_pass_completions: ['completions'],
  player_pass_attempts: ['passing_attempts'],
  player_pass_interceptions: ['passing_interceptions'],
  player_rush_yds: ['rushing_yards'],
  player_rush_attempts: ['rushing_attempts'],
  player_receptions: ['receptions'],
  player_reception_yds: ['receiving_yards'],
};
export const PLAYER_SUMS: Record<string, Record<string, string[]>> = {
  nba: basketballSums,
  wnba: basketballSums,
  ncaab: basketballSums,
  nfl: footballSums,
  ncaaf: footballSums,
  mlb: {
    batter_hits: ['hits'],
    batter_home_runs: ['home_runs'],
    batter_rbis: ['rbis'],
    batter_runs_scored: ['runs'],
    batter_total_bases: ['total_bases'],
    pitcher_strikeouts: ['strikeouts_thrown'],
    pitcher_outs: ['outs_recorded'],
  },
  nhl: {
    player_goals: ['goals'],
    player_assists: ['assists'],
    player_points: ['goals', 'assists'],
    player_shots_on_goal: ['shots_on_goal'],
    player_total_saves: ['saves'],
  },
};

/** Player markets answered with yes or no, by sport. */
export const PLAYER_QUESTIONS: Record<string, string[]> = {
  nba: ['player_double_double'],
  wnba: ['player_double_double'],
  ncaab: ['player_double_double'],
  nfl: ['player_anytime_td'],
  ncaaf: ['player_anytime_td'],
};

/**
 * Returns how a bet on a player ended, with `half win` if only half won. Null if the box score does not say, or for an undeclared side or
 * line.
 */
export function playerResult(
  sport: string,
  market: string,
  side: string,
  line: number | null,
  box: Record<string, number>,
): string | null {
  const sum = PLAYER_SUMS[sport]?.[market];
  const isQuestion = PLAYER_QUESTIONS[sport]?.includes(market) ?? false;
  if (sum === undefined && !isQuestion) return null;
  const ways = sum === undefined ? ['yes', 'no'] : ['over', 'under'];
  if (!ways.includes(side) || (line === null) !== isQuestion) return null;
  let tell = 'played';
  if (basketballSums === PLAYER_SUMS[sport] && box.minutes !== undefined) tell = 'minutes';
  if (market.startsWith('batter_') && box.plate_appearances !== undefined) tell = 'plate_appearances';
  if (market.startsWith('pitcher_') && box.pitches !== undefined) tell = 'pitches';
  const sign = box[tell];
  if (sign === undefined) return null;
  if (sign <= 0) return 'void';
  const figure = playerFigure(sport, market, box)?.value;
  if (figure === undefined) return null;
  if (isQuestion) {
    const isYes = figure >= (market === 'player_double_double' ? 2 : 1);
    return isYes === (side === 'yes') ? 'win' : 'loss';
  }
  if (figure === line) return 'push';
  const result = figure > line! === (side === 'over') ? 'win' : 'loss';
  return Math.abs(figure - line!) === 0.25 ? `half ${result}` : result;
}

/** Returns the figure of a box score that a market is about; null if the box score does not say. */
export function playerFigure(
  sport: string,
  market: string,
  box: Record<string, number>,
): { name: string; value: number } | null {
  const isDouble = market === 'player_double_double';
  const five = ['points', 'rebounds', 'assists', 'steals', 'blocks'];
  const names = isDouble
    ? five
    : market === 'player_anytime_td'
      ? ['touchdowns']
      : PLAYER_SUMS[sport]?.[market];
  if (names === undefined || names.some((name) => box[name] === undefined)) return null;
  const values = names.map((name) => box[name]!);
  return isDouble
    ? { name: 'double_digits', value: values.filter((value) => value >= 10).length }
    : { name: names.join('_'), value: values.reduce((a, b) => a + b, 0) };
}

/** Returns the whole-game market that a first-half market corresponds to. */
export const wholeGame = (market: string): string => market.replace(/^first_half_/, '');

/**
 * Returns the sides of a bet's contest, including its own, ordered by name; null if they are not known. The totals of two teams are
 * separate contests.
 */
export function rivals(sport: string, market: string, side: string): string[] | null {
  if (PLAYER_SUMS[sport]?.[market] !== undefined && ['over', 'under'].includes(side))
    return ['over', 'under'];
  if (PLAYER_QUESTIONS[sport]?.includes(market) && ['no', 'yes'].includes(side)) return ['no', 'yes'];
  if (![...FINAL_SCORE, ...HALF_SCORE].includes(market)) return null;
  const sets: string[][] = {
    moneyline: [sport === 'soccer' ? ['away', 'draw', 'home'] : ['away', 'home']],
    spread: [['away', 'home']],
    total: [['over', 'under']],
    team_total: [
      ['away_over', 'away_under'],
      ['home_over', 'home_under'],
    ],
  }[wholeGame(market)]!;
  return sets.find((set) => set.includes(side)) ?? null;
}

/** Reports whether picks on two sides of one market are in the same contest: for a team total, only if they are on one team. */
export const sameContest = (market: string, one: string, other: string): boolean =>
  market !== 'team_total' || one.split('_')[0] === other.split('_')[0];

/** The figure behind the line of a player's market, in words. */
const COUNTED: Record<string, string> = {
  player_pass_yds: 'passing yards',
  player_pass_tds: 'passing touchdowns',
  player_pass_completions: 'completions',
  player_pass_attempts: 'passing attempts',
  player_pass_interceptions: 'interceptions thrown',
  player_rush_yds: 'rushing yards',
  player_rush_attempts: 'rushing attempts',
  player_reception_yds: 'receiving yards',
  batter_rbis: 'batter RBIs',
  player_total_saves: 'goalie saves',
  player_double_double: 'double-double',
  player_anytime_td: 'anytime touchdown',
};

/** Returns a bet as the service writes it (docs/rules/bet-text.md#the-bet-and-the-words). */
export function betInWords(
  { sport, market, subject, side }: { sport: string; market: string; subject: string | null; side: string },
  game: string,
  line: number | null,
): string {
  const [, first = 'Away', at, second = 'Home'] = /^(.+?) (@|at|vs\.?|v\.?|-) (.+)$/.exec(game) ?? [];
  const isAwayFirst = at === '@' || at === 'at' || at === undefined;
  const team = side.startsWith('home') === isAwayFirst ? second : first;
  const points = line === null ? '' : line > 0 ? `+${line}` : String(line);
  const part = market.startsWith('first_half_') ? '1H ' : '';
  switch (wholeGame(market)) {
    case 'moneyline':
      return side === 'draw' ? (part === '' ? 'Draw' : '1H draw') : `${team} ${part}ML`;
    case 'spread':
      return `${team} ${part}${line === 0 ? 'PK' : points}`;
    case 'total':
      return `${part}${side} ${line}`;
    case 'team_total':
      return `${team} team total ${side.split('_')[1]} ${line}`;
  }
  const way = side.replaceAll('_', ' ');
  const isPlayers = PLAYER_SUMS[sport]?.[market] !== undefined;
  const figures = PLAYER_SUMS[sport]?.[market] ?? [];
  const isSum = figures.length > 1 && market !== 'player_points';
  const own = isSum ? figures.join(' + ') : market.replace(/^player_/, '').replaceAll('_', ' ');
  const name = COUNTED[market] ?? (isPlayers ? own : market.replaceAll('_', ' '));
  if (isPlayers) return `${subject} ${way} ${line} ${name}`;
  if (PLAYER_QUESTIONS[sport]?.includes(market))
    return `${subject} ${name}${side === 'yes' ? '' : ` ${way}`}`;
  // Known by name as a market about the game.
  if (market === 'corners') return `${way} ${line} corners`;
  const total = ['over', 'under'].includes(side) ? String(line) : points;
  return `${subject ?? name}: ${way}${line === null ? '' : ` ${total}`}`;
}
