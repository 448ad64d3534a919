import ical, {
  type ICalCalendar,
  ICalCalendarMethod,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import { lifetimes } from '../../cache/lifetimes.ts';
import type { Sport } from '../context.ts';
import { oddsText } from '../formats/odds-text.ts';
import { changedAt, pickLines, selectionText, sportTag } from '../formats/pick-facts.ts';
import { icalText, isolated, notice } from '../formats/safe-text.ts';
import type { PublicPick } from '../pick.ts';

/** What the calendar is made with beside the slate. */
interface CalendarContext {
  /** Such as `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  /** Where people find help with gambling. */
  helpLine: string;
  params: { sport?: string };
  sports: ReadonlyMap<string, Sport>;
}

/** Eastern Time by the rules in force since 2007. No event refers to it: their times are in UTC. */
const easternTime = [
  ...['BEGIN:VTIMEZONE', 'TZID:America/New_York'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:20070311T020000', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU'],
  ...['TZOFFSETFROM:-0500', 'TZOFFSETTO:-0400', 'TZNAME:EDT', 'END:DAYLIGHT'],
  ...['BEGIN:STANDARD', 'DTSTART:20071104T020000', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'],
  ...['TZOFFSETFROM:-0400', 'TZOFFSETTO:-0500', 'TZNAME:EST', 'END:STANDARD'],
  ...['END:VTIMEZONE', ''],
].join('\r\n');

/** Minutes that a game of an unknown sport takes. */
const usualMinutes = 180;

/**
 * `/api/feed/today.ics` (RFC 5545): an event for every pick of today's slate. It does not contain the time of rendering: `DTSTAMP` and
 * `LAST-MODIFIED` are when the pick changed last, so the same slate gives the same bytes. A pick whose start is not known is an
 * event of the whole day. A calendar without events holds the zone of the slate's day, for RFC 5545 wants one component at least.
 */
export const todayIcs = {
  path: '/api/feed/today.ics',
  contentType: 'text/calendar; charset=utf-8',
  lifetime: lifetimes.feed,
  render({ day, picks }: { day: string; picks: readonly PublicPick[] }, context: CalendarContext): string {
    const { sport } = context.params;
    const calendar = ical({
      prodId: { company: 'Public Picks', product: 'Slate', language: 'EN' },
      method: ICalCalendarMethod.PUBLISH,
      name: sport === undefined ? "Today's picks" : `Today's picks (${sportTag(sport)})`,
      description: escaped(`Picks on today's games.\n${notice(context.helpLine)}`),
      ttl: lifetimes.feed,
    });
    for (const pick of picks) addEvent(calendar, pick, day, context);
    const text = calendar.toString();
    // The library writes a VTIMEZONE before the calendar's last properties, where no component may stand.
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
  const start = new Date(pick.startsAt ?? `${day}T00:00:00Z`);
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
    // A game to watch is no appointment.
    transparency: ICalEventTransparency.TRANSPARENT,
  });
}

/** 0 when posted; one more for each thing that happened since, the closing and the result. */
function sequenceOf({ closingOddsAmerican, result }: PublicPick): number {
  return (closingOddsAmerican === null ? 0 : 1) + (result === null ? 0 : 1);
}

/** Text as a value is written (RFC 5545, section 3.3.11): of the calendar's own description, the library does not see to it. */
function escaped(text: string): string {
  return icalText(text)
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}
