import { marketSides } from './markets.ts';
import type { Result } from './vocabulary.ts';

/** What a score must decide. */
export interface ScoredPick {
  market: string;
  side: string;
  /** The side's own line in thousandths; `null` for a moneyline. */
  lineE3: number | null;
  /** Prices of the sport's moneyline: 3 where a draw is a side of its own. */
  moneylineWays: 2 | 3;
  homeScore: number;
  awayScore: number;
}

/**
 * The result of a pick by the final score (decisions: Grading); `null` where no score can tell: another market, a side
 * that the market does not have, or a spread or total without a line.
 *
 * Exactly level with the line is a push. A level score is a push on a two-way moneyline; on a three-way one it loses for
 * the teams and wins for the draw.
 */
export function gradeByScore(pick: ScoredPick): Result | null {
  const { market, side, lineE3, moneylineWays, homeScore, awayScore } = pick;
  const sides = marketSides(market, moneylineWays) as readonly string[] | null;
  if (sides === null || !sides.includes(side)) return null;
  if (market === 'moneyline') {
    const level = homeScore === awayScore;
    if (side === 'draw') return level ? 'win' : 'loss';
    if (level) return moneylineWays === 3 ? 'loss' : 'push';
    return homeScore > awayScore === (side === 'home') ? 'win' : 'loss';
  }
  if (lineE3 === null) return null;
  if (market === 'spread') {
    const ahead = side === 'home' ? homeScore - awayScore : awayScore - homeScore;
    return against(ahead * 1000 + lineE3);
  }
  const over = (homeScore + awayScore) * 1000 - lineE3;
  return against(side === 'over' ? over : -over);
}

function against(margin: number): Result {
  if (margin === 0) return 'push';
  return margin > 0 ? 'win' : 'loss';
}

const postponementMs = 48 * 3_600_000;

/**
 * When the picks of a postponed game become void, unless it is played before: 48 hours after its first announced start.
 * That instant is also their `settledAt` (decisions: Grading).
 */
export function postponedVoidAt(announcedStart: number): number {
  return announcedStart + postponementMs;
}
