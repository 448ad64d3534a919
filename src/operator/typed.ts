import { instantIn, readTime } from '../intake/cells.ts';
import { addDays, etDay } from '../rules/et-day.ts';
import type { Typed } from '../rules/typed-numbers.ts';

/** Available time zones. The first one is the default. */
export const zones = [
  { text: 'America/New_York', label: 'Eastern' },
  { text: 'America/Chicago', label: 'Central' },
  { text: 'America/Denver', label: 'Mountain' },
  { text: 'America/Los_Angeles', label: 'Pacific' },
  { text: 'UTC', label: 'UTC' },
  { text: 'Europe/London', label: 'London' },
] as const;

/**
 * Converts the values of date and time inputs to an instant, in epoch milliseconds.
 * @param date `2026-11-27`
 * @param time `19:00`
 */
export function pickedInstant(date: string, time: string, zone: string): Typed<number> {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return { fault: 'Enter the date.' };
  if (!/^\d\d:\d\d(:\d\d)?$/.test(time)) return { fault: 'Enter the time.' };
  return inZone(`${date}T${time}`, zone);
}

function inZone(local: string, zone: string): Typed<number> {
  const known = zones.find(({ text }) => text === zone);
  if (known === undefined) return { fault: 'Choose a time zone from the list.' };
  const instant = instantIn(local, zone);
  if (instant === undefined)
    return {
      fault: `A clock change in ${known.label} time skips or repeats ${local}. Enter the time in UTC.`,
    };
  return inBounds(Date.parse(instant));
}

/** Instants outside this range are typing errors. */
const [earliest, latest] = [Date.UTC(1900), Date.UTC(2100)];

function inBounds(at: number): Typed<number> {
  return at >= earliest && at < latest ? { value: at } : { fault: 'Enter a date from 1900 to 2099.' };
}

/**
 * Reads an instant in words, in epoch milliseconds: `Nov 27 7pm`, `tomorrow 19:30 CT`, `2026-11-27T19:00Z`. Without a year, the nearest one
 * is meant.
 * @param zone default zone
 * @param now epoch milliseconds
 */
export function instantTyped(text: string, zone: string, now: number): Typed<number> {
  const how = 'Enter the start as Nov 27 7pm. For another zone, add ET, CT, MT, PT, or UTC.';
  const numbers = /^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{2}|\d{4}))?(?!\d)(.*)$/.exec(text);
  if (numbers !== null) {
    const [, one = '', two = '', year, rest = ''] = numbers;
    if (Number(one) <= 12 && Number(two) <= 12 && one !== two)
      return {
        why: `${one}/${two} can mean two days.`,
        choices: [
          [one, two],
          [two, one],
        ].map(([month, day]) => {
          const named = `${months[Number(month) - 1]} ${Number(day)}${year === undefined ? '' : `, ${fullYear(year)}`}${rest}`;
          return { label: named, text: named };
        }),
      };
    const [month, day] = Number(one) > 12 ? [two, one] : [one, two];
    const name = months[Number(month) - 1];
    if (name === undefined) return { fault: how };
    return instantTyped(`${name} ${day}${year === undefined ? '' : `, ${fullYear(year)}`}${rest}`, zone, now);
  }
  const clock = /^\d{4}-/.test(text) ? null : halfUnknown.exec(text);
  if (clock !== null)
    return {
      why: `${clock[0].trim()} can be morning or evening.`,
      choices: ['am', 'pm'].map((half) => {
        const said = text.replace(halfUnknown, `$&${half}`);
        return { label: said, text: said };
      }),
    };
  const today = etDay(now);
  const dated = text.replace(/^(?:today|tonight)\b,?/i, today).replace(/^tomorrow\b,?/i, addDays(today, 1));
  const read = readTime(dated) ?? nearestYear(dated, now);
  if (read === undefined) return { fault: how };
  if ('day' in read) return { fault: 'Add the time of day, such as 7pm.' };
  if ('local' in read) return inZone(read.local, zone);
  const at = Date.parse(read.instant);
  return Number.isNaN(at) ? { fault: how } : inBounds(at);
}

/** Matches a twelve-hour time without AM or PM. */
const halfUnknown = /(?<=^|[\s,])(?:[1-9]|1[0-2]):[0-5]\d(?!:|\d|\s*[ap]\.?(?:m|\b))/i;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const fullYear = (year: string) => (year.length === 2 ? `20${year}` : year);

/** Reads a date without a year, in the year that puts it nearest to now. */
function nearestYear(text: string, now: number): ReturnType<typeof readTime> {
  const found =
    /^((?:[a-z]{3,9}\.?,?\s+)?[a-z]{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?),?(?:\s+(.*))?$/i.exec(text) ??
    /^((?:[a-z]{3,9}\.?,?\s+)?\d{1,2}(?:st|nd|rd|th)?\s+[a-z]{3,9}\.?),?(?:\s+(.*))?$/i.exec(text);
  if (found === null) return undefined;
  const [, date = '', time = ''] = found;
  const year = Number(etDay(now).slice(0, 4));
  const read = [year - 1, year, year + 1].flatMap(
    (each) => readTime(`${date}, ${each} ${time}`.trim()) ?? [],
  );
  const gap = (one: (typeof read)[number]) =>
    Math.abs(Date.parse('instant' in one ? one.instant : 'local' in one ? `${one.local}Z` : one.day) - now);
  return read.toSorted((one, other) => gap(one) - gap(other))[0];
}
