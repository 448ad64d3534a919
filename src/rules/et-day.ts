import { type Window, windowDays } from './vocabulary.ts';

/**
 * Calendar days in `America/New_York`, daylight saving included. Days are texts `YYYY-MM-DD`, instants epoch milliseconds, both within the
 * years 1900 to 9999. The rules of the zone come from the time zone database behind Intl.
 */

const dayMs = 86_400_000;

/** The ET date of an instant. */
export function etDay(at: number): string {
  const [month, day, year] = dates.format(at).split('/');
  return `${year}-${month}-${day}`;
}

const timeZone = 'America/New_York';
const dates = new Intl.DateTimeFormat('en-US', {
  timeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** When an ET date begins. It lasts until the next one begins: 23, 24 or 25 hours. */
export function etDayStart(day: string): number {
  return etInstant(day, 0);
}

/** The instant at which the clocks of an ET date show a full hour; not meant for the hour that daylight saving skips. */
export function etInstant(day: string, hour: number): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000;
  if (Number.isNaN(wall)) throw new RangeError(`${JSON.stringify(day)} is not a date of the form YYYY-MM-DD`);
  return wall - offsetAt(wall - offsetAt(wall));
}

/** When an ET month, such as `2026-01`, begins, or the one so many months after it. */
export function etMonthStart(month: string, after = 0): number {
  const [year, number] = month.split('-').map(Number);
  return etDayStart(utcDay(Date.UTC(year!, number! - 1 + after)));
}

/** The date so many days after another one, or before it. */
export function addDays(day: string, days: number): string {
  return utcDay(Date.parse(`${day}T00:00:00Z`) + days * dayMs);
}

/** The last so many dates up to and with one, oldest first. */
export function daysUpTo(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(day, index + 1 - count));
}

/** The first ET date of a window that ends today; `null` where it holds everything. */
export function windowFirstDay(window: Window, today: string): string | null {
  const days = windowDays[window];
  return days === null ? null : addDays(today, 1 - days);
}

function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const clocks = new Intl.DateTimeFormat('en-US', {
  timeZone,
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** How far the zone's clocks are ahead of UTC at a full second, in milliseconds (in New York: below 0). */
function offsetAt(at: number): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clocks.formatToParts(at)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}
