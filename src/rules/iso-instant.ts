const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const instantForm = /^(?<date>[\dw-]+)(?:[t ](?<time>[\d:.,]+) ?(?<zone>z|[-\u2212+ ][\d:]+)?)?$/i;

const dateForms = [
  /^(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d))?)?$/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
  /^(?<year>\d{4})-w(?<week>\d\d)(?:-(?<weekday>[1-7]))?$/i,
  /^(?<year>\d{4})w(?<week>\d\d)(?<weekday>[1-7])?$/i,
  /^(?<year>\d{4})-?(?<ordinal>\d{3})$/,
];

const timeForm = /^(?<hours>\d\d)(?::?(?<minutes>\d\d)(?::?(?<seconds>\d\d))?)?(?:[.,](?<fraction>\d+))?$/;

const offsetForm = /^(?<sign>[-\u2212+ ])(?<hours>\d\d)(?::?(?<minutes>\d\d))?$/;

type Parts = Partial<Record<string, string>>;

/**
 * Parses an instant in any form of ISO 8601 or RFC 3339:
 * - calendar, week, and ordinal dates, in the basic and the extended format; or only a year, month, or week
 * - `T`, `t`, or a space before the time; optional minutes and seconds; a fraction of the last unit after a point or comma; `24:00`
 * - leap seconds, which count as the second after
 * - `Z`, `z`, or an offset with or without minutes, also with a plus that a query string turned into a space
 *
 * Without a time it is the first instant of the date. Without a zone it is in UTC. Years have four digits.
 * @returns epoch milliseconds, rounded up so that no earlier time counts as later; null if the text is not an instant
 */
export function isoInstant(text: string): number | null {
  const split = instantForm.exec(text.trim());
  if (split === null) return null;
  const { date, time, zone } = split.groups as Parts;
  const start = dateStart(date as string, time !== undefined);
  const clock = time === undefined ? { ms: 0, leaps: false } : timeOfDay(time);
  const offset = zone === undefined || /^z$/i.test(zone) ? 0 : offsetMs(zone);
  if (start === null || clock === null || offset === null) return null;
  const at = start + clock.ms - offset;
  // A leap second is the last second of a UTC day, in any zone.
  if (clock.leaps && Math.floor(at / 1000) % (day / 1000) !== 0) return null;
  const { length } = new Date(at).toISOString();
  return length > '2026-01-10T17:05:00.000Z'.length ? null : at;
}

/** Returns the first instant of a date in UTC. @param whole whether the date must include the day */
function dateStart(text: string, whole: boolean): number | null {
  for (const form of dateForms) {
    const parts = form.exec(text)?.groups as Parts | undefined;
    if (parts === undefined) continue;
    const year = Number(parts.year);
    if (parts.ordinal !== undefined) return dayOfYear(year, Number(parts.ordinal));
    if (whole && (parts.week === undefined ? parts.day : parts.weekday) === undefined) return null;
    if (parts.week !== undefined) return weekDate(year, Number(parts.week), Number(parts.weekday ?? 1));
    return calendarDate(year, Number(parts.month ?? 1), Number(parts.day ?? 1));
  }
  return null;
}

function calendarDate(year: number, month: number, dayOfMonth: number): number | null {
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, dayOfMonth);
  // `Date` turns 30 February into a day of March.
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === dayOfMonth ? at.getTime() : null;
}

function dayOfYear(year: number, ordinal: number): number | null {
  const at = new Date(0);
  at.setUTCFullYear(year, 0, ordinal);
  return at.getUTCFullYear() === year ? at.getTime() : null;
}

/** Week 1 contains 4 January, and a week belongs to the year of its Thursday. */
function weekDate(year: number, week: number, weekday: number): number | null {
  const fourth = calendarDate(year, 1, 4) as number;
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * day + (week - 1) * 7 * day;
  return new Date(monday + 3 * day).getUTCFullYear() === year ? monday + (weekday - 1) * day : null;
}

function timeOfDay(text: string): { ms: number; leaps: boolean } | null {
  const parts = timeForm.exec(text)?.groups as Parts | undefined;
  if (parts === undefined) return null;
  const { minutes = '0', seconds = '0', fraction = '0' } = parts;
  const last = parts.seconds !== undefined ? 1000 : parts.minutes !== undefined ? minute : hour;
  const ms =
    Number(parts.hours) * hour + Number(minutes) * minute + Number(seconds) * 1000 + partOf(last, fraction);
  const leaps = seconds === '60';
  if (Number(minutes) > 59 || (Number(seconds) > 59 && !leaps)) return null;
  return ms > (leaps ? day + 999 : day) ? null : { ms, leaps };
}

/** Returns a decimal fraction of a number of milliseconds, computed exactly and rounded up. */
function partOf(ms: number, digits: string): number {
  const scale = 10n ** BigInt(digits.length);
  return Number((BigInt(digits) * BigInt(ms) + scale - 1n) / scale);
}

function offsetMs(text: string): number | null {
  const parts = offsetForm.exec(text)?.groups as Parts | undefined;
  if (parts === undefined) return null;
  const [hours, minutes] = [Number(parts.hours), Number(parts.minutes ?? 0)];
  if (hours > 23 || minutes > 59) return null;
  return (parts.sign === '-' || parts.sign === '\u2212' ? -1 : 1) * (hours * hour + minutes * minute);
}
