import ical, {
  type ICalCalendar,
  ICalCalendarMethod,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import { lifetimes, type Sport } from '../endpoint.ts';
import { oddsText } from '../formats/odds-text.ts';
import { changedAt, pickLines, selectionText } from '../formats/pick-text.ts';
import { narrowed } from '../formats/rss-format.ts';
import { icalText, isolated, notice } from '../formats/safe-text.ts';
import type { PublicPick } from '../pick.ts';

interface CalendarContext {
  /** For example `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  helpLine: string;
  params: object;
  sports: ReadonlyMap<string, Sport>;
}

/** Eastern Time by the rules since 2007. No event refers to it, because event times are in UTC. */
const easternTime = `BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
TZNAME:EDT
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
TZNAME:EST
END:STANDARD
END:VTIMEZONE
`.replaceAll('\n', '\r\n');

/** Assumed duration of a game of an unknown sport, in minutes. */
const usualMinutes = 180;

/**
 * `/api/feed/today.ics` (RFC 5545): an event for every pick of today's slate. It does not depend on the time of rendering: `DTSTAMP` and
 * `LAST-MODIFIED` are the pick's last change, so the same slate gives the same bytes. A pick without a known start is an all-day event.
 * An empty calendar contains the slate's time zone, because RFC 5545 requires a component.
 */
export const todayIcs = {
  path: '/api/feed/today.ics',
  contentType: 'text/calendar; charset=utf-8',
  lifetime: lifetimes.feed,
  render({ day, picks }: { day: string; picks: readonly PublicPick[] }, context: CalendarContext): string {
    const calendar = ical({
      prodId: { company: 'Public Picks', product: 'Slate', language: 'EN' },
      method: ICalCalendarMethod.PUBLISH,
      name: `Today's picks${narrowed(context)}`,
      description: escaped(`Picks on today's games.\n${notice(context.helpLine)}`),
      ttl: lifetimes.feed,
    });
    for (const pick of picks) addEvent(calendar, pick, day, context);
    const text = calendar.toString();
    // The library writes a VTIMEZONE before the calendar's last properties, where components are not allowed.
    const filled = picks.length > 0 ? text : text.replace(/END:VCALENDAR$/, `${easternTime}END:VCALENDAR`);
    return `${filled}\r\n`;
  },
};

function addEvent(
  calendar: ICalCalendar,
  pick: PublicPick,
  day: string,
  { baseUrl, helpLine, sports }: CalendarContext,
): void {
  const sport = sports.get(pick.sport);
  const start = new Date(pick.startsAt ?? `${pick.day ?? day}T00:00:00Z`);
  const changed = new Date(changedAt(pick));
  const outcome = pick.result === null ? '' : `${pick.result.toUpperCase()}: `;
  calendar.createEvent({
    id: `${pick.pickUuid}@${new URL(baseUrl).host}`,
    sequence: sequenceOf(pick),
    stamp: changed,
    created: new Date(pick.postedAt),
    lastModified: changed,
    start,
    ...(pick.startsAt === null
      ? { allDay: true }
      : { end: new Date(start.getTime() + (sport?.eventMinutes ?? usualMinutes) * 60_000) }),
    summary: icalText(
      `${outcome}${isolated(selectionText(pick))} (${oddsText(pick.oddsAmerican)}), ${isolated(pick.game)}, ${pick.capperHandle}`,
    ),
    description: icalText([...pickLines(pick).map(isolated), pick.verifyUrl, notice(helpLine)].join('\n')),
    categories: [{ name: icalText(sport?.label ?? pick.sport) }],
    url: pick.verifyUrl,
    status: pick.result === 'void' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    // A game to watch does not block time.
    transparency: ICalEventTransparency.TRANSPARENT,
  });
}

/** Revision of the event: one for the closing and one for the result. */
function sequenceOf({ closingOddsAmerican, result }: PublicPick): number {
  return (closingOddsAmerican === null ? 0 : 1) + (result === null ? 0 : 1);
}

/** Escapes a value (RFC 5545, section 3.3.11): the library does not escape the calendar's description. */
function escaped(text: string): string {
  return icalText(text)
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}
