import type { IncomingHttpHeaders } from 'node:http';
import type { Rate } from '../../platform/rate-limit.ts';

/** A message about one event, in plain text. Each platform escapes it for its own markup. */
export interface Card {
  title: string;
  /** Shown in bold before the text. */
  lead?: string;
  text: string;
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

export interface Line {
  /** Shown in bold. */
  head: string;
  text: string;
}

/** A request's body, and the number of cards it holds: always the first ones, at least one. */
export interface Encoded {
  body: string;
  cards: number;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Start of the body. */
  body: string;
}

/** A service that passes messages on: a chat platform, or the push service of a browser. */
export interface Service {
  /** Stored with subscriptions, so it never changes. A slug. */
  name: string;
  /** Requests that an address takes, as the service documents it. */
  rates: readonly Rate[];
  /** Returns the sender that an address belongs to and the requests that all of its addresses take together. Default: no such limit. */
  account?(url: string): { key: string; rates: readonly Rate[] };
  /** Statuses after which an address never accepts anything again: they end its subscription at once. Default: none. */
  ends?: readonly number[];
  /** Returns the status that counts, for a service that reports failures in the body. Default: the answer's. */
  statusOf?(answer: Answer): number;
  /** Returns the milliseconds until an exhausted rate limit resets, or null. Retry-After is read for every receiver. */
  rateLimitMs?(answer: Answer): number | null;
}

/** A chat service whose channels accept messages at their own addresses (incoming webhooks). */
export interface Platform extends Service {
  /** Reports whether an address is an incoming webhook of this platform. The host name has no trailing dot. */
  matches(url: URL): boolean;
  /** Returns a sentence that says why an address that matches cannot receive messages. Default: every address can. */
  fault?(url: URL): string | undefined;
  /** Like {@link matches}, for the operator's own channel, where more addresses may count. Default: `matches`. */
  matchesAlert?(url: URL): boolean;
  /** Returns the address to post to. Default: the channel's address. */
  endpoint?(url: string): string;
  /** Encodes as many of the first cards as fit in one message. */
  encode(cards: readonly Card[]): Encoded;
  /** Encodes an alert as one message: as many lines as fit, and the number of omitted ones. */
  encodeAlert(heading: string, lines: readonly Line[]): string;
}

/** Returns how many of the first items together stay within `max`. */
export function countWithin<T>(items: readonly T[], max: number, sizeOf: (item: T) => number): number {
  let size = 0;
  for (const [index, item] of items.entries()) {
    size += sizeOf(item);
    if (size > max) return index;
  }
  return items.length;
}

/** Escapes a text and cuts it so that the result has at most `max` UTF-16 units. Never cuts a character or an escape apart. */
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

/** Returns a text as one well-formed line without control characters. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
}

/** Room for the sentence about omitted lines. */
const moreLength = 60;

/** Formats an alert as text with bold marks, as Discord, Slack, and Telegram accept it. */
export function alertText(
  heading: string,
  lines: readonly Line[],
  {
    escaped,
    bold: [open, close],
    max,
  }: { escaped: (text: string) => string; bold: readonly [open: string, close: string]; max: number },
): string {
  const marked = (text: string) => `${open}${escaped(oneLine(text))}${close}`;
  const first = marked(heading);
  const rest = lines.map(({ head, text }) => `\n${marked(head)} ${escaped(oneLine(text))}`);
  const count = countWithin(rest, max - moreLength - first.length, ({ length }) => length);
  return [first, ...rest.slice(0, count), ...moreLines(lines.length - count)].join('');
}

function moreLines(count: number): string[] {
  return count === 0 ? [] : [`\n... and ${count} more.`];
}
