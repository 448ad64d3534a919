import { HOUR } from './days.ts';
import { decimalOdds, fraction, multiply, nearestInteger, ONE, subtract } from './fraction.ts';
import { FINAL_SCORE, HALF_SCORE, wholeGame } from './markets.ts';
import type { GameRow, Result, ResultRow } from './read.ts';

export interface Outcome {
  result: Result;
  half: boolean;
}

export interface Settlement extends Outcome {
  /** When the pick counts as settled. */
  settledAt: number;
  /** When the result itself can be known; a clock before it leaves the pick pending. */
  knownAt: number;
  /** What decided it. */
  grader: 'score' | 'first_half_score' | 'sets' | 'result' | 'cancelled' | 'postponed';
  /** The score that did; null where none did. */
  homeScore: number | null;
  awayScore: number | null;
  sets: [number, number][] | null;
  played: 'full' | 'shortened' | null;
}

const against = (difference: number): Result => (difference > 0 ? 'win' : difference < 0 ? 'loss' : 'push');

/**
 * A market by the score that it is about: the final one, or that of the first half. `lineE3` in thousandths of a point.
 * Throws for a market that no score grades, and for a side that the market does not have.
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
  // Half the stake is on each of the two lines beside a quarter line.
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
 * How and when a pick settles, or null where its game (or its result row) says nothing yet.
 * `announced` is the first announced start, `start` the start as now known.
 */
export function settlementOf(
  pick: Settleable,
  game: GameRow,
  announced: number | null,
  start: number | null,
  resultRow: ResultRow | undefined,
): Settlement | null {
  const ending = (finalAt: string | null | undefined): number | null =>
    finalAt ? Date.parse(finalAt) : start === null ? null : start + 3 * HOUR;

  const unscored = { homeScore: null, awayScore: null, sets: null, played: null };
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
  if (!scored && resultRow) {
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

  candidates.sort((a, b) => a.settledAt - b.settledAt);
  return candidates[0] ?? null;
}

/** Net units in ten-thousandths, rounded to one of them with halves away from zero. */
export function netUnitsE4(result: Result, stakeE4: number, oddsAmerican: number): number {
  if (result === 'loss') return -stakeE4;
  if (result !== 'win') return 0;
  return nearestInteger(multiply(fraction(stakeE4), subtract(decimalOdds(oddsAmerican), ONE)));
}
