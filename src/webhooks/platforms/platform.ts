import type { IncomingHttpHeaders } from 'node:http';

/** A message about one event, in plain text: each platform escapes it for its own markup. */
export interface Card {
  title: string;
  /** Shown in bold before the text. */
  lead?: string;
  text: string;
  /** A link of our own, never a stranger's. */
  url?: string;
  tone?: Tone;
  fields?: readonly Field[];
  footer?: string;
  /** ISO 8601. */
  timestamp?: string;
}

export type Tone = 'news' | 'good' | 'bad' | 'neutral';

export interface Field {
  name: string;
  value: string;
}

/** A line of an alert, in plain text. */
export interface Line {
  /** Shown in bold. */
  head: string;
  text: string;
}

/** A request's body, and how many of the cards it holds: at least one, and always the first ones. */
export interface Encoded {
  body: string;
  cards: number;
}

/** What a platform answered. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The beginning of the body. */
  body: string;
}

/** A chat service that takes messages for a channel at an address of its own (an incoming webhook). */
export interface Platform {
  /** Stored with subscriptions, so it never changes. A slug. */
  name: string;
  /** Whether an address is an incoming webhook of this platform. The host name has no trailing dot. */
  matches(url: URL): boolean;
  /** The same for the operator's own channel, where more addresses may count. Default: `matches`. */
  matchesAlert?(url: URL): boolean;
  /** The address to post to. Default: the channel's address as it is. */
  endpoint?(url: string): string;
  /** Encodes as many of the first cards as one message can hold. */
  encode(cards: readonly Card[]): Encoded;
  /** Encodes an alert as one message: as many lines as fit, and how many more there are. */
  encodeAlert(heading: string, lines: readonly Line[]): string;
  /** The status that counts, for a platform that reports failures in the body of a 200. Default: the answer's. */
  statusOf?(answer: Answer): number;
  /** Milliseconds until the platform's rate limit lifts, when it is used up; else null. Retry-After is read for every receiver. */
  rateLimitMs?(answer: Answer): number | null;
}

/** How many of the first items stay within `max` together. */
export function countWithin<T>(items: readonly T[], max: number, sizeOf: (item: T) => number): number {
  let size = 0;
  for (const [index, item] of items.entries()) {
    size += sizeOf(item);
    if (size > max) return index;
  }
  return items.length;
}

/** Escapes a text and cuts it so that the result has at most `max` UTF-16 units. No character or escape is cut apart. */
export function clip(text: string, max: number, escaped: (text: string) => string = (same) => same): string {
  const whole = escaped(text);
  if (whole.length <= max) return whole;
  let clipped = '';
  for (const character of text) {
    const next = escaped(character);
    if (clipped.length + next.length > max - 1) break;
    clipped += next;
  }
  return `${clipped}…`;
}

/** One line of well-formed text, without control characters. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
}

/** Room for the sentence about the lines that were left out. */
const moreLength = 60;

/** An alert as text with bold marks: what Discord and Slack take. */
export function alertText(
  heading: string,
  lines: readonly Line[],
  { escaped, bold, max }: { escaped: (text: string) => string; bold: string; max: number },
): string {
  const marked = (text: string) => `${bold}${escaped(oneLine(text))}${bold}`;
  const first = marked(heading);
  const rest = lines.map(({ head, text }) => `\n${marked(head)} ${escaped(oneLine(text))}`);
  const count = countWithin(rest, max - moreLength - first.length, ({ length }) => length);
  return [first, ...rest.slice(0, count), ...moreLines(lines.length - count)].join('');
}

function moreLines(count: number): string[] {
  return count === 0 ? [] : [`\n... and ${count} more.`];
}
