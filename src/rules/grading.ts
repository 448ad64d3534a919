import { marketNamed } from './markets/index.ts';
import type { Market, MoneylineWays, Outcome, Score } from './markets/market.ts';
import { distanceOf, type Played } from './played.ts';
import { completedSets, gamesOf, type Sets } from './sets.ts';
import { gradingScoreName } from './units.ts';

/** The scores of a final game. Both of the first half are `null` if unknown. */
export interface GameScores {
  homeScore: number | null;
  awayScore: number | null;
  homeHalfScore: number | null;
  awayHalfScore: number | null;
  /** Games won in each set, in sports with sets. */
  sets: Sets | null;
  /** `null`: not reported; see {@link distanceOf}. */
  played: Played | null;
  /** Number of periods played, in thousandths: 8500 is eight and a half innings. */
  periodsE3: number | null;
}

export interface ScoredPick extends GameScores {
  sport: string;
  market: string;
  side: string;
  lineE3: number | null;
  moneylineWays: MoneylineWays;
}

/** The scores that grade picks. These names are hashed as the grader of a settlement, so they never change. */
export const scoreGraders = ['score', 'first_half_score', 'sets'] as const;
export type ScoreGrader = (typeof scoreGraders)[number];

export interface ScoredOutcome extends Outcome {
  grader: ScoreGrader;
  homeScore: number;
  awayScore: number;
  sets: Sets | null;
  /** `shortened` if the game did not go its full distance. */
  played: Played | null;
}

const isVoid: Outcome = { result: 'void', half: false };

/**
 * Grades a pick by the score for its market in its sport (docs/rules/grading.md). `null` if that score is unknown or does not decide: for
 * an undeclared market, a line in another unit than the score, an unknown side, a missing or surplus line, or a shortened game whose length
 * nobody reported.
 */
export function gradeByScore(pick: ScoredPick): ScoredOutcome | null {
  const { homeScore, awayScore, homeHalfScore, awayHalfScore } = pick;
  switch (gradingScoreName(pick.market, pick.sport)) {
    case 'final':
      return by('score', pick, scoreOf(homeScore, awayScore), shortenedOutcome);
    case 'firstHalf':
      // A first-half score counts even if the game was shortened later.
      return by('first_half_score', pick, scoreOf(homeHalfScore, awayHalfScore), asItStands);
    case 'sets':
      return pick.sets === null ? null : by('sets', pick, gamesOf(pick.sets), shortenedOutcome);
    default:
      return null;
  }
}

type Adjust = (pick: ScoredPick, score: Score, outcome: Outcome) => Outcome | null;

function by(
  grader: ScoreGrader,
  pick: ScoredPick,
  score: Score | null,
  adjust: Adjust,
): ScoredOutcome | null {
  if (score === null) return null;
  const market = scoredMarket(pick.market);
  const reached = market?.grade(pick.side, pick.lineE3, score, pick.moneylineWays) ?? null;
  const outcome = reached === null ? null : adjust(pick, score, reached);
  if (outcome === null) return null;
  const isShortened = grader !== 'first_half_score' && distanceOf(pick) !== 'full';
  return {
    ...outcome,
    grader,
    // For a match in sets: the number of sets that each side won.
    homeScore: grader === 'sets' ? pick.homeScore! : score.home,
    awayScore: grader === 'sets' ? pick.awayScore! : score.away,
    sets: grader === 'sets' ? pick.sets : null,
    played: isShortened ? 'shortened' : pick.played,
  };
}

function scoredMarket(name: string): Market | undefined {
  const market = marketNamed(name);
  return market?.gradedBy === 'stat' ? undefined : market;
}

function scoreOf(home: number | null, away: number | null): Score | null {
  return home === null || away === null ? null : { home, away };
}

function asItStands(_pick: ScoredPick, _score: Score, outcome: Outcome): Outcome {
  return outcome;
}

/** Adjusts an outcome to how much of the game was played. */
function shortenedOutcome(pick: ScoredPick, score: Score, outcome: Outcome): Outcome | null {
  // A draw or a no contest.
  if (pick.sport === 'mma' && score.home === score.away) return isVoid;
  const distance = distanceOf(pick);
  if (distance === 'full') return outcome;
  if (scoredMarket(pick.market)?.decidedBefore?.(pick.side, outcome) === true) return outcome;
  if (distance === 'unknown') return null;
  if (pick.sport === 'tennis') return retiredOutcome(pick);
  return pick.market === 'moneyline' && distance === 'enough for the moneyline' ? outcome : isVoid;
}

/**
 * Adjusts the outcome of a match that ended by retirement. The opponent wins, but the score does not show who retired. Without a completed
 * set all bets are void.
 */
function retiredOutcome({ market, sets }: ScoredPick): Outcome | null {
  if (market !== 'moneyline') return isVoid;
  return sets !== null && completedSets(sets) === 0 ? isVoid : null;
}

const interruptionMs = 48 * 3_600_000;

/**
 * Returns when the picks of a postponed game become void unless it is played before: 48 hours after its first announced start. This instant
 * is also their `settledAt`.
 */
export function postponedVoidAt(announcedStart: number): number {
  return announcedStart + interruptionMs;
}

/** Returns when a suspended game counts as final at its current score: 48 hours after its first announced start. */
export function suspendedUntil(announcedStart: number): number {
  return announcedStart + interruptionMs;
}
