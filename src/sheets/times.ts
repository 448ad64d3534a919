import {
  type CellTime,
  type DateOrder,
  dateOrdersOf,
  dayOfTime,
  instantIn,
  isOpenDate,
  postedOnDay,
  readClock,
  readTime,
} from '../intake/cells.ts';
import { currencyOf } from './amounts.ts';
import { type Cells, RowRefused } from './cells.ts';
import { oddsFields, plain, type SheetField, timeFields } from './columns.ts';
import type { Sheet } from './sheet.ts';

/** How a sheet writes times. */
export interface Times {
  /** Undefined: the column has dates of both orders, so ambiguous ones are refused. */
  order: DateOrder | undefined;
  /** IANA zone of local times. */
  zone: string;
  all: CellTime[];
}

/** Zone of local times, unless the operator chooses one. */
const defaultZone = 'America/New_York';

/** Decides how the columns of times are read, and lists what that assumes. */
export function timesIn(sheet: Sheet): Times {
  const { columns, rows, choices, guesses } = sheet;
  const cells = (field: (typeof timeFields)[number]) =>
    rows.map((row) => sheet.cellAt(row, field)).filter((cell) => cell !== '');
  const dates = timeFields.flatMap(cells);
  const order = orderOf(dates, sheet);
  const read = dates.map((cell) => readTime(cell, order ?? 'month first'));
  const isLocal = columns.has('time') || read.some((time) => time !== undefined && 'local' in time);
  if (choices.zone === undefined && isLocal)
    guesses.push(`Times without a zone are in ${defaultZone}. Choose another with --zone.`);
  const dated =
    columns.has('time') || cells('date').some((cell) => !('day' in (readTime(cell, order) ?? { day: '' })));
  if (dated && cells('startsAt').length + cells('postedAt').length === 0)
    guesses.push(
      "Times next to dates are starts of games. If they are times of posting, set --map 'Date=postedAt'.",
    );
  if (read.some((time) => time !== undefined && 'day' in time) && cells('startsAt').length === 0)
    guesses.push('A date without a time counts as 23:59 ET.');
  return { order, zone: choices.zone ?? defaultZone, all: read.filter((time) => time !== undefined) };
}

/** Headers of dates in languages that write the day first. */
const abroad = /^(?:fecha|datum|data|jour|dato)$/;

/** Reports whether a sheet has what is written where the day comes first: fractional odds, or amounts in other money than dollars. */
function isAbroad({ columns, rows, cellsOf, mapping, grid }: Sheet): boolean {
  const inColumns = (fields: readonly SheetField[], test: (cell: string) => boolean) =>
    fields.some(
      (field) =>
        columns.has(field) &&
        rows.some(({ cells }) => cellsOf(cells, field).some(({ cell }) => test(cell.trim()))),
    );
  return (
    grid.decimalComma ||
    mapping.columns.some(({ header }) => abroad.test(plain(header))) ||
    inColumns(oddsFields, (cell) => /^\d{1,3}\/\d{1,3}$/.test(cell)) ||
    inColumns(['money', 'stakeUnits', 'payout', 'profit', 'currency'], (cell) =>
      /^(?!USD|CAD|PHP)/.test(currencyOf(cell) ?? 'USD'),
    )
  );
}

function orderOf(dates: readonly string[], sheet: Sheet): DateOrder | undefined {
  const { answers } = sheet.choices;
  const said = answers.get('dates');
  if (said === 'month first' || said === 'day first') return said;
  const proven = dateOrdersOf(dates);
  const open = dates.find(isOpenDate);
  if (proven.length === 1) return proven[0];
  if (open === undefined) return 'month first';
  if (proven.length === 2) {
    sheet.questions.push({
      key: 'dates',
      text: `The dates have the month first in some rows and the day first in others. Which comes first in ${open}?`,
      choices: ['month first', 'day first'],
      otherwise: 'Dates that can be read both ways are refused.',
    });
    return undefined;
  }
  const guess = isAbroad(sheet) ? 'day first' : 'month first';
  sheet.guesses.push(
    `Dates such as ${open} are read with the ${guess === 'day first' ? 'day' : 'month'} first. Choose with --answer 'dates=day first' or 'dates=month first'.`,
  );
  return guess;
}

/**
 * Reads the time in a cell. Returns undefined if the cell is empty.
 * @throws RowRefused
 */
export function timeOf(cell: string, { order, zone }: Times): CellTime | undefined {
  if (cell === '') return undefined;
  if (order === undefined && isOpenDate(cell))
    throw new RowRefused(
      `${cell} can have the month or the day first, and the column has both. Use --answer 'dates=...'.`,
    );
  const time = readTime(cell, order);
  if (time === undefined) throw new RowRefused(`${cell} is not a date.`);
  if (!('local' in time)) return time;
  const instant = instantIn(time.local, zone);
  if (instant === undefined) throw new RowRefused(`A clock change in ${zone} skips or repeats ${cell}.`);
  return { instant };
}

/** Returns the time of a row from its date, or the one above, and its time of day. @throws RowRefused */
export function dateAndTime(
  cell: Cells,
  above: string | undefined,
  times: Times,
  notes: string[],
): CellTime | undefined {
  let date = cell('date');
  if (date === '' && cell('startsAt') === '' && cell('postedAt') === '' && above !== undefined) {
    date = above;
    notes.push(`The row has no date. That of the row above counts: ${date}.`);
  }
  const time = cell('time');
  const settled = timeOf(cell('settledAt'), times);
  if (settled !== undefined) {
    notes.push('Only the day of settling is known, so the game counts as played on it.');
    return { day: dayOfTime(settled) };
  }
  const of = timeOf(date, times);
  if (of === undefined || time === '') return of;
  if (/^(?:tb[acdn]|ppd|postponed|unknown|null|-|—|\?+|n\/a)$/i.test(time)) {
    notes.push(`The time ${time} is unknown.`);
    return of;
  }
  const clock = readClock(time);
  if (clock === undefined) throw new RowRefused(`${time} is not a time of day.`);
  return 'day' in of ? timeOf(`${of.day} ${clock}`, times) : of;
}

/**
 * Returns when a pick counts as posted, in epoch milliseconds.
 * @param isOfGame whether the time is the game's, which is too late for a pick
 */
export function postedAtOf(
  time: CellTime,
  begins: number | null,
  isOfGame: boolean,
  notes: string[],
): { at: number; isDay: boolean } {
  if ('day' in time) return { at: postedOnDay(time.day, begins), isDay: true };
  const at = Date.parse('instant' in time ? time.instant : '');
  if (!isOfGame || begins === null || at < begins) return { at, isDay: false };
  notes.push('The time of posting is unknown and counts as one minute before the start.');
  return { at: begins - 60_000, isDay: true };
}
