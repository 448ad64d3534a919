import { type Window, windowDays } from './vocabulary.ts';

/**
 * Calendar days in `America/New_York`, including daylight saving. Days are strings `YYYY-MM-DD`, and instants are epoch milliseconds, both
 * within the years 1900 to 9999. Intl supplies the rules of the time zone.
 */

const dayMs = 86_400_000;

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

/** Returns the instant at which an ET date begins. The date lasts 23, 24, or 25 hours. */
export function etDayStart(day: string): number {
  return etInstant(day, 0);
}

/** Returns 23:59 on an ET date: when a game of which only the day is known counts as over. */
export function endOfDay(day: string): number {
  return etDayStart(addDays(day, 1)) - 60_000;
}

/** Returns the instant of a full hour on an ET date. Not meant for the hour that daylight saving skips. */
export function etInstant(day: string, hour: number): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000;
  if (Number.isNaN(wall)) throw new RangeError(`${JSON.stringify(day)} is not a date of the form YYYY-MM-DD`);
  return wall - offsetAt(wall - offsetAt(wall));
}

/** Returns the instant at which an ET month, such as `2026-01`, begins, or the month `after` months later. */
export function etMonthStart(month: string, after = 0): number {
  const [year, number] = month.split('-').map(Number);
  return etDayStart(utcDay(Date.UTC(year!, number! - 1 + after)));
}

/** Adds a number of days, which may be negative, to a date. */
export function addDays(day: string, days: number): string {
  return utcDay(Date.parse(`${day}T00:00:00Z`) + days * dayMs);
}

/** Returns `count` consecutive dates that end with `day`, oldest first. */
export function daysUpTo(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(day, index + 1 - count));
}

/** Returns the first ET date of a window that ends today; `null` for the window without a limit. */
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

/** Returns the zone's offset from UTC at a full second, in ms; negative in New York. */
function offsetAt(at: number): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clocks.formatToParts(at)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}
