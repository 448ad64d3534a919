import ical, { type VEvent } from 'node-ical';
import { Type } from 'typebox';
import { plainText } from '../../platform/fields.ts';
import { checker } from '../../platform/schema.ts';
import type { EventReport } from '../apply-reports.ts';
import { readFixture } from '../teams.ts';

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
  /** Events whose title names no two opponents. */
  untold: number;
  /** Events without an exact start: all-day ones, and times in unknown zones. A start is part of a game's identity. */
  undated: number;
}

const checkTeams = checker(
  Type.Object({ eventId: plainText(1, 400), away: plainText(1, 95), home: plainText(1, 95) }),
);

/**
 * Reads a league's schedule (RFC 5545): each event is `Away @ Home`, `Away at Home` or `Home vs Away`. Each occurrence of a recurring event
 * is a game.
 * @param now epoch milliseconds
 * @throws UnreadableCalendar
 */
export function readCalendar(text: string, now: number): Schedule {
  const calendar = parse(text);
  const schedule: Schedule = { events: [], untold: 0, undated: 0 };
  const deadline = performance.now() + patienceMs;
  for (const part of Object.values(calendar)) {
    if (part?.type !== 'VEVENT') continue;
    for (const occurrence of occurrences(part as VEvent, now)) add(schedule, occurrence, now);
    if (performance.now() > deadline) throw new UnreadableCalendar('its recurring events take too long');
    if (schedule.events.length > maxEvents)
      throw new UnreadableCalendar(`it has more than ${maxEvents} games`);
  }
  return schedule;
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

function add(schedule: Schedule, { id, start, allDay, title, cancelled }: Occurrence, now: number): void {
  const at = startOf(start, allDay);
  if (at !== undefined && (at < now - back || at > now + ahead)) return;
  const named = typeof title === 'object' ? title.val : title;
  const fixture = readFixture(String(named ?? '').replace(/^[^\p{L}\p{N}]+/u, ''));
  const teams = checkTeams({ eventId: id, ...fixture });
  if (!teams.ok) schedule.untold += 1;
  else if (at === undefined || (allDay && !cancelled)) schedule.undated += 1;
  else schedule.events.push({ ...teams.value, startsAt: at, ...(cancelled ? { state: 'cancelled' } : {}) });
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
