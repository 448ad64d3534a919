import { type CellTime, instantIn, postedOnDay, readTime } from '../intake/cells.ts';

import { type Cells, RowRefused } from './row.ts';
import type { WholeSheet } from './whole-sheet.ts';

/**
 * Reads the time in a cell. Returns undefined if the cell is empty.
 * @throws RowRefused
 */
export function timeOf(cell: string, { order, zone }: WholeSheet): CellTime | undefined {
  if (cell === '') return undefined;
  const time = readTime(cell, order);
  if (time === undefined) throw new RowRefused(`${cell} is not a date.`);
  if (!('local' in time)) return time;
  const instant = instantIn(time.local, zone);
  if (instant === undefined) throw new RowRefused(`A clock change in ${zone} skips or repeats ${cell}.`);
  return { instant };
}

/**
 * Reads the time in the date and time columns.
 * @throws RowRefused
 */
export function dateAndTimeOf(cell: Cells, sheet: WholeSheet): CellTime | undefined {
  const [date, time] = [cell('date'), cell('time')];
  const both = time === '' ? undefined : readTime(`${date} ${time}`, sheet.order);
  return timeOf(both === undefined ? date : `${date} ${time}`, sheet);
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
