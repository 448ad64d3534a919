import { createHash } from 'node:crypto';
import { signed } from '../../boards/formats/odds-text.ts';
import { selectionText } from '../../boards/formats/pick-text.ts';
import { clip, oneLine } from '../platforms/platform.ts';
import type { AnnouncedEvent } from './events.ts';
import { announcedPick } from './payloads.ts';

/** A notification as `src/pages/sw.js` shows it. */
export interface Note {
  title: string;
  body: string;
  url: string;
  /** A later notification with the same tag replaces it. */
  tag: string;
  /** Start of the game, which the device shows in its own zone. */
  startsAt?: string;
  /** Seconds that the push service keeps it for a device that is off. */
  ttl: number;
  /** Replaces an undelivered message with the same topic (RFC 8030, section 5.4). */
  topic: string;
  /** Whether to wake a device that saves power. */
  isUrgent: boolean;
}

const daySeconds = 86_400;

/** Age at which an event is no news, in ms: a device that was silent, or a service that was down, resumes at the newest events. */
const newsMs = 2 * 3_600_000;

/** Reports whether an event is worth a notification: neither old nor a pick whose game has started. */
export function isNews({ kind, postedAt, settledAt, startsAt }: AnnouncedEvent, now: number): boolean {
  if (kind === 'settled') return now - (settledAt ?? postedAt) < newsMs;
  return now - postedAt < newsMs && (startsAt === null || startsAt > now);
}

const maxLines = 4;

/** Characters per line, so that a notification of four-byte characters still has less than 2,600 bytes. */
const max = { title: 120, line: 80 };

/** @param events at least one */
export function noteOf(events: readonly AnnouncedEvent[], now: EpochMs, baseUrl: string): Note {
  const [first] = events as [AnnouncedEvent];
  const ttl = Math.max(...events.map((event) => secondsFor(event, now)));
  const isUrgent = events.some(({ kind }) => kind === 'posted');
  if (events.length === 1) {
    const pick = announcedPick(first, baseUrl);
    const tag = first.uuid;
    const timed = isUrgent && pick.startsAt !== null ? { startsAt: pick.startsAt } : {};
    const about = { title: clip(headline(first), max.title), body: clip(oneLine(pick.game), max.title) };
    return { ...about, ...timed, url: pick.verifyUrl, tag, ttl, topic: topicOf(tag), isUrgent };
  }
  const posted = events.filter(({ kind }) => kind === 'posted').length;
  const counts = [counted(posted, 'new pick'), counted(events.length - posted, 'result')].filter(Boolean);
  const lines = events.slice(0, maxLines).map((event) => clip(headline(event), max.line));
  const more = events.length - lines.length;
  const tag = `picks-${first.seq}`;
  return {
    title: counts.join(', '),
    body: [...lines, ...(more === 0 ? [] : [`and ${more} more`])].join('\n'),
    url: baseUrl + pathOf(events),
    tag,
    ttl,
    topic: topicOf(tag),
    isUrgent,
  };
}

function headline(event: AnnouncedEvent): string {
  const { result, half } = event;
  const pick = announcedPick(event, '');
  const bet = `${pick.capperHandle}: ${selectionText(pick)} (${signed(pick.oddsAmerican)})`;
  return oneLine(result === null ? bet : `${half ? 'HALF ' : ''}${result.toUpperCase()} for ${bet}`);
}

const counted = (count: number, noun: string) =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A pick is news until its game starts. A push service may refuse 0 seconds. */
function secondsFor({ kind, startsAt }: AnnouncedEvent, now: number): number {
  if (kind === 'settled' || startsAt === null) return daySeconds;
  return Math.min(daySeconds, Math.max(60, Math.floor((startsAt - now) / 1000)));
}

/** A topic has at most 32 characters of base64url. */
const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32);

function pathOf(events: readonly AnnouncedEvent[]): string {
  const same = (read: (event: AnnouncedEvent) => string) => {
    const values = new Set(events.map(read));
    return values.size === 1 ? encodeURIComponent([...values][0]!) : undefined;
  };
  const handle = same((event) => announcedPick(event, '').capperHandle);
  const sport = same((event) => event.sport);
  return handle !== undefined ? `/c/${handle}` : sport !== undefined ? `/sport/${sport}` : '/';
}
