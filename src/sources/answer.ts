import type { Played } from '../rules/played.ts';
import type { Sets } from '../rules/sets.ts';
import type { Announced } from './match.ts';
import type { EventState } from './verdict.ts';

/** One event as a source reports it. */
export interface EventReport extends Announced {
  /** Absent where the source does not say. */
  state?: EventState;
  /** The final score, once the event is over, or the score at which it is suspended; by team, as the source names them. */
  score?: ReportedScore;
  /** Why an event that is over has no score to grade by. */
  note?: string;
  prices?: readonly PriceReport[];
}

export interface ReportedScore {
  away: number;
  home: number;
  /** Of the first half, where the source has it. */
  awayHalf?: number;
  homeHalf?: number;
  sets?: Sets;
  /** How much was played, where the source says so. */
  played?: Played;
  /** Periods played, a part as a fraction. */
  periods?: number;
}

/** A price in the source's terms: `away` and `home` are those of its event. */
export interface PriceReport {
  market: string;
  /** The player, as the source names them; absent in markets about the game. */
  subject?: string;
  side: string;
  line: number | null;
  oddsAmerican: number;
  /** Epoch milliseconds. */
  capturedAt: number;
  book: string;
}

/** How much of an answer was left out, by reason. Reasons are fixed texts of the code, since metrics have them as labels. */
export type LeftOut = Readonly<Record<string, number>>;

/** Counts what is left out. */
export class LeftOutCounts {
  readonly #counts = new Map<string, number>();

  add(reason: string, count = 1): void {
    if (count > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  addAll(more: LeftOut): void {
    for (const [reason, count] of Object.entries(more)) this.add(reason, count);
  }

  /** The counts, the largest first. */
  counts(): LeftOut {
    return Object.fromEntries([...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
  }
}

/** Counts by reason as text, such as `3 unknown market, 1 unreadable event`; empty for none. */
export function leftOutText(leftOut: LeftOut): string {
  return Object.entries(leftOut)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
}
