import type { Day, Named } from './day.ts';
import type { Part } from './parts.ts';
import type { Token } from './tokens.ts';
import type { NamedMarket } from './words.ts';

/** Tokens that form a name. */
export interface Span {
  from: number;
  /** Index after the last token. */
  to: number;
  named: readonly Named[];
}

/** The possible readings of a price. Null: the text has none. */
export interface OddsText {
  american: readonly (number | null)[];
}

/** Words for a player market, with the markets that they mean in each sport. */
export interface Statistic {
  from: number;
  to: number;
  bySport: Map<string, readonly string[]>;
}

/** A text being read, and its meaning so far. Each token is used once. */
export class Parse {
  readonly tokens: readonly Token[];
  readonly day: Day;
  readonly used: boolean[];
  /** Tokens in lowercase, without punctuation. */
  readonly keys: readonly string[];
  readonly spans: Span[] = [];
  sports: readonly string[] | undefined;
  side: 'over' | 'under' | undefined;
  sideAt = -1;
  answer: 'yes' | 'no' | undefined;
  market: NamedMarket | undefined;
  part: Part | undefined;
  gameNumber: number | undefined;
  book: string | undefined;
  stake: number | undefined;
  statistic: Statistic | undefined;
  readonly lines: { at: number; value: number; isSigned: boolean }[] = [];
  readonly odds: { at: number; odds: OddsText }[] = [];
  /** Indexes of numbers that can be a line or a price. */
  readonly open: number[] = [];
  readonly notes: string[] = [];

  constructor(tokens: readonly Token[], day: Day) {
    this.tokens = tokens;
    this.day = day;
    this.used = tokens.map(() => false);
    this.keys = tokens.map(({ raw }) => raw.toLowerCase().replace(/[^\p{L}\p{N}+&#]/gu, ''));
  }

  raw(from: number, to: number): string {
    return this.tokens
      .slice(from, to)
      .map(({ raw }) => raw)
      .join(' ');
  }

  isUsed(from: number, to: number): boolean {
    return this.used.slice(from, to).some(Boolean);
  }

  use(from: number, to: number): void {
    this.used.fill(true, from, to);
  }
}
