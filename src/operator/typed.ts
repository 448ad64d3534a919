import { bookMeant } from '../rules/book-words.ts';
import { addDays, etDay } from '../rules/et-day.ts';
import { readOdds } from '../rules/odds-format.ts';
import { writtenLine, writtenNumbers } from '../rules/written-numbers.ts';
import { instantIn, readTime } from '../sheets/cells.ts';

/** What a person may have meant. `text`: what to type so that it means only this. */
export interface Choice {
  label: string;
  text: string;
}

/** Why a text is not taken as it is: it means nothing here, or several things between which the person chooses. */
export type Problem = { fault: string } | { why: string; choices: readonly Choice[] };

/** What a text in a field means. Nothing is guessed. */
export type Typed<T> = { value: T } | Problem;

const marks = { decimalComma: false };

/** Odds as American ones: `-110`, `1.91`, `10/11`, `even`. */
export function oddsTyped(text: string): Typed<number> {
  const found = readOdds(text, { proven: [], format: undefined }, marks);
  if (found === undefined) return { fault: 'Write the odds as -110, +150, 1.91, or 10/11.' };
  if (typeof found === 'number') return { value: found };
  const { american, decimal, fractional } = found;
  const choices = [
    { odds: american, label: 'American' },
    { odds: decimal, label: `decimal: ${text} for 1` },
    // Nobody writes 110/1 as 110.
    { odds: american === undefined ? fractional : undefined, label: `fractional: ${text} to 1` },
  ].flatMap(({ odds, label }) =>
    odds === undefined ? [] : { text: signed(odds), label: `${signed(odds)} (${label})` },
  );
  return { why: `${text} can be odds in several formats.`, choices };
}

const signed = (odds: number) => (odds > 0 ? `+${odds}` : String(odds));

/** A stake in units: `2`, `2u`, `1.5 units`. */
export function stakeTyped(text: string): Typed<number> {
  const [units] = writtenNumbers(text.replace(/\s*u(?:nits?)?\.?$/i, ''), marks);
  const stake = Number(units);
  if (units === undefined || !(stake >= 0.01 && stake <= 100) || !isMultiple(stake, 100))
    return { fault: 'Write the stake in units, from 0.01 to 100 in steps of 0.01, such as 1.5.' };
  return { value: stake };
}

/** A line: `-3.5`, `+7`, `41½`, `PK`. */
export function lineTyped(text: string): Typed<number> {
  const line = writtenLine(text, marks);
  if (line === undefined || Math.abs(line) > 9999 || !isMultiple(line, 4))
    return { fault: 'Write the line in steps of 0.25, such as -3.5, 41.5, or PK.' };
  return { value: line };
}

function isMultiple(value: number, steps: number): boolean {
  return Math.abs(value * steps - Math.round(value * steps)) < 1e-6;
}

/** The key of a book: `DK` and `DraftKings` are one; a key stays as it is; a book that nobody knows gets a key of its own name. */
export function bookTyped(text: string): Typed<string> {
  const key =
    bookMeant(text) ??
    text
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, '_')
      .replace(/^[_-]+|[_-]+$/g, '');
  return /^[a-z0-9][a-z0-9_-]{0,39}$/.test(key)
    ? { value: key }
    : { fault: 'Write the name of the book with letters and digits, at most 40 of them.' };
}

/** A whole number, such as a score. */
export function countTyped(text: string): Typed<number> {
  return /^-?\d{1,6}$/.test(text) ? { value: Number(text) } : { fault: 'Write a whole number.' };
}

/** The zones that a time can be in; the first one is assumed. */
export const zones = [
  { text: 'America/New_York', label: 'Eastern' },
  { text: 'America/Chicago', label: 'Central' },
  { text: 'America/Denver', label: 'Mountain' },
  { text: 'America/Los_Angeles', label: 'Pacific' },
  { text: 'UTC', label: 'UTC' },
  { text: 'Europe/London', label: 'London' },
] as const;

/**
 * An instant in epoch milliseconds, of a date, a time, and a zone as pickers give them.
 * @param date `2026-11-27`
 * @param time `19:00`
 */
export function pickedInstant(date: string, time: string, zone: string): Typed<number> {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return { fault: 'Choose the date.' };
  if (!/^\d\d:\d\d(:\d\d)?$/.test(time)) return { fault: 'Choose the time.' };
  return inZone(`${date}T${time}`, zone);
}

function inZone(local: string, zone: string): Typed<number> {
  const known = zones.find(({ text }) => text === zone);
  if (known === undefined) return { fault: 'Choose a time zone of the list.' };
  const instant = instantIn(local, zone);
  if (instant === undefined)
    return { fault: `Clocks in ${known.label} time skip ${local}, or show it twice. Give it in UTC.` };
  return inBounds(Date.parse(instant));
}

/** A year outside of these is a slip. */
const [earliest, latest] = [Date.UTC(1900), Date.UTC(2100)];

function inBounds(at: number): Typed<number> {
  return at >= earliest && at < latest ? { value: at } : { fault: 'Give a date from 1900 to 2099.' };
}

/**
 * An instant in epoch milliseconds, of words: `Nov 27 7pm`, `tomorrow 19:30 CT`, `2026-11-27T19:00Z`. Without a year it is the nearest one.
 * @param zone of words that name none
 * @param now epoch milliseconds
 */
export function instantTyped(text: string, zone: string, now: number): Typed<number> {
  const how = 'Write the start as Nov 27 7pm, with ET, CT, MT, PT, or UTC behind it for another zone.';
  const numbers = /^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{2}|\d{4}))?(?!\d)(.*)$/.exec(text);
  if (numbers !== null) {
    const [, one = '', two = '', year, rest = ''] = numbers;
    if (Number(one) <= 12 && Number(two) <= 12 && one !== two)
      return {
        why: `${one}/${two} can be two days.`,
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
      why: `${clock[0].trim()} can be in the morning or in the evening.`,
      choices: ['am', 'pm'].map((half) => {
        const said = text.replace(halfUnknown, `$&${half}`);
        return { label: said, text: said };
      }),
    };
  const today = etDay(now);
  const dated = text.replace(/^(?:today|tonight)\b,?/i, today).replace(/^tomorrow\b,?/i, addDays(today, 1));
  const read = readTime(dated) ?? nearestYear(dated, now);
  if (read === undefined) return { fault: how };
  if ('day' in read) return { fault: 'Write the time of day too, such as 7pm.' };
  if ('local' in read) return inZone(read.local, zone);
  const at = Date.parse(read.instant);
  return Number.isNaN(at) ? { fault: how } : inBounds(at);
}

/** A time of a twelve-hour clock without its half of the day. */
const halfUnknown = /(?<=^|[\s,])(?:[1-9]|1[0-2]):[0-5]\d(?!:|\d|\s*[ap]\.?(?:m|\b))/i;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const fullYear = (year: string) => (year.length === 2 ? `20${year}` : year);

/** Reads a date without a year in the year that makes it nearest to now. */
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
