import type { Announced } from './match.ts';
import type { EventState } from './verdict.ts';

/** One event as a source reports it. */
export interface EventReport extends Announced {
  /** Absent where the source does not say. */
  state?: EventState;
  /** The final score, once the event is over; by team, as the source names them. */
  score?: FinalScore;
  /** Why an event that is over has no score to grade by. */
  note?: string;
  prices?: readonly PriceReport[];
}

export interface FinalScore {
  away: number;
  home: number;
  /** Of the first half, where the source has it. */
  awayHalf?: number;
  homeHalf?: number;
}

/** A price in the source's terms: `away` and `home` are those of its event. */
export interface PriceReport {
  market: string;
  side: string;
  line: number | null;
  oddsAmerican: number;
  /** Epoch milliseconds. */
  capturedAt: number;
  book: string;
}
