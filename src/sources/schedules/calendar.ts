import ical, { type VEvent } from 'node-ical';
import { Type } from 'typebox';
import { readTitle } from '../../games/names/title.ts';
import { plainText } from '../../platform/fields.ts';
import { checker } from '../../platform/schema.ts';
import type { EventReport } from '../apply-reports.ts';
import { type LeftOut, LeftOutCounts } from '../left-out.ts';

const day = 86_400_000;

/** How far before and after now events are read, in milliseconds. */
const back = 3 * day;
const ahead = 200 * day;

/** Maximum number of games in a calendar, and of milliseconds for expanding recurring events. */
const maxEvents = 5_000;
const patienceMs = 5_000;

/** The text is not a calendar, or expanding it takes too long. */
export class UnreadableCalendar extends Error {
  override name = 'UnreadableCalendar';
}

export interface Schedule {
  events: EventReport[];
  /** Events that are no games, or none yet. A start is part of a game's identity: without an exact one there is none. */
  leftOut: LeftOut;
}

const checkTeams = checker(
  Type.Object({ eventId: plainText(1, 400), away: plainText(1, 95), home: plainText(1, 95) }),
);

/**
 * Reads a league's schedule (RFC 5545): each event names its opponents in the title. Each occurrence of a recurring event is a game.
 * @param now epoch milliseconds
 * @throws UnreadableCalendar
 */
export function readCalendar(text: string, sport: string, now: number): Schedule {
  const calendar = parse(text);
  const events: EventReport[] = [];
  const leftOut = new LeftOutCounts();
  const deadline = performance.now() + patienceMs;
  for (const part of Object.values(calendar)) {
    if (part?.type !== 'VEVENT') continue;
    for (const occurrence of occurrences(part as VEvent, now)) {
      const read = readEvent(occurrence, sport, now);
      if (typeof read === 'string') leftOut.add(read);
      else if (read !== undefined) events.push(read);
    }
    if (performance.now() > deadline) throw new UnreadableCalendar('its recurring events take too long');
    if (events.length > maxEvents) throw new UnreadableCalendar(`it has more than ${maxEvents} games`);
  }
  return { events, leftOut: leftOut.counts() };
}

function parse(text: string): ReturnType<typeof ical.sync.parseICS> {
  try {
    const calendar = ical.sync.parseICS(text);
    if (calendar.vcalendar !== undefined) return calendar;
  } catch (error) {
    throw new UnreadableCalendar(`it is not a calendar (${(error as Error).message.slice(0, 100)})`);
  }
  throw new UnreadableCalendar('it is not a calendar');
}

type Title = VEvent['summary'] | undefined;

interface Occurrence {
  id: string;
  start: VEvent['start'];
  allDay: boolean;
  title: Title;
  cancelled: boolean;
}

function occurrences(event: VEvent, now: number): Occurrence[] {
  const once = (
    id: string,
    of: Omit<VEvent, 'recurrences'>,
    start: VEvent['start'],
    allDay: boolean,
  ): Occurrence => ({
    id,
    start,
    allDay,
    title: of.summary as Title,
    cancelled: of.status === 'CANCELLED',
  });
  if (event.rrule === undefined) return [once(event.uid, event, event.start, event.datetype === 'date')];
  try {
    return ical
      .expandRecurringEvent(event, { from: new Date(now - back), to: new Date(now + ahead) })
      .map(({ start, isFullDay, event: of }) => {
        // A moved occurrence keeps the RECURRENCE-ID of its original instant.
        const original = of.recurrenceid ?? start;
        return once(`${event.uid}/${original.toISOString()}`, of, start, isFullDay);
      });
  } catch {
    // More occurrences than any league has.
    return [];
  }
}

/** @returns the game; the reason why it is none; undefined outside the span that is read */
function readEvent(
  { id, start, allDay, title, cancelled }: Occurrence,
  sport: string,
  now: number,
): EventReport | string | undefined {
  const at = startOf(start, allDay);
  if (at !== undefined && (at < now - back || at > now + ahead)) return undefined;
  const named = readTitle(String((typeof title === 'object' ? title.val : title) ?? ''), sport);
  if ('refused' in named) return named.refused;
  const { status, ...fixture } = named;
  const teams = checkTeams({ eventId: id, ...fixture });
  if (!teams.ok) return 'names no two opponents';
  const state = cancelled ? 'cancelled' : status;
  if (at === undefined) return 'no exact start';
  if (allDay && state !== 'cancelled') return 'all day, no exact start yet';
  return { ...teams.value, startsAt: at, ...(state === undefined ? {} : { state }) };
}

/** The start in epoch milliseconds, noon for an all-day event; undefined for a time in an unknown zone. */
function startOf(start: VEvent['start'] | undefined, allDay: boolean): number | undefined {
  if (!(start instanceof Date) || Number.isNaN(start.getTime())) return undefined;
  if (allDay) return Date.UTC(start.getFullYear(), start.getMonth(), start.getDate(), 17);
  return isZone(start.tz) ? start.getTime() : undefined;
}

function isZone(name: string | undefined): boolean {
  if (name === undefined) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
