import { type Window, windowDays } from './vocabulary.ts';

/**
 * Calendar days in `America/New_York`, daylight saving included. Days are texts `YYYY-MM-DD`,
 * instants epoch milliseconds, both within the years 1900 to 9999. The rules of the zone come from the time zone
 * database behind Intl, which is asked once a year of the calendar: asking it for every instant would be a hundred
 * times slower.
 */

const dayMs = 86_400_000;

/** The ET date of an instant. */
export function etDay(at: number): string {
  const number = Math.floor((at + offsetAt(at)) / dayMs);
  const known = dayTexts.get(number);
  if (known !== undefined) return known;
  if (dayTexts.size >= 20_000) dayTexts.clear();
  const text = utcDay(number * dayMs);
  dayTexts.set(number, text);
  return text;
}

// Texts of days by their number since 1970: making one costs far more than everything else here.
const dayTexts = new Map<number, string>();

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

/** From `from` up to and without `to` the zone's clocks are `offset` milliseconds ahead of UTC (in New York: below 0). */
interface Period {
  from: number;
  to: number;
  offset: number;
}

const years = new Map<number, Period[]>();
let latest: Period = { from: 0, to: 0, offset: 0 };

function offsetAt(at: number): number {
  // Instants mostly come in runs of one season.
  if (at >= latest.from && at < latest.to) return latest.offset;
  const year = new Date(at).getUTCFullYear();
  const periods = years.get(year) ?? periodsOf(year);
  years.set(year, periods);
  const found = periods.find(({ to }) => at < to);
  if (found === undefined) throw new RangeError(`${at} is no instant`);
  latest = found;
  return found.offset;
}

/** The periods of one offset within a UTC year. Two changes never fall into one month. */
function periodsOf(year: number): Period[] {
  let period = { from: Date.UTC(year, 0), to: 0, offset: askOffset(Date.UTC(year, 0)) };
  const periods = [period];
  for (let month = 1; month <= 12; month += 1) {
    let same = Date.UTC(year, month - 1);
    let changed = Date.UTC(year, month);
    const offset = askOffset(changed);
    period.to = changed;
    if (offset === period.offset) continue;
    while (changed - same > 1000) {
      const middle = same + Math.floor((changed - same) / 2000) * 1000;
      if (askOffset(middle) === period.offset) same = middle;
      else changed = middle;
    }
    period.to = changed;
    if (changed === Date.UTC(year + 1, 0)) break;
    period = { from: changed, to: Date.UTC(year, month), offset };
    periods.push(period);
  }
  return periods;
}

const zone = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** What Intl says of a full second: the difference between the zone's clocks and UTC. */
function askOffset(at: number): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of zone.formatToParts(at)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}
