import type { Game } from '../../games/game.ts';
import { gradeByScore, gradingScore, postponedVoidAt } from '../../rules/grading.ts';
import type { MoneylineWays, ScoreName } from '../../rules/markets/market.ts';
import { netUnitsE4 } from '../../rules/odds.ts';
import type { Result } from '../../rules/vocabulary.ts';

/** What grading needs to know of a pick. */
export interface GradedPick {
  market: string;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  stakeE4: number;
}

/** A result event: what an operator or provider says of one side of a market. */
export interface ResultEvent {
  result: Result;
  /** Epoch milliseconds. */
  finalAt: number;
}

type Grader = 'score' | 'first_half_score' | 'result' | 'cancelled' | 'postponed';

const scoreGraders: Record<ScoreName, Grader> = { final: 'score', firstHalf: 'first_half_score' };

/** How a pick ended: what a settlement is made of. */
export interface Settlement {
  result: Result;
  /** Epoch milliseconds. */
  settledAt: number;
  /** The score that graded it: the final one, or the first half's where that is what the market is about. */
  awayScore: number | null;
  homeScore: number | null;
  netUnitsE4: number;
  /** What decided it. These names are hashed: they never change. */
  grader: Grader;
}

/**
 * The settlement of a pick as things stand, or null while it is pending: void where its game was called off or postponed for
 * too long, graded by the score that its market is graded by, else by a result event.
 * @param now epoch milliseconds
 */
export function settlementOf(
  pick: GradedPick,
  game: Game,
  event: ResultEvent | undefined,
  moneylineWays: MoneylineWays,
  now: number,
): Settlement | null {
  const voidAt =
    game.wasPostponed && game.announcedStart !== null ? postponedVoidAt(game.announcedStart) : null;
  const endedAt = game.finalAt;
  if (voidAt !== null && voidAt <= now && (endedAt === null || endedAt > voidAt))
    return settle(pick, 'void', voidAt, 'postponed');
  if (game.status === 'cancelled' && endedAt !== null) return settle(pick, 'void', endedAt, 'cancelled');
  const score = game.status === 'final' ? gradingScore(pick.market, game) : null;
  if (score !== null && endedAt !== null) {
    const result = gradeByScore({ ...game, ...pick, moneylineWays });
    const graded = { awayScore: score.away, homeScore: score.home };
    if (result !== null) return { ...settle(pick, result, endedAt, scoreGraders[score.name]), ...graded };
  }
  return event === undefined ? null : settle(pick, event.result, event.finalAt, 'result');
}

function settle(pick: GradedPick, result: Result, settledAt: number, grader: Grader): Settlement {
  const netUnits = netUnitsE4(result, pick.stakeE4, pick.oddsAmerican);
  return { result, settledAt, awayScore: null, homeScore: null, netUnitsE4: netUnits, grader };
}
