import { marketNamed } from './markets/index.ts';
import type { Market, MoneylineWays, Outcome, Score } from './markets/market.ts';
import { distanceOf, type Played } from './played.ts';
import { completedSets, gamesOf, type Sets } from './sets.ts';
import { gradingScoreName } from './units.ts';

/** The scores of a final game; both of the first half are `null` where they are not known. */
export interface GameScores {
  homeScore: number | null;
  awayScore: number | null;
  homeHalfScore: number | null;
  awayHalfScore: number | null;
  /** The games of each set, in sports that are played in sets. */
  sets: Sets | null;
  /** `null`: nobody said; see {@link distanceOf}. */
  played: Played | null;
  /** How many periods were played, in thousandths: 8500 is eight and a half innings. */
  periodsE3: number | null;
}

/** What a score must decide. */
export interface ScoredPick extends GameScores {
  sport: string;
  market: string;
  side: string;
  /** The side's own line in thousandths; `null` where it has none. */
  lineE3: number | null;
  moneylineWays: MoneylineWays;
}

/** The scores that grade picks. These names are hashed as the grader of a settlement, so they never change. */
export const scoreGraders = ['score', 'first_half_score', 'sets'] as const;
export type ScoreGrader = (typeof scoreGraders)[number];

/** The outcome of a pick by a score, with that score. */
export interface ScoredOutcome extends Outcome {
  grader: ScoreGrader;
  homeScore: number;
  awayScore: number;
  /** Where the sets decided it. */
  sets: Sets | null;
  /** `shortened` where the game did not go its full distance. */
  played: Played | null;
}

const isVoid: Outcome = { result: 'void', half: false };

/**
 * The outcome of a pick by the score that grades its market in its sport (docs/rules/grading.md). `null` where that score is not known or
 * cannot tell: a market that is not declared, a line in another unit than the score's, a side that the market does not have, a missing
 * line or one too many, or a shortened game of which nobody said how much was played.
 */
export function gradeByScore(pick: ScoredPick): ScoredOutcome | null {
  const { homeScore, awayScore, homeHalfScore, awayHalfScore } = pick;
  switch (gradingScoreName(pick.market, pick.sport)) {
    case 'final':
      return by('score', pick, scoreOf(homeScore, awayScore), shortenedOutcome);
    case 'firstHalf':
      // The first half of a shortened game counts once its score is known.
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
    // Of a match in sets: the sets that each side won.
    homeScore: grader === 'sets' ? pick.homeScore! : score.home,
    awayScore: grader === 'sets' ? pick.awayScore! : score.away,
    sets: grader === 'sets' ? pick.sets : null,
    played: isShortened ? 'shortened' : pick.played,
  };
}

/** A market that a score grades; undefined for others. */
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

/** What an outcome counts for, given how much of the game was played. */
function shortenedOutcome(pick: ScoredPick, score: Score, outcome: Outcome): Outcome | null {
  // Neither fighter won: a draw, or no contest.
  if (pick.sport === 'mma' && score.home === score.away) return isVoid;
  const distance = distanceOf(pick);
  if (distance === 'full') return outcome;
  if (scoredMarket(pick.market)?.decidedBefore?.(pick.side, outcome) === true) return outcome;
  if (distance === 'unknown') return null;
  if (pick.sport === 'tennis') return retiredOutcome(pick);
  return pick.market === 'moneyline' && distance === 'enough for the moneyline' ? outcome : isVoid;
}

/** The opponent of the player who retired wins, and the score does not show who that was. Without a complete set all bets are void. */
function retiredOutcome({ market, sets }: ScoredPick): Outcome | null {
  if (market !== 'moneyline') return isVoid;
  return sets !== null && completedSets(sets) === 0 ? isVoid : null;
}

const interruptionMs = 48 * 3_600_000;

/**
 * When the picks of a postponed game become void, unless it is played before: 48 hours after its first announced start.
 * That instant is also their `settledAt`.
 */
export function postponedVoidAt(announcedStart: number): number {
  return announcedStart + interruptionMs;
}

/** When a game that is suspended counts as final as far as it was played: 48 hours after its first announced start. */
export function suspendedUntil(announcedStart: number): number {
  return announcedStart + interruptionMs;
}
