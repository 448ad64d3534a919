import type { BetReading } from '../rules/bet-text/bet.ts';
import type { Marks } from '../rules/written-numbers.ts';
import { amountOf, signedAmountOf } from './amounts.ts';
import { type AllCells, type Cells, RowRefused } from './cells.ts';
import { columnOf, oddsFields, type SheetField } from './columns.ts';
import {
  americanIn,
  formatNamed,
  formatText,
  type OddsColumn,
  oddsColumnOf,
  readOddsCell,
  type SheetOddsFormat,
  sheetOddsFormats,
} from './odds-column.ts';
import type { Sheet } from './sheet.ts';

/** Decides the format of the column of odds, by the operator's choice, its cells, or the profits of won bets. */
export function oddsIn(sheet: Sheet): OddsColumn {
  const { rows, cellAt, columns, choices, guesses, questions } = sheet;
  const { decimalComma } = sheet.grid;
  const marks = { decimalComma };
  const field = ([...oddsFields, 'outcomeOdds'] as const).find((each) => columns.has(each));
  const none: OddsColumn = { format: undefined, reading: { proven: [], format: undefined }, open: [] };
  if (field === undefined) return none;
  // Rows that name their own format prove nothing about the others.
  const open = rows.filter((row) => cellAt(row, 'oddsFormat') === '');
  const cells = open.flatMap((row) => sheet.cellsOf(row.cells, field).map(({ cell }) => cell));
  const said = choices.answers.get('odds');
  const chosen = choices.odds ?? sheetOddsFormats.find((each) => each === said);
  const read = oddsColumnOf(cells, {
    header: columns.get(field)![0]!.format ?? columnOf(field).format,
    chosen,
    marks,
  });
  if (chosen !== undefined || columns.has('oddsFormat')) return read;
  const proven = field === 'outcomeOdds' ? undefined : byProfit(open, cellAt, field, marks);
  if (
    proven !== undefined &&
    proven !== read.format &&
    (read.format !== undefined || !read.reading.proven.some((each) => each === proven))
  ) {
    guesses.push(`The odds are ${formatText(proven)}, because the profits of the won bets fit.`);
    return oddsColumnOf(cells, { header: undefined, chosen: proven, marks });
  }
  if (read.format !== undefined)
    guesses.push(`The odds are ${formatText(read.format)}, judging by the column. Choose with --odds.`);
  if (read.open.length > 0)
    questions.push({
      key: 'odds',
      text: `Which format do odds such as ${cells.find((cell) => /^[+-]?0?[.,]\d/.test(cell)) ?? cells[0]} have?`,
      choices: read.open,
      otherwise: 'Rows with such odds are refused.',
    });
  return read;
}

/** Minimum number of won bets whose profits prove a format. */
const provingRows = 2;

/** Returns the only format in which nearly all won bets gain their profits. */
function byProfit(
  rows: Sheet['rows'],
  cellAt: Sheet['cellAt'],
  field: SheetField,
  marks: Marks,
): SheetOddsFormat | undefined {
  const won = rows.flatMap((row) => {
    const profit = signedAmountOf(cellAt(row, 'profit'));
    const stake = amountOf(cellAt(row, 'stakeUnits') || cellAt(row, 'money'));
    return profit === undefined || stake === undefined || profit <= 0 || stake <= 0
      ? []
      : [{ cell: cellAt(row, field), gain: profit / stake }];
  });
  if (won.length < provingRows) return undefined;
  const fits = sheetOddsFormats.filter((format) => {
    const good = won.filter(({ cell, gain }) => {
      const odds = americanIn(format, cell, marks);
      if (odds === undefined) return false;
      const pays = odds > 0 ? odds / 100 : 100 / -odds;
      return Math.abs(pays - gain) <= 0.03 * Math.max(pays, gain) + 0.005;
    });
    return good.length >= won.length * 0.9;
  });
  // Below even money, Hong Kong and Malay odds are the same.
  const [first] = fits.filter((format) => format !== 'malay' || !fits.includes('hongkong'));
  return fits.length <= 2 ? first : undefined;
}

/** Returns the outcome of a header such as `1`, `X`, or `Away odds`. */
function outcomeNamed(header: string): 'home' | 'draw' | 'away' {
  return /1|home/i.test(header) ? 'home' : /x|draw/i.test(header) ? 'draw' : 'away';
}

/** Returns the American odds of a row. The odds column takes precedence over the text. @throws RowRefused */
export function oddsOf(
  cellsOf: AllCells,
  bet: BetReading,
  column: OddsColumn,
  marks: Marks,
  notes: string[],
): number {
  const cell: Cells = (field) => cellsOf(field)[0]?.cell ?? '';
  const ofOutcome = cellsOf('outcomeOdds').find(
    ({ header }) => bet.market === 'moneyline' && outcomeNamed(header) === bet.side,
  );
  const written = oddsFields.map(cell).find((each) => each !== '') ?? ofOutcome?.cell;
  if (written === undefined) {
    if (bet.oddsAmerican === null) throw new RowRefused('The row has no odds.');
    return bet.oddsAmerican;
  }
  const named = cell('oddsFormat');
  const format = formatNamed(named);
  if (named !== '' && format === undefined)
    throw new RowRefused(`${named} is no format of odds that is known here.`);
  const own = format === undefined ? column : oddsColumnOf([], { header: undefined, chosen: format, marks });
  const odds = readOddsCell(written, own, marks);
  if (typeof odds === 'string') throw new RowRefused(odds);
  if (bet.oddsAmerican !== null && bet.oddsAmerican !== odds)
    notes.push(`The text says ${bet.oddsAmerican}, the odds column ${odds}. The column counts.`);
  return odds;
}
