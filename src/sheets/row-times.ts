import { type CellTime, instantIn, postedOnDay, readTime } from './cells.ts';
import { type Cells, RowRefused } from './row.ts';
import type { WholeSheet } from './whole-sheet.ts';

/** The time that a cell says; undefined if it is empty. @throws RowRefused */
export function timeOf(cell: string, { order, zone }: WholeSheet): CellTime | undefined {
  if (cell === '') return undefined;
  const time = readTime(cell, order);
  if (time === undefined) throw new RowRefused(`${cell} is no date.`);
  if (!('local' in time)) return time;
  const instant = instantIn(time.local, zone);
  if (instant === undefined) throw new RowRefused(`The clocks of ${zone} show ${cell} never or twice.`);
  return { instant };
}

/** The time in the columns of date and time. @throws RowRefused */
export function dateAndTimeOf(cell: Cells, sheet: WholeSheet): CellTime | undefined {
  const [date, time] = [cell('date'), cell('time')];
  const both = time === '' ? undefined : readTime(`${date} ${time}`, sheet.order);
  return timeOf(both === undefined ? date : `${date} ${time}`, sheet);
}

/**
 * When a pick counts as posted.
 * @param isOfGame the time is that of the game, so a pick cannot be posted at it
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
  notes.push('The time of posting is not known: it counts as one minute before the start.');
  return { at: begins - 60_000, isDay: true };
}
