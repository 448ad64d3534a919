import { Temporal } from 'temporal-polyfill';
import { bookMeant } from '../rules/book-words.ts';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import { ownValue } from '../rules/own-value.ts';
import { plainLetters } from '../rules/plain-name.ts';
import { writtenSets } from '../rules/sets.ts';
import { leagueMeant } from '../rules/sport-words.ts';
import { type Marks, writtenLine, writtenNumbers } from '../rules/written-numbers.ts';

/** A time read from a cell: an instant, a local time of an unknown zone, or a day. */
export type CellTime = { instant: string } | { local: string } | { day: string };

/** The order of month and day in dates such as `3/4/2026`. */
export type DateOrder = 'month first' | 'day first';

const offsets: Readonly<Record<string, string>> = {
  z: 'Z',
  utc: 'Z',
  gmt: 'Z',
  est: '-05:00',
  edt: '-04:00',
  cst: '-06:00',
  cdt: '-05:00',
  mst: '-07:00',
  mdt: '-06:00',
  pst: '-08:00',
  pdt: '-07:00',
  wet: '+00:00',
  west: '+01:00',
  bst: '+01:00',
  cet: '+01:00',
  cest: '+02:00',
  eet: '+02:00',
  eest: '+03:00',
  msk: '+03:00',
  sgt: '+08:00',
  hkt: '+08:00',
  jst: '+09:00',
  aest: '+10:00',
  aedt: '+11:00',
  nzst: '+12:00',
  nzdt: '+13:00',
};

const zones: Readonly<Record<string, string>> = {
  et: 'America/New_York',
  ct: 'America/Chicago',
  mt: 'America/Denver',
  pt: 'America/Los_Angeles',
};

/** Names of months from January on, in English, French, German, Italian, Portuguese, and Spanish. `juin` is longer than `jui`. */
const months =
  'jan|ene|gen f[eé][bv] mar(?!d)|m[aä]r|mrz a[bpv]r ma[igjy] jun|juin|giu jul|juil|lug aug|ao[uû]|ago sep|set o[ck]t|ott|out nov d[eéi][czs]'
    .split(' ')
    .map((names) => new RegExp(`^(?:${names})`));

/** Times of day, with or without a zone: `8:00`, `20:00:31.5`, `7pm`, `6:00 AM`. */
const clock =
  /^(?:t|,|at|@|-)?\s*(\d{1,2})(?:[:h](\d{2}))?(?::(\d{2}(?:\.\d{1,9})?))?\s*([ap])?\.?m?\.?\s*(z|[a-z]{2,4}|(?:utc|gmt)?[+-]\d{1,2}:?(?:\d{2})?)?$/i;

/** Days of the week in English, French, German, Italian, Portuguese, and Spanish. */
const weekday =
  /^(?:mon|tue|wed|thu|fri|sat|sun|lun|mar|mer|jeu|ven|sam|dim|mo|di|mi|do|fr|sa|so|gio|sab|dom|mié|mie|jue|vie|sáb|seg|ter|qua|qui|sex)[\p{L}-]*\.?,?\s+(?=\d|\p{L}+\.?\s+\d)/iu;

/** Maximum length of a cell with a time. */
const maxTimeLength = 40;

/**
 * Reads a date or time as sheets write it: ISO 8601, `11/19/2026 8:00 PM`, `19.11.2026`, `Nov 19, 2026 7pm ET`, or the serial number of a
 * spreadsheet. Returns undefined for other text, and for times that a daylight-saving change skips or repeats.
 */
export function readTime(cell: string, order: DateOrder = 'month first'): CellTime | undefined {
  const text = cell.trim();
  if (text.length > maxTimeLength) return undefined;
  const serial = /^\d{5}(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (serial >= 30_000 && serial < 80_000) return ofSerial(serial);
  if (/^\d{13}$/.test(text)) return { instant: new Date(Number(text)).toISOString() };
  if (/^1\d{9}$/.test(text)) return { instant: new Date(Number(text) * 1000).toISOString() };
  const [day, rest] = dayOf(text.replace(weekday, ''), order) ?? [];
  if (day === undefined || rest === undefined) return undefined;
  const time = rest.trim();
  if (time === '') return { day };
  const found = clock.exec(time);
  if (found === null) return undefined;
  const [, hours = '', minutes = '00', seconds = '00', half, zone] = found;
  // A bare number after a date is not a time.
  if (half === undefined && found[2] === undefined) return undefined;
  const hour =
    half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (
    hour > 23 ||
    Number(minutes) > 59 ||
    Number(seconds) > 59 ||
    (half !== undefined && (Number(hours) > 12 || Number(hours) === 0))
  )
    return undefined;
  const local = `${day}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}`;
  return zone === undefined ? { local } : inZone(local, zone.toLowerCase());
}

function inZone(local: string, zone: string): CellTime | undefined {
  const offset = ownValue(offsets, zone) ?? offsetOf(zone);
  if (offset !== undefined) return { instant: `${local}${offset}` };
  const named = ownValue(zones, zone);
  const instant = named === undefined ? undefined : instantIn(local, named);
  return instant === undefined ? undefined : { instant };
}

function offsetOf(zone: string): string | undefined {
  const [, sign, hours = '', minutes = '00'] = /^(?:utc|gmt)?([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return undefined;
  return `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** Converts a local time to an instant. Returns undefined if the zone's clocks skip or repeat it. */
export function instantIn(local: string, zone: string): string | undefined {
  try {
    return Temporal.PlainDateTime.from(local)
      .toZonedDateTime(zone, { disambiguation: 'reject' })
      .toInstant()
      .toString();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Converts a spreadsheet's serial number: days since December 30, 1899. */
function ofSerial(serial: number): CellTime {
  const at = new Date(Date.UTC(1899, 11, 30) + Math.round(serial * 86_400) * 1000).toISOString();
  return Number.isInteger(serial) ? { day: at.slice(0, 10) } : { local: at.slice(0, 19) };
}

/** Splits a text into the date at its start and the rest. */
function dayOf(text: string, order: DateOrder): [day: string, rest: string] | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text);
  if (iso !== null) return dated(iso[1]!, iso[2]!, iso[3]!, text.slice(iso[0].length));
  const compact = /^(20\d{2})(\d{2})(\d{2})(?!\d)/.exec(text);
  if (compact !== null) return dated(compact[1]!, compact[2]!, compact[3]!, text.slice(compact[0].length));
  const numbers = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/.exec(text);
  if (numbers !== null) {
    const [all, one = '', mark, two = '', year = ''] = numbers;
    const isDayFirst = mark === '.' || (order === 'day first' && Number(two) <= 12) || Number(one) > 12;
    return dated(year, isDayFirst ? two : one, isDayFirst ? one : two, text.slice(all.length));
  }
  const named =
    /^(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/iu.exec(text) ??
    /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s/-]*(?:de\s+)?(\p{L}{3,10})\.?,?[\s/-]*(?:de\s+)?(\d{4}|\d{2})(?!\d)/iu.exec(
      text,
    );
  if (named === null) return undefined;
  const [word = '', number = ''] = /^\d/.test(named[1]!) ? [named[2], named[1]] : [named[1], named[2]];
  const month = months.findIndex((written) => written.test(word.toLowerCase())) + 1;
  return month === 0 ? undefined : dated(named[3]!, String(month), number, text.slice(named[0].length));
}

function dated(year: string, month: string, day: string, rest: string): [string, string] | undefined {
  const text = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : [text, rest];
}

/** Returns the orders of month and day that a column's dates prove: none if every date is ambiguous. */
export function dateOrdersOf(cells: Iterable<string>): DateOrder[] {
  const found = new Set<DateOrder>();
  for (const cell of cells) {
    const [, one, two] = /^\s*(\d{1,2})[-/](\d{1,2})[-/]\d{2,4}/.exec(cell) ?? [];
    if (Number(one) > 12) found.add('day first');
    if (Number(two) > 12) found.add('month first');
  }
  return [...found];
}

/** Reports whether a date can be read with the month or with the day first: `3/4/2026`, and not `3/3/2026` or `3/14/2026`. */
export function isOpenDate(cell: string): boolean {
  const [, one, two] = /^\s*(\d{1,2})[-/](\d{1,2})[-/]\d{2,4}/.exec(cell) ?? [];
  return one !== undefined && Number(one) <= 12 && Number(two) <= 12 && Number(one) !== Number(two);
}

/** Maximum length of a time's text. Longer ones are not matched against patterns. */
const longestClock = 100;

/**
 * Reads a time of day: `7:05 PM`, `12:30 BST`, or a spreadsheet's fraction of a day, such as 0.795138889.
 * @returns text that can follow a date for {@link readTime}; undefined if it is not a time
 */
export function readClock(cell: string): string | undefined {
  if (cell.length > longestClock) return undefined;
  if (/^0?[.,]\d{1,15}$/.test(cell)) {
    const seconds = Math.round(Number(cell.replace(',', '.')) * 86_400);
    return seconds >= 86_400 ? undefined : new Date(seconds * 1000).toISOString().slice(11, 19);
  }
  const text = cell
    .replace(/\s*(?:uhr|hrs?|h|heures?|horas?|ore)\.?$/i, '')
    .replace(/^(\d{1,2})[.h](\d{2})(?!\d)/i, '$1:$2')
    .replace(/^([01]\d|2[0-3])([0-5]\d)$/, '$1:$2')
    .replace(/^(?:2[0-3]|1\d|0?\d)$/, /[hu]/i.test(cell) ? '$&:00' : '$&');
  return readTime(`2000-01-01 ${text}`) === undefined ? undefined : text;
}

/**
 * Returns when a pick with a date but no time counts as posted: 23:59 ET, or a minute before the start if that is earlier. Epoch
 * milliseconds.
 */
export function postedOnDay(day: string, startsAt: number | null): number {
  const end = etDayStart(addDays(day, 1)) - 60_000;
  return startsAt === null ? end : Math.min(end, startsAt - 60_000);
}

/** Returns the ET date of a time. A local time keeps its own date. */
export function dayOfTime(time: CellTime): string {
  if ('day' in time) return time.day;
  return 'local' in time ? time.local.slice(0, 10) : etDay(Date.parse(time.instant));
}

/** Converts a name to a handle: `Max Example` becomes `max-example`. Undefined if fewer than two characters remain. */
export function handleOf(name: string): string | undefined {
  const handle = plainLetters(name.trim().replace(/^@/, ''))
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, 32)
    .replace(/-+$/, '');
  return /^[a-z0-9][a-z0-9_-]{1,31}$/.test(handle) ? handle : undefined;
}

/** Converts the name of a sport to its key. An ambiguous name becomes text that every schema rejects; an unknown one becomes a slug. */
export function sportCell(cell: string): string {
  const meaning = leagueMeant(cell);
  const [sport] = meaning?.sports ?? [];
  if (meaning?.exact === true && sport !== undefined) return sport;
  if (meaning?.exact === false) return `${cell} (${meaning.sports.join(' or ')})`;
  return cell.toLowerCase().replace(/\s+/g, '_');
}

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** Conventions shared by the cells of a sheet. */
export interface Sheet {
  /** With `;`, a comma in a number is a decimal comma; otherwise it separates thousands. */
  delimiter: Delimiter;
  /** IANA zone of times without one. Default: such times are refused. */
  zone?: string | undefined;
  /** Order of dates such as `3/4/2026`. Default: month first. */
  dates?: DateOrder | undefined;
}

/** How sheets write a field. */
export interface Cell {
  /** Parses a non-blank cell. Returns the text itself if it cannot, for the schema to refuse. */
  read(text: string, sheet: Sheet): unknown;
  /** Requirement on a cell, if the schema's is too general. */
  must?: string;
  /** Set for times. */
  isTime?: true;
}

const slug = (cell: string) => cell.toLowerCase().replace(/\s+/g, '_');

export const textCell: Cell = { read: (cell) => cell };
export const slugCell: Cell = { read: slug };
export const numberCell: Cell = { read: numberOf };
export const lineCell: Cell = { read: (cell, sheet) => writtenLine(cell, marksOf(sheet)) ?? cell };
export const booleanCell: Cell = {
  read: (cell) => /^(true|yes|y|x|1)$/i.test(cell) || (/^(false|no|n|0)$/i.test(cell) ? false : cell),
};
export const handleCell: Cell = { read: (cell) => handleOf(cell) ?? cell };
export const bookCell: Cell = {
  read: (cell) => bookMeant(cell) ?? slug(cell.replace(/[^\w-]+/g, ' ').trim()),
};
export const unitsCell: Cell = {
  read: (cell, sheet) => numberOf(cell.replace(/\s*u(nits?)?$/i, ''), sheet),
};
export const sportsCell: Cell = {
  read: sportCell,
  must: 'a sport such as nfl; a word for several sports, such as Football, needs a column League',
};
export const setsCell: Cell = {
  read: (cell) => writtenSets(cell) ?? cell,
  must: 'the games of each set, home first, such as 6-4 3-6 7-6',
};
export const instantCell: Cell = {
  read: instantOf,
  must: 'an instant such as 2026-01-10 17:05Z, or a time that the clocks of --zone show once',
  isTime: true,
};
/** Parses a number. Returns the text itself if it is not a number or is ambiguous, such as `1,909` between tabs. */
function numberOf(cell: string, sheet: Sheet): unknown {
  const [first, second] = writtenNumbers(cell, marksOf(sheet));
  if (first === undefined || (second !== undefined && sheet.delimiter === '\t')) return cell;
  return Number(second ?? first);
}

/** Returns the number format of a sheet. */
export function marksOf({ delimiter }: Pick<Sheet, 'delimiter'>): Marks {
  return { decimalComma: delimiter === ';' };
}

/**
 * Converts a time to RFC 3339. A time without an offset is in the sheet's zone; one that the zone skips or repeats is refused. A date
 * without a time stays a date.
 */
function instantOf(cell: string, { zone, dates }: Sheet): string {
  const time = readTime(cell, dates);
  if (time === undefined) return cell;
  if ('day' in time) return time.day;
  if ('instant' in time) return time.instant;
  return (zone === undefined ? undefined : instantIn(time.local, zone)) ?? cell;
}
