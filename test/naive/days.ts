export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const eastern = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
});

const dayOfHour = new Map<number, string>();

function easternParts(at: number): Record<string, string> {
  return Object.fromEntries(eastern.formatToParts(at).map((part) => [part.type, part.value]));
}

/** Returns the calendar date in America/New_York, `YYYY-MM-DD`. Midnight there is always a whole hour of UTC. */
export function etDay(at: number): string {
  const hour = Math.floor(at / HOUR);
  let day = dayOfHour.get(hour);
  if (day === undefined) {
    const parts = easternParts(at);
    day = `${parts.year}-${parts.month}-${parts.day}`;
    dayOfHour.set(hour, day);
  }
  return day;
}

/** Returns the date `days` before an Eastern day, or after it if negative. */
export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY).toISOString().slice(0, 10);

/** Returns the last `count` Eastern days up to and including `last`, oldest first. */
export const daysUpTo = (last: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => dayBefore(last, count - 1 - index));

/** Returns the instant of `hour`:00 on an Eastern day, for an hour that exists once on that day. */
export function etHour(day: string, hour: number): number {
  const asUtc = Date.parse(`${day}T00:00:00Z`) + hour * HOUR;
  for (const offset of [4, 5]) {
    const at = asUtc + offset * HOUR;
    if (etDay(at) === day && Number(easternParts(at).hour) === hour) return at;
  }
  throw new RangeError(`no such hour: ${day} ${hour}`);
}

/** `YYYY-MM-DDTHH:mm:ss.sssZ`, or null. */
export function iso(at: number): string;
export function iso(at: number | null): string | null;
export function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
