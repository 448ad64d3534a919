import { marketNamed } from './markets/index.ts';
import type { MoneylineWays, Score, ScoreName } from './markets/market.ts';
import type { Result } from './vocabulary.ts';

/** The scores of a final game; both of the first half are `null` where they are not known. */
export interface GameScores {
  homeScore: number | null;
  awayScore: number | null;
  homeHalfScore: number | null;
  awayHalfScore: number | null;
}

/** What a score must decide. */
export interface ScoredPick extends GameScores {
  market: string;
  side: string;
  /** The side's own line in thousandths; `null` where it has none. */
  lineE3: number | null;
  moneylineWays: MoneylineWays;
}

/** The score of a game that grades a market; `null` where it is not known, and for a market that no score grades. */
export function gradingScore(market: string, scores: GameScores): (Score & { name: ScoreName }) | null {
  const name = marketNamed(market)?.gradedBy;
  switch (name) {
    case 'final':
      return named(name, scores.homeScore, scores.awayScore);
    case 'firstHalf':
      return named(name, scores.homeHalfScore, scores.awayHalfScore);
    default:
      return null;
  }
}

/**
 * The result of a pick by the score that grades its market. `null` where that score is not known or cannot tell: a market
 * that is not declared, a side that the market does not have, a missing line or one too many.
 */
export function gradeByScore(pick: ScoredPick): Result | null {
  const score = gradingScore(pick.market, pick);
  if (score === null) return null;
  return marketNamed(pick.market)?.grade(pick.side, pick.lineE3, score, pick.moneylineWays) ?? null;
}

function named(name: ScoreName, home: number | null, away: number | null) {
  return home === null || away === null ? null : { name, home, away };
}

const postponementMs = 48 * 3_600_000;

/**
 * When the picks of a postponed game become void, unless it is played before: 48 hours after its first announced start.
 * That instant is also their `settledAt`.
 */
export function postponedVoidAt(announcedStart: number): number {
  return announcedStart + postponementMs;
}
