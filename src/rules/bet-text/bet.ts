export interface BetReading {
  sport: string;
  game: string;
  startsAt: number | null;
  /** Full names of the teams, for display. */
  away: string;
  home: string;
  market: string;
  subject: string | null;
  side: string;
  line: number | null;
  /** Null if the text has no price. */
  oddsAmerican: number | null;
  /** Null if the text has no stake in units. */
  stakeUnits: number | null;
  book: string | null;
}
