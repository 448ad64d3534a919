import type { Result } from '../vocabulary.ts';

/** How many sides a sport's moneyline has: 3 where a draw is one of them. */
export type MoneylineWays = 2 | 3;

/** The points of both teams, over the whole game or a part of it. */
export interface Score {
  home: number;
  away: number;
}

/** The scores of a game that grade markets: of a match in sets also the games of its sets. */
export type ScoreName = 'final' | 'firstHalf' | 'sets';

/** An outcome as The Odds API names it: a team, `Draw`, `Over` or `Under`; `description` is the team of a team total. */
export interface ProviderOutcome {
  name: string;
  description?: string | undefined;
}

/** What the lines of a market mean. */
export interface LineRules {
  /**
   * The line under which all sides of a contest meet, from a side's own, in thousandths: a spread's is the home side's, so
   * home -3.5 and away +3.5 are one. Applied twice it gives the side's own line again.
   */
  shared(side: string, lineE3: number): number;
  /** 1 where a higher line is better for the side, -1 where a lower one is. */
  better(side: string): 1 | -1;
  /** The line as it is written beside its side: `-3.5`, `8.5`. */
  text(line: number): string;
}

/** A market, declared: all that the service knows of it. A market that is not declared is graded by result events alone. */
export interface Market {
  /** The slug in picks, prices and results. It is hashed with every pick, so it never changes. */
  name: string;
  /** What people call it, in lower case. */
  label: string;
  /** In the sports whose score is in the unit of its lines: see `rules/units.ts`. */
  gradedBy: ScoreName;
  /** `null`: a pick has no line. Otherwise it must have one. */
  line: LineRules | null;
  /**
   * The sides, by contest: the sides of one contest bet against each other, and their prices together make fair
   * probabilities. Most markets are a single contest; a team total is one for each team.
   */
  contests(ways: MoneylineWays): readonly (readonly string[])[];
  /** How a side came out; `null` for a side or line that the market does not have. Exactly level with the line is a push. */
  grade(side: string, lineE3: number | null, score: Score, ways: MoneylineWays): Outcome | null;
  /** Whether a side's outcome can no longer change, however the game goes on. Absent: it always can. */
  decidedBefore?(side: string, outcome: Outcome): boolean;
  oddsApi: {
    key: string;
    /** Whether the answer for a whole sport has it. The others are asked for one event at a time. */
    featured: boolean;
    /** The key under which an event has its further lines; `null` where a pick has no line. */
    alternates: string | null;
    /** The side that an outcome is of; `null` for one that the market does not have. */
    side(outcome: ProviderOutcome, teams: { home: string; away: string }): string | null;
  };
}

/** How a pick came out. */
export interface Outcome {
  result: Result;
  /** Half the stake was returned, and `result` is that of the other half. */
  half: boolean;
}

/**
 * Above 0 wins, 0 is a push. A quarter line is half the stake on each of the half lines beside it: a quarter point from the line, one
 * half wins or loses and the other is returned.
 * @param marginE3 by how much the side beat its line, in thousandths: a multiple of 250
 */
export function outcomeOf(marginE3: number): Outcome {
  if (marginE3 === 0) return { result: 'push', half: false };
  return { result: marginE3 > 0 ? 'win' : 'loss', half: Math.abs(marginE3) === 250 };
}
