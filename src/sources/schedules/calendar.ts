import ical, { type VEvent } from 'node-ical';
import { readTitle, type TeamOrder } from '../../games/names/title.ts';
import { plainText } from '../../platform/fields.ts';
import { checker } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { endOfDay, etDay } from '../../rules/et-day.ts';
import { type EventReport, type LeftOut, LeftOutCounts } from '../answer.ts';
import { Unreadable } from '../http.ts';
import { withOwnUids } from './uids.ts';
import { inKnownZones, isZone } from './zones.ts';

const day = 86_400_000;

/** How far before and after now events are read, in ms. */
const back = 3 * day;
const ahead = 200 * day;

/** Maximum number of games in a calendar, and the time limit for expanding recurring events, in ms. */
const maxEvents = 5_000;
const patienceMs = 5_000;

export interface Schedule {
  events: EventReport[];
  /** Events that are not games, or not yet: a game needs an exact start, or its day. */
  leftOut: LeftOut;
  /** Ids of games without an exact start now: they may have had one, or may get one. */
  undated: string[];
  /** Whether it has events and all of them ended long ago. */
  past: boolean;
}

const checkTeams = checker(
  Type.Object({ eventId: plainText(1, 400), away: plainText(1, 95), home: plainText(1, 95) }),
);

/**
 * Reads a league's schedule (RFC 5545). Each event names its opponents in the title; each occurrence of a recurring event is a game.
 * @param zone IANA zone of times without a zone. Default: the calendar's
 * @param order of teams in titles such as `A vs B`. Default: guessed
 * @throws Unreadable
 */
export function readCalendar(
  text: string,
  sport: string,
  now: EpochMs,
  zone?: string,
  order?: TeamOrder,
): Schedule {
  const own = withOwnUids(inKnownZones(text, zone, now), sport);
  const calendar = parse(own.text);
  const events: EventReport[] = [];
  const undated: string[] = [];
  let past = false;
  let other = false;
  const leftOut = new LeftOutCounts();
  leftOut.add('older version of an event', own.older);
  const deadline = performance.now() + patienceMs;
  const isWithdrawn = calendar.vcalendar?.method === 'CANCEL';
  for (const part of Object.values(calendar)) {
    if (part?.type !== 'VEVENT') continue;
    for (const occurrence of occurrences(part as VEvent, now)) {
      if (isWithdrawn) occurrence.cancelled = true;
      const read = readEvent(occurrence, sport, order, now);
      if (read === 'past') past = true;
      else other = true;
      if (read === 'past' || read === 'later') continue;
      if (typeof read !== 'string') events.push(read);
      else leftOut.add(read);
      if (read === severalDays || read === noStart) undated.push(occurrence.id);
    }
    if (performance.now() > deadline) throw new Unreadable('its recurring events take too long');
    if (events.length > maxEvents) throw new Unreadable(`it has more than ${maxEvents} games`);
  }
  return { events, leftOut: leftOut.counts(), undated, past: past && !other };
}

function parse(text: string): ReturnType<typeof ical.sync.parseICS> {
  try {
    const calendar = ical.sync.parseICS(text);
    if (calendar.vcalendar !== undefined) return calendar;
  } catch (error) {
    throw new Unreadable(`it is not a calendar (${(error as Error).message.slice(0, 100)})`);
  }
  throw new Unreadable('it is not a calendar');
}

type Title = VEvent['summary'] | undefined;

interface Occurrence {
  id: string;
  start: VEvent['start'];
  end: VEvent['end'] | undefined;
  allDay: boolean;
  title: Title;
  categories: string;
  cancelled: boolean;
}

function occurrences(event: VEvent, now: number): Occurrence[] {
  const once = (
    id: string,
    of: Omit<VEvent, 'recurrences'>,
    times: Pick<Occurrence, 'start' | 'end' | 'allDay'>,
  ): Occurrence => ({
    id,
    ...times,
    title: of.summary as Title,
    categories: [of.categories ?? []].flat().join(' '),
    cancelled: of.status === 'CANCELLED',
  });
  if (event.rrule === undefined) {
    // Occurrences listed one by one, without a rule. The one at the event's own start replaces it.
    const moved = [...new Set(Object.values(event.recurrences ?? {}))] as Omit<VEvent, 'recurrences'>[];
    const idOf = ({ recurrenceid }: Omit<VEvent, 'recurrences'>) => {
      const at = recurrenceid instanceof Date ? recurrenceid.getTime() : undefined;
      const isOwn = at === undefined || (event.recurrenceid === undefined && at === event.start?.getTime());
      return isOwn ? event.uid : `${event.uid}/${new Date(at).toISOString()}`;
    };
    const each = new Map([event, ...moved].map((of) => [idOf(of), of] as const));
    return [...each].map(([id, of]) =>
      once(id, of, {
        start: of.start as VEvent['start'],
        end: of.end as VEvent['end'],
        allDay: of.datetype === 'date',
      }),
    );
  }
  try {
    return ical
      .expandRecurringEvent(event, { from: new Date(now - back), to: new Date(now + ahead) })
      .map(({ start, end, isFullDay: allDay, event: of }) => {
        // A moved occurrence keeps the RECURRENCE-ID of its original instant.
        const original = of.recurrenceid ?? start;
        return once(`${event.uid}/${original.toISOString()}`, of, { start, end, allDay });
      });
  } catch {
    // More occurrences than any league has.
    return [];
  }
}

const noStart = 'no exact start';
const severalDays = 'several days, no start yet';

/** @returns the game; the reason if it is not one; `past` or `later` outside the span that is read */
function readEvent(
  { id, title, categories, cancelled, ...times }: Occurrence,
  sport: string,
  order: TeamOrder | undefined,
  now: number,
): EventReport | string {
  const at = startOf(times);
  const ends = at === undefined ? now : at.day == null ? at.startsAt : endOfDay(at.day);
  if (ends < now - back) return 'past';
  if (ends > now + ahead) return 'later';
  const text = withoutEntities(String((typeof title === 'object' ? title.val : title) ?? ''));
  // In soccer, categories say whose game it is: women's, or that of the second team.
  const about = sport === 'soccer' ? categories.replace(/[[\]]/g, ' ') : '';
  const named = readTitle(about === '' ? text : `[${about}] ${text}`, sport, order);
  if ('refused' in named) return named.refused;
  const { status, homeGuessed, timeOpen, ...fixture } = named;
  const teams = checkTeams({ eventId: id, ...fixture });
  if (!teams.ok) return 'names no two opponents';
  const state = cancelled ? 'cancelled' : status;
  if (at === undefined) return noStart;
  if (times.allDay && state !== 'cancelled' && isLong(times)) return severalDays;
  return {
    ...teams.value,
    ...at,
    ...(timeOpen && at.day == null ? { day: dayOf(at.startsAt, times.start.tz!) } : {}),
    ...(homeGuessed === undefined ? {} : { homeGuessed }),
    ...(state === undefined ? {} : { state }),
  };
}

/** Returns the start, or the day of an all-day event or of one at midnight in its zone; undefined for a time in an unknown zone. */
function startOf({
  start,
  allDay,
}: Pick<Occurrence, 'start' | 'allDay'>): Pick<EventReport, 'startsAt' | 'day'> | undefined {
  if (!(start instanceof Date) || Number.isNaN(start.getTime())) return undefined;
  const startsAt = start.getTime();
  const pad = (part: number) => String(part).padStart(2, '0');
  if (allDay)
    return {
      startsAt,
      day: `${start.getFullYear()}-${pad(start.getMonth() + 1)}-${pad(start.getDate())}`,
    };
  if (!isZone(start.tz)) return undefined;
  if (isUtc(start.tz!)) return { startsAt };
  const { day, time } = localTime(startsAt, start.tz!);
  return { startsAt, day: time === '00:00' ? day : null };
}

const isUtc = (zone: string) => /^(?:Etc\/)?(?:UTC|GMT)$/.test(zone);

/** Returns the day of an instant in its zone. UTC is nobody's zone, so there it is the ET day. */
function dayOf(at: number, zone: string): string {
  return isUtc(zone) ? etDay(at) : localTime(at, zone).day;
}

function localTime(at: number, timeZone: string): { day: string; time: string } {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const [day = '', time = ''] = format.format(at).split(' ');
  return { day, time };
}

/** Decodes what sites that escape titles as HTML leave in their calendars: `Texas A&amp;M`. */
function withoutEntities(title: string): string {
  return title
    .replace(/&#(\d{2,5});/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&');
}

function isLong({ start, end }: Pick<Occurrence, 'start' | 'end'>): boolean {
  return end !== undefined && end.getTime() - start.getTime() > 25 * 3_600_000;
}
