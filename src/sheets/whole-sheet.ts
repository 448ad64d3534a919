import { type CellTime, type DateOrder, dateOrdersOf, isOpenDate, readTime } from '../intake/cells.ts';
import { amountOf, isMoney, signedAmountOf, stakeIn } from './amounts.ts';
import type { Mapping } from './columns.ts';
import { type HeadedCell, plain, type SheetField } from './fields.ts';
import type { Grid } from './grid.ts';
import {
  americanIn,
  formatText,
  type OddsColumn,
  oddsColumnOf,
  type SheetOddsFormat,
  sheetOddsFormats,
} from './odds-column.ts';
import { type ResultColumn, resultCell, resultChoices, resultColumnOf } from './results.ts';

/** The operator's choices about a sheet. */
export interface SheetChoices {
  /** Fields by normalized header: see `readMap`. */
  map: ReadonlyMap<string, SheetField | '-'>;
  capper: string | undefined;
  /** Sport of rows that name none. */
  sport: string | undefined;
  /** IANA zone of local times. */
  zone: string | undefined;
  odds: SheetOddsFormat | undefined;
  /** Money per unit. */
  unit: number | undefined;
  /** Answers by the key of their question. */
  answers: ReadonlyMap<string, string>;
}

/** Something that the sheet does not decide, and that settles bets differently. */
export interface Question {
  /** The key of its answer, as in `--answer results.P=loss`. */
  key: string;
  text: string;
  choices: readonly string[];
  /** The consequence of no answer, if rows can be stored without one. Undefined: nothing is stored. */
  otherwise?: string;
}

/** Properties that all rows of a sheet share, derived from whole columns and the operator's choices. */
export interface WholeSheet {
  /** Undefined: the column has dates of both orders, so ambiguous ones are refused. */
  order: DateOrder | undefined;
  /** IANA zone of local times. */
  zone: string;
  odds: OddsColumn;
  decimalComma: boolean;
  /** Money per unit by currency; `''` for amounts without one. Undefined: stakes are in units. */
  units: ReadonlyMap<string, number> | undefined;
  results: ResultColumn;
  times: CellTime[];
  guesses: string[];
  questions: Question[];
}

/** Zone of local times, unless the operator chooses one. */
const defaultZone = 'America/New_York';

const formats = {
  odds: undefined,
  oddsAmerican: 'american',
  oddsDecimal: 'decimal',
  oddsFractional: 'fractional',
} as const satisfies Partial<Record<SheetField, SheetOddsFormat | undefined>>;

/** The fields for odds, most trusted first. */
export const oddsFields = ['oddsAmerican', 'odds', 'oddsDecimal', 'oddsFractional'] as const;

/** Derives the properties that all rows share. */
export function readWholeSheet(grid: Grid, mapping: Mapping, choices: SheetChoices): WholeSheet {
  const guesses: string[] = [];
  const questions: Question[] = [];
  const columns = Map.groupBy(mapping.columns, ({ field }) => field);
  const rows = grid.rows.slice(mapping.header + 1);
  const cellsOf = cellsIn(columns);
  const cellAt: CellAt = (row, field) => cellsOf(row.cells, field)[0]?.cell ?? '';
  const cells = (field: SheetField): string[] =>
    rows.map((row) => cellAt(row, field)).filter((cell) => cell !== '');
  const dates = (['date', 'startsAt', 'postedAt'] as const).flatMap(cells);
  const order = orderOf(dates, grid, columns, choices, guesses, questions);
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
  const results = resultColumnOf(
    mapping.columns
      .filter(({ field }) => field === 'result')
      .flatMap(({ at, header }) =>
        rows.flatMap((row) => {
          const cell = resultCell(header, row.cells[at] ?? '');
          return cell === '' || !isBetRow(row.cells, mapping)
            ? []
            : [{ cell, profit: signedAmountOf(cellAt(row, 'profit')) }];
        }),
      ),
    (cell) => choices.answers.get(`results.${cell}`),
  );
  guesses.push(...results.guesses);
  for (const { cell, rows: count } of results.open.slice(0, 20))
    questions.push({
      key: `results.${cell}`,
      text: `What does ${cell} in the results mean (${count} ${count === 1 ? 'row' : 'rows'})?`,
      choices: resultChoices,
      otherwise: 'The bets of these rows stay open.',
    });
  return {
    order,
    zone: choices.zone ?? defaultZone,
    odds: oddsOf(rows, cellAt, columns, choices, grid, guesses, questions),
    decimalComma: grid.decimalComma,
    units: unitsOf(rows, cellsOf, columns, choices.unit, guesses),
    results,
    times: read.filter((time) => time !== undefined),
    guesses,
    questions,
  };
}

type Rows = Grid['rows'];
type CellAt = (row: Rows[number], field: SheetField) => string;
type Columns = ReadonlyMap<SheetField, Mapping['columns']>;

/** Returns a reader of a row's cells that are not empty, by field. */
export function cellsIn(columns: Columns): (cells: readonly string[], field: SheetField) => HeadedCell[] {
  return (cells, field) =>
    (columns.get(field) ?? []).flatMap(({ header, at }) => {
      const cell = cells[at] ?? '';
      return cell === '' ? [] : [{ header, cell }];
    });
}

/** The fields that make a row a bet. Headings, subtotals, and totals have none of them. */
const ofBet: ReadonlySet<SheetField> = new Set([
  ...(['pick', 'description', 'team', 'subject', 'side', 'game', 'home', 'away', 'odds'] as const),
  ...(['oddsAmerican', 'oddsDecimal', 'oddsFractional'] as const),
]);

/** Reports whether a row is a bet: not a heading such as `Week 2`, a subtotal, or a total. */
export function isBetRow(cells: readonly string[], { columns }: Mapping): boolean {
  const first = cells.find((cell) => cell !== '') ?? '';
  if (
    /^(?:grand |sub)?-?totals?\b|^(?:sum|average|avg|record|overall|roi|summary)\b:?/i.test(first) &&
    !/\d{4}/.test(first)
  )
    return false;
  const filled = columns.filter(({ at, field }) => ofBet.has(field) && (cells[at] ?? '') !== '');
  if (filled.length === 0) return false;
  // A heading is the only cell of its row.
  return cells.filter((cell) => cell !== '').length > 1 || columns.length === 1;
}

/** Headers of dates in languages that write the day first. */
const abroad = /^(?:fecha|datum|data|jour|dato)$/;

function orderOf(
  dates: readonly string[],
  grid: Grid,
  columns: Columns,
  { answers }: SheetChoices,
  guesses: string[],
  questions: Question[],
): DateOrder | undefined {
  const said = answers.get('dates');
  if (said === 'month first' || said === 'day first') return said;
  const proven = dateOrdersOf(dates);
  const open = dates.find(isOpenDate);
  if (proven.length === 1) return proven[0];
  if (open === undefined) return 'month first';
  if (proven.length === 2) {
    questions.push({
      key: 'dates',
      text: `The dates have the month first in some rows and the day first in others. What is ${open}?`,
      choices: ['month first', 'day first'],
      otherwise: 'Dates that can be read both ways are refused.',
    });
    return undefined;
  }
  const headers = [...columns.values()].flat().map(({ header }) => plain(header));
  const guess = grid.decimalComma || headers.some((each) => abroad.test(each)) ? 'day first' : 'month first';
  guesses.push(
    `Dates such as ${open} are read with the ${guess === 'day first' ? 'day' : 'month'} first. Choose with --answer 'dates=day first' or 'dates=month first'.`,
  );
  return guess;
}

function oddsOf(
  rows: Rows,
  cellAt: CellAt,
  columns: Columns,
  choices: SheetChoices,
  { decimalComma }: Grid,
  guesses: string[],
  questions: Question[],
): OddsColumn {
  const marks = { decimalComma };
  const [field] = oddsFields.filter((each) => columns.has(each));
  const none: OddsColumn = { format: undefined, reading: { proven: [], format: undefined }, open: [] };
  if (field === undefined) return none;
  // Rows that name their own format prove nothing about the others.
  const open = rows.filter((row) => cellAt(row, 'oddsFormat') === '');
  const cells = open.map((row) => cellAt(row, field)).filter((cell) => cell !== '');
  const said = choices.answers.get('odds');
  const chosen = choices.odds ?? sheetOddsFormats.find((each) => each === said);
  const read = oddsColumnOf(cells, {
    header: columns.get(field)![0]!.format ?? formats[field],
    chosen,
    marks,
  });
  if (chosen !== undefined || columns.has('oddsFormat')) return read;
  const proven = byProfit(open, cellAt, field, marks);
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
  rows: Rows,
  cellAt: CellAt,
  field: SheetField,
  marks: { decimalComma: boolean },
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

/** Returns the money per unit by currency: the median stake, unless the operator chooses it. Undefined: stakes are in units. */
function unitsOf(
  rows: Rows,
  cellsOf: ReturnType<typeof cellsIn>,
  columns: Columns,
  chosen: number | undefined,
  guesses: string[],
): Map<string, number> | undefined {
  const all = rows.flatMap((row) => stakeIn((field) => cellsOf(row.cells, field)) ?? []);
  const stakes = all.flatMap(({ amount, isUnits, ...stake }) =>
    amount === undefined || amount <= 0 || isUnits ? [] : [{ ...stake, amount }],
  );
  if (!all.length) guesses.push('No column has stakes. Bets without one in their text count as 1 unit.');
  const isInMoney =
    chosen !== undefined ||
    stakes.some(({ currency }) => currency !== '') ||
    (!columns.has('stakeUnits') && isMoney(stakes.map(({ cell }) => cell)));
  if (stakes.length > 0 && !isInMoney && !columns.has('stakeUnits'))
    guesses.push(
      `${columns.get('money')![0]!.header} is read as units, because its amounts are small. Choose with --unit.`,
    );
  if (!stakes.length || !isInMoney) return undefined;
  const byCurrency = Map.groupBy(stakes, ({ currency }) => currency);
  if (chosen !== undefined && byCurrency.size === 1) return new Map([[[...byCurrency.keys()][0]!, chosen]]);
  const units = new Map(
    [...byCurrency].map(([currency, own]) => {
      const amounts = own.map(({ amount }) => amount).sort((a, b) => a - b);
      return [currency, amounts[Math.floor(amounts.length / 2)]!] as const;
    }),
  );
  const text = [...units]
    .map(([currency, unit]) => (currency === '' ? `${unit}` : `${unit} ${currency}`))
    .join(', ');
  guesses.push(
    units.size === 1
      ? `Stakes are in money. 1 unit is ${text}, their median. Choose another with --unit.`
      : `Stakes are in several currencies. 1 unit is ${text}, the median of each.`,
  );
  return units;
}

/**
 * Reads the values of `--answer`, such as `results.P=loss`.
 * @returns answers by key, or a sentence about the first malformed one
 */
export function readAnswers(texts: readonly string[]): Map<string, string> | string {
  const answers = new Map<string, string>();
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    if (at < 1) return `${text} is not an answer. Write key=value, such as results.P=loss.`;
    answers.set(text.slice(0, at).trim(), text.slice(at + 1).trim());
  }
  return answers;
}
