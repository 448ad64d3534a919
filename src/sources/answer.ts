import { type Checked, faultsText } from '../platform/schema.ts';
import type { Played } from '../rules/played.ts';
import type { Sets } from '../rules/sets.ts';
import type { Announced } from './source-events.ts';
import type { EventState } from './verdict.ts';

export interface EventReport extends Announced {
  /** Absent if the source does not say. */
  state?: EventState;
  /** The final score of a finished event, or the current score of a suspended one, by team as the source names them. */
  score?: ReportedScore;
  /** Why a finished event has no score to grade by. */
  note?: string;
  prices?: readonly PriceReport[];
}

export interface ReportedScore {
  away: number;
  home: number;
  /** Score of the first half, if the source has it. */
  awayHalf?: number;
  homeHalf?: number;
  sets?: Sets;
  /** How much was played, if the source says so. */
  played?: Played;
  /** Number of periods played, with a fraction for a partial one. */
  periods?: number;
}

/** A price in the source's terms: `away` and `home` refer to its event. */
export interface PriceReport {
  market: string;
  /** The player, as the source names them; absent in markets about the game. */
  subject?: string;
  side: string;
  line: number | null;
  oddsAmerican: number;
  capturedAt: EpochMs;
  book: string;
}

/** The readable values of a list in an answer. */
export interface Readable<T> {
  items: T[];
  unreadable: number;
  /** Fault of the first unreadable value. */
  example: string | null;
}

export function readable<T>(values: readonly unknown[], check: (value: unknown) => Checked<T>): Readable<T> {
  const read: Readable<T> = { items: [], unreadable: 0, example: null };
  for (const value of values) {
    const checked = check(value);
    if (checked.ok) read.items.push(checked.value);
    else {
      read.unreadable += 1;
      read.example ??= faultsText(checked.faults).slice(0, 120);
    }
  }
  return read;
}

/** Number of ignored parts of an answer, by reason. Reasons are constants, because metrics use them as labels. */
export type LeftOut = Readonly<Record<string, number>>;

export class LeftOutCounts {
  readonly #counts = new Map<string, number>();

  constructor(...given: readonly LeftOut[]) {
    for (const each of given) this.addAll(each);
  }

  add(reason: string, count = 1): void {
    if (count > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  addAll(more: LeftOut): void {
    for (const [reason, count] of Object.entries(more)) this.add(reason, count);
  }

  /** Returns the counts, largest first. */
  counts(): LeftOut {
    return Object.fromEntries([...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
  }
}

/** Formats counts by reason, such as `3 unknown market, 1 unreadable event`; empty if there are none. */
export function leftOutText(leftOut: LeftOut): string {
  return Object.entries(leftOut)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
}
