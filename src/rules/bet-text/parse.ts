import { keyOf } from '../markets/lexicon.ts';
import type { Period } from '../markets/periods.ts';
import type { Day, Named } from './day.ts';
import type { Token } from './tokens.ts';

/** Tokens that form a name. */
export interface Span {
  from: number;
  /** Index after the last token. */
  to: number;
  named: readonly Named[];
}

/** The possible readings of a price. Null: the text has none. */
export type OddsText = readonly (number | null)[];

/** A text being read as a bet in one sport, and its meaning so far. Each token is used once. */
export class Parse {
  readonly tokens: readonly Token[];
  readonly day: Day;
  /** Empty while only stakes and sports are read, which mean the same in every sport. */
  readonly sport: string;
  readonly used: boolean[];
  /** Tokens in lowercase, without punctuation. */
  readonly keys: readonly string[];
  /** Keys of the tokens in the lexicon of markets. That of a phrase is their concatenation. */
  readonly plain: readonly string[];
  readonly spans: Span[] = [];
  /** The sports that the text names; undefined if it names none. */
  sports: readonly string[] | undefined;
  /** The tokens of the league or competition that the text names. */
  readonly leagues: { from: number; to: number }[] = [];
  side: 'over' | 'under' | 'draw' | undefined;
  sideAt = -1;
  answer: 'yes' | 'no' | undefined;
  venue: 'home' | 'away' | undefined;
  /** The markets that the words name; undefined if they name none. */
  markets: readonly string[] | undefined;
  /** The units that the words name, such as runs. */
  hasUnit = false;
  /** Whether the text says over/under, which names no side. */
  isTotal = false;
  period: Period | undefined;
  gameNumber: number | undefined;
  book: string | undefined;
  stake: { units: number; isWin: boolean } | undefined;
  /** The markets of a player that the words name. */
  statistic: readonly string[] = [];
  readonly lines: { at: number; value: number; isSigned: boolean }[] = [];
  readonly odds: OddsText[] = [];
  /** Indexes of numbers that can be a line or a price. */
  readonly open: number[] = [];
  readonly notes: string[] = [];

  constructor(tokens: readonly Token[], day: Day, sport = '') {
    this.tokens = tokens;
    this.day = day;
    this.sport = sport;
    this.used = tokens.map(() => false);
    this.keys = tokens.map(({ raw }) => raw.toLowerCase().replace(/[^\p{L}\p{N}+&#]/gu, ''));
    this.plain = tokens.map(({ raw }) => keyOf(raw));
  }

  /** Starts reading in a sport, from what means the same in every sport. */
  in(sport: string): Parse {
    const own = new Parse(this.tokens, this.day, sport);
    own.used.splice(0, own.used.length, ...this.used);
    const { sports, gameNumber, book, stake } = this;
    Object.assign(own, { sports, gameNumber, book, stake });
    own.notes.push(...this.notes);
    own.leagues.push(...this.leagues);
    return own;
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
