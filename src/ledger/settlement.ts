import type { Game } from '../games/game.ts';
import { gradeByScore, postponedVoidAt } from '../rules/grading.ts';
import { netUnitsE4 } from '../rules/units.ts';
import type { Result } from '../rules/vocabulary.ts';

/** What grading needs to know of a pick. */
export interface GradedPick {
  market: string;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  stakeE4: number;
}

/** A result event for a market that no score can grade. */
export interface ResultEvent {
  result: Result;
  /** Epoch milliseconds. */
  finalAt: number;
}

/** How a pick ended: what a settlement is made of. */
export interface Settlement {
  result: Result;
  /** Epoch milliseconds. */
  settledAt: number;
  awayScore: number | null;
  homeScore: number | null;
  netUnitsE4: number;
  /** What decided it. */
  grader: 'score' | 'result' | 'cancelled' | 'postponed';
}

/**
 * The settlement of a pick as things stand, or null while it is pending (decisions, "Grading").
 * @param now epoch milliseconds
 */
export function settlementOf(
  pick: GradedPick,
  game: Game,
  event: ResultEvent | undefined,
  moneylineWays: 2 | 3,
  now: number,
): Settlement | null {
  const voidAt =
    game.wasPostponed && game.announcedStart !== null ? postponedVoidAt(game.announcedStart) : null;
  const endedAt = game.finalAt;
  if (voidAt !== null && voidAt <= now && (endedAt === null || endedAt > voidAt))
    return settle(pick, 'void', voidAt, 'postponed');
  if (game.status === 'cancelled' && endedAt !== null) return settle(pick, 'void', endedAt, 'cancelled');
  if (game.status === 'final' && endedAt !== null && game.homeScore !== null && game.awayScore !== null) {
    const { homeScore, awayScore } = game;
    const result = gradeByScore({ ...pick, moneylineWays, homeScore, awayScore });
    if (result !== null) return { ...settle(pick, result, endedAt, 'score'), homeScore, awayScore };
  }
  return event === undefined ? null : settle(pick, event.result, event.finalAt, 'result');
}

function settle(
  pick: GradedPick,
  result: Result,
  settledAt: number,
  grader: Settlement['grader'],
): Settlement {
  const netUnits = netUnitsE4(result, pick.stakeE4, pick.oddsAmerican);
  return { result, settledAt, awayScore: null, homeScore: null, netUnitsE4: netUnits, grader };
}
