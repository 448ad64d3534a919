import { HOUR } from './days.ts';
import { decimalOdds, fraction, multiply, nearestInteger, ONE, subtract } from './fraction.ts';
import { FINAL_SCORE, HALF_SCORE, playerFigure, playerResult, wholeGame } from './markets.ts';
import type { GameRow, Result, ResultRow } from './read.ts';
import type { KnownStat } from './stats.ts';

export interface Outcome {
  result: Result;
  half: boolean;
}

export interface Settlement extends Outcome {
  /** When the pick counts as settled. */
  settledAt: number;
  /** When the result itself can be known. Before that the pick is pending. */
  knownAt: number;
  /** The fact that decided it. */
  grader: 'score' | 'first_half_score' | 'sets' | 'stat' | 'result' | 'cancelled' | 'postponed' | 'claim';
  /** The score that decided it, or null. */
  homeScore: number | null;
  awayScore: number | null;
  sets: [number, number][] | null;
  played: 'full' | 'shortened' | null;
  /** The player's figure that decided it. */
  stat: { name: string; value: number } | null;
}

const against = (difference: number): Result => (difference > 0 ? 'win' : difference < 0 ? 'loss' : 'push');

/**
 * Grades a market by its score: the final one, or that of the first half. `lineE3` is in thousandths of a point. Throws for a market that
 * no score grades, and for an undeclared side.
 */
export function gradeByScore(
  sport: string,
  market: string,
  side: string,
  lineE3: number | null,
  home: number,
  away: number,
): Outcome {
  if (lineE3 === null || lineE3 % 500 === 0)
    return { result: atHalfLine(sport, market, side, lineE3, home, away), half: false };
  // A quarter line splits the stake between the two neighboring lines.
  const [one, other] = [lineE3 - 250, lineE3 + 250].map((line) =>
    atHalfLine(sport, market, side, line, home, away),
  );
  if (one === other) return { result: one!, half: false };
  return { result: one === 'push' ? other! : one!, half: true };
}

function atHalfLine(
  sport: string,
  market: string,
  side: string,
  lineE3: number | null,
  home: number,
  away: number,
): Result {
  const lead = 1000 * (side === 'home' ? home - away : away - home);
  const line = lineE3 ?? 0;
  const overLine = 1000 * (home + away) - line;
  switch (`${wholeGame(market)} ${side}`) {
    case 'moneyline home':
    case 'moneyline away':
      return sport === 'soccer' && lead === 0 ? 'loss' : against(lead);
    case 'moneyline draw':
      return lead === 0 ? 'win' : 'loss';
    case 'spread home':
    case 'spread away':
      return against(lead + line);
    case 'total over':
      return against(overLine);
    case 'total under':
      return against(-overLine);
    case 'team_total home_over':
      return against(1000 * home - line);
    case 'team_total home_under':
      return against(line - 1000 * home);
    case 'team_total away_over':
      return against(1000 * away - line);
    case 'team_total away_under':
      return against(line - 1000 * away);
    default:
      throw new RangeError(`no such side: ${market} ${side}`);
  }
}

interface Settleable {
  sport: string;
  market: string;
  side: string;
  lineE3: number | null;
}

/**
 * Returns how and when a pick settles, or null while neither its game nor a result row says. `announced` is the first announced start,
 * `start` the current one, `stats` the player's known statistics.
 */
export function settlementOf(
  pick: Settleable,
  game: GameRow,
  announced: number | null,
  start: number | null,
  resultRow: ResultRow | undefined,
  stats: KnownStat[] = [],
  claim: { result: Result; half: boolean } | null = null,
): Settlement | null {
  const ending = (finalAt: string | null | undefined): number | null =>
    finalAt ? Date.parse(finalAt) : start === null ? null : start + 3 * HOUR;

  const unscored = { homeScore: null, awayScore: null, sets: null, played: null, stat: null };
  const isVoid = { result: 'void' as const, half: false };
  const candidates: Settlement[] = [];
  const gameEnd = ending(game.finalAt);
  const half = HALF_SCORE.includes(pick.market);
  const inGames = pick.sport === 'tennis' && ['spread', 'total', 'team_total'].includes(pick.market);
  const inNoUnit = (pick.sport === 'mma' && pick.market !== 'moneyline') || (pick.sport === 'tennis' && half);
  const games = (side: 0 | 1) => game.sets?.reduce((total, set) => total + set[side], 0);
  const home = inGames ? games(0) : half ? game.homeHalfScore : game.homeScore;
  const away = inGames ? games(1) : half ? game.awayHalfScore : game.awayScore;
  const scored =
    !inNoUnit && (inGames || half ? typeof home === 'number' : FINAL_SCORE.includes(pick.market));
  const boxed = game.status === 'final' && gameEnd !== null ? byBoxScore(pick, game, stats) : null;
  if (boxed !== null && gameEnd !== null) {
    const at = Math.max(gameEnd, boxed.at);
    candidates.push({
      ...unscored,
      result: boxed.result,
      half: boxed.half,
      stat: boxed.stat,
      settledAt: at,
      knownAt: at,
      grader: 'stat',
      played: boxed.stat !== null && lengthOf(game) !== 'full' ? 'shortened' : (game.played ?? null),
    });
  }
  if (!scored && boxed === null && resultRow) {
    const at = ending(resultRow.finalAt);
    if (at !== null)
      candidates.push({
        result: resultRow.result,
        half: resultRow.half ?? false,
        settledAt: at,
        knownAt: at,
        grader: 'result',
        ...unscored,
      });
  }
  if (scored && game.status === 'final' && gameEnd !== null) {
    if (typeof home !== 'number' || typeof away !== 'number') throw new Error(`no score: ${game.game}`);
    const noWinner = pick.sport === 'mma' && home === away;
    const outcome = noWinner
      ? isVoid
      : gradeByScore(pick.sport, pick.market, pick.side, pick.lineE3, home, away);
    candidates.push({
      ...outcome,
      settledAt: gameEnd,
      knownAt: gameEnd,
      grader: half ? 'first_half_score' : inGames ? 'sets' : 'score',
      homeScore: inGames ? game.homeScore! : home,
      awayScore: inGames ? game.awayScore! : away,
      sets: inGames ? game.sets! : null,
      played: game.played ?? null,
      stat: null,
    });
  }
  if (game.status === 'cancelled' && gameEnd !== null)
    candidates.push({
      ...isVoid,
      settledAt: gameEnd,
      knownAt: gameEnd,
      grader: 'cancelled',
      ...unscored,
    });
  if (game.status === 'postponed' && announced !== null && start !== null)
    candidates.push({
      ...isVoid,
      settledAt: announced + 48 * HOUR,
      knownAt: start,
      grader: 'postponed',
      ...unscored,
    });

  // A claim counts only while nothing else is known.
  if (candidates.length === 0 && claim !== null && start !== null)
    candidates.push({
      ...claim,
      settledAt: start + 3 * HOUR,
      knownAt: start + 3 * HOUR,
      grader: 'claim',
      ...unscored,
    });

  candidates.sort((a, b) => a.settledAt - b.settledAt);
  return candidates[0] ?? null;
}

/** Minutes per period, and the minutes that make a game count. */
const CLOCKS: Record<string, [period: number, enough: number]> = {
  nba: [12, 43],
  wnba: [10, 35],
  ncaab: [20, 35],
  nfl: [15, 55],
  ncaaf: [15, 55],
  nhl: [20, 55],
};

/** Reports whether a game went its full length for bets on players; null if no provider reported how far it went. */
function lengthOf({ sport, played, periods, homeScore, awayScore }: GameRow): 'full' | 'short' | null {
  if (played === 'full' || (played == null && periods == null)) return 'full';
  if (periods == null) return null;
  if (sport === 'mlb') {
    const lead = (homeScore ?? 0) > (awayScore ?? 0) ? 0.5 : 0;
    if (periods + lead >= 9) return 'full';
    // A game of seven innings may have been scheduled.
    return played == null && periods + lead >= 7 && periods <= 7 ? null : 'short';
  }
  const [period, enough] = CLOCKS[sport]!;
  return periods * period >= enough ? 'full' : 'short';
}

/** Returns what a player's box score decides about a bet, and since when; null while it decides nothing. */
function byBoxScore(
  { sport, market, side, lineE3 }: Settleable,
  game: GameRow,
  stats: KnownStat[],
): (Outcome & { stat: Settlement['stat']; at: number }) | null {
  const line = lineE3 === null ? null : lineE3 / 1000;
  for (const at of stats.map((known) => known.at).sort((a, b) => a - b)) {
    const box: Record<string, number> = {};
    for (const known of stats) if (known.at <= at) box[known.name] = known.value;
    const text = playerResult(sport, market, side, line, box);
    if (text === null) continue;
    const half = text.startsWith('half ');
    const result = (half ? text.slice(5) : text) as Result;
    if (result === 'void') return { result, half, stat: null, at };
    const stat = playerFigure(sport, market, box);
    // In a shortened game, what had already been decided counts, and the rest is void.
    const happened = { over: 'win', yes: 'win', under: 'loss', no: 'loss' }[side];
    const isDecided = text === happened && !stat!.name.endsWith('_yards');
    if (lengthOf(game) === 'full' || isDecided) return { result, half, stat, at };
    if (lengthOf(game) === 'short') return { result: 'void', half: false, stat, at };
  }
  return null;
}

/** Returns net units in ten-thousandths, rounded with halves away from zero. */
export function netUnitsE4(result: Result, stakeE4: number, oddsAmerican: number): number {
  if (result === 'loss') return -stakeE4;
  if (result !== 'win') return 0;
  return nearestInteger(multiply(fraction(stakeE4), subtract(decimalOdds(oddsAmerican), ONE)));
}
