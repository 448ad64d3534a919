import { bookMeant } from '../rules/book-words.ts';
import { writtenSets } from '../rules/sets.ts';
import { type Marks, writtenLine, writtenNumbers } from '../rules/written-numbers.ts';
import { type DateOrder, handleOf, instantIn, readTime, sportCell } from './cells.ts';

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
