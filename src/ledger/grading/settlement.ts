import type { Game } from '../../games/game.ts';
import { gradeByScore, postponedVoidAt, type ScoreGrader } from '../../rules/grading.ts';
import type { MoneylineWays, Outcome } from '../../rules/markets/market.ts';
import { netUnitsE4 } from '../../rules/odds.ts';
import type { Played } from '../../rules/played.ts';
import type { Sets } from '../../rules/sets.ts';
import { gradingScoreName } from '../../rules/units.ts';

/** What grading needs to know of a pick. */
export interface GradedPick {
  market: string;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  stakeE4: number;
}

/** A result event: what an operator or provider says of one side of a market. */
export interface ResultEvent extends Outcome {
  /** Epoch milliseconds. */
  finalAt: number;
}

/** What a settlement rests on: the score that graded the pick, or the statistic. */
export interface Evidence {
  /** The final score, or the first half's where that is what the market is about. */
  awayScore: number | null;
  homeScore: number | null;
  /** The games of each set, where they decided it. */
  sets: Sets | null;
  played: Played | null;
  /** The statistic that graded a player market. */
  statName: string | null;
  statValueE3: number | null;
}

/** How a pick ended: what a settlement is made of. */
export interface Settlement extends Outcome, Evidence {
  /** Epoch milliseconds. */
  settledAt: number;
  netUnitsE4: number;
  /** What decided it. These names are hashed: they never change. */
  grader: ScoreGrader | 'result' | 'cancelled' | 'postponed';
}

/** Of what no score or statistic decided. */
export const noEvidence: Evidence = {
  awayScore: null,
  homeScore: null,
  sets: null,
  played: null,
  statName: null,
  statValueE3: null,
};

/** Why a result event decided what a score usually decides: the game was shortened. */
export function playedOf({ market }: Pick<GradedPick, 'market'>, { sport, played }: Game): Played | null {
  return gradingScoreName(market, sport) === 'final' ? played : null;
}

const isVoid: Outcome = { result: 'void', half: false };

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
  const settled = (
    { result, half }: Outcome,
    settledAt: number,
    grader: Settlement['grader'],
    evidence?: Partial<Evidence>,
  ): Settlement => ({
    ...{ result, half, settledAt, grader, ...noEvidence, ...evidence },
    netUnitsE4: netUnitsE4(result, pick.stakeE4, pick.oddsAmerican, half),
  });
  const voidAt =
    game.wasPostponed && game.announcedStart !== null ? postponedVoidAt(game.announcedStart) : null;
  const endedAt = game.finalAt;
  if (voidAt !== null && voidAt <= now && (endedAt === null || endedAt > voidAt))
    return settled(isVoid, voidAt, 'postponed');
  if (game.status === 'cancelled' && endedAt !== null) return settled(isVoid, endedAt, 'cancelled');
  if (game.status === 'final' && endedAt !== null) {
    const scored = gradeByScore({ ...game, ...pick, moneylineWays });
    if (scored !== null) {
      const { grader, awayScore, homeScore, sets, played } = scored;
      return settled(scored, endedAt, grader, { awayScore, homeScore, sets, played });
    }
  }
  return event === undefined
    ? null
    : settled(event, event.finalAt, 'result', { played: playedOf(pick, game) });
}
