/** A bet as a text says it. */
export interface BetReading {
  sport: string;
  game: string;
  startsAt: number | null;
  /** The names of the teams, by which the bet is shown. */
  away: string;
  home: string;
  market: string;
  subject: string | null;
  side: string;
  line: number | null;
  /** Null: the text has no price. */
  oddsAmerican: number | null;
  /** Null: the text has no stake in units. */
  stakeUnits: number | null;
  book: string | null;
}
