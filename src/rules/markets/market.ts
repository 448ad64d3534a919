import type { Result } from '../vocabulary.ts';

/** Number of sides of a sport's moneyline: 3 if the draw is one. */
export type MoneylineWays = 2 | 3;

/** The points of both teams in the whole game or a part of it. */
export interface Score {
  home: number;
  away: number;
}

/** Scores of a game that grade markets. `sets` is the number of games won in the sets of a match. */
export type ScoreName = 'final' | 'firstHalf' | 'sets';

/** An outcome as The Odds API names it: a team, `Draw`, `Over`, or `Under`. `description` is the team of a team total. */
export interface ProviderOutcome {
  name: string;
  description?: string | undefined;
}

/** The meaning of a market's lines. */
export interface LineRules {
  /**
   * Converts a side's line to the line shared by all sides of a contest, in thousandths. For a spread it is the home side's, so home -3.5
   * and away +3.5 are one. The function is its own inverse.
   */
  shared(side: string, lineE3: number): number;
  /** 1 if a higher line is better for the side, -1 if a lower one is. */
  better(side: string): 1 | -1;
  /** Formats a line for display beside its side: `-3.5`, `8.5`. */
  text(line: number): string;
}

/**
 * Other names of a market, separated by `|`. By sports, if the names mean it only in some; the key `` `''` `` holds those of all of its sports.
 * Case, punctuation, and plurals do not matter. A name after `~` means the market only beside a player: `K`, `double`.
 */
export type Words = string | Readonly<Record<string, string>>;

/** The declaration of a market. Only result events grade undeclared markets. */
export interface Market {
  /** The slug in picks, prices, and results. It is hashed with every pick, so it never changes. */
  name: string;
  /** The display name, in lower case. */
  label: string;
  words: Words;
  /** The only sports that have it. In others, it is undeclared. Absent: every sport has it. */
  sports?: readonly string[];
  /** The score that grades it, in sports whose score has the unit of its lines (see `rules/units.ts`). Null: only result events do. */
  gradedBy: ScoreName | null;
  /** `null`: picks have no line. Otherwise they need one. */
  line: LineRules | null;
  /**
   * Returns the sides by contest. The sides of a contest bet against each other, and their prices together give fair probabilities. Most
   * markets have a single contest, but a team total has one per team.
   */
  contests(ways: MoneylineWays): readonly (readonly string[])[];
  /** Grades a side; `null` for an unknown side or line. A result equal to the line is a push. */
  grade(side: string, lineE3: number | null, score: Score, ways: MoneylineWays): Outcome | null;
  /** Reports whether a side's outcome is final before the game ends. Absent: it never is. */
  decidedBefore?(side: string, outcome: Outcome): boolean;
  oddsApi: {
    key: string;
    /** Whether the response for a whole sport includes it. Others require a request per event. */
    featured: boolean;
    /** The key of an event's alternate lines; `null` if picks have no line. */
    alternates: string | null;
    /** Returns the side of an outcome, or `null` if the market has no such side. */
    side(outcome: ProviderOutcome, teams: { home: string; away: string }): string | null;
  };
}

export interface Outcome {
  result: Result;
  /** Half of the stake was returned, and `result` applies to the other half. */
  half: boolean;
}

/**
 * Returns the outcome for a margin against the line: above 0 wins, 0 pushes. At a quarter line half of the stake is on each adjacent half
 * line. With a margin of a quarter point, one half wins or loses and the other is returned.
 * @param marginE3 the margin in thousandths, a multiple of 250
 */
export function outcomeOf(marginE3: number): Outcome {
  if (marginE3 === 0) return { result: 'push', half: false };
  return { result: marginE3 > 0 ? 'win' : 'loss', half: Math.abs(marginE3) === 250 };
}
