import {
  noteOdds,
  type OddsCells,
  type OddsFormat,
  type OddsReading,
  readingOf,
} from '../rules/odds-format.ts';
import { type CellTime, type DateOrder, dateOrderOf, readTime } from './cells.ts';
import { amountOf, isMoney, type Mapping, type SheetField } from './columns.ts';
import type { Grid } from './grid.ts';

/** What the operator says about a sheet. */
export interface SheetChoices {
  /** Fields by plain header: `readMap`. */
  map: ReadonlyMap<string, SheetField | '-'>;
  /** The capper of rows that name none. */
  capper: string | undefined;
  /** The sport of rows that name none. */
  sport: string | undefined;
  /** IANA zone of times that have none. */
  zone: string | undefined;
  odds: OddsFormat | undefined;
  /** How much money a unit is. */
  unit: number | undefined;
}

/** What the rows of a sheet have in common: what all cells of a column decide together, and what the operator says. */
export interface WholeSheet {
  order: DateOrder;
  /** IANA zone of times that have none. */
  zone: string;
  odds: OddsReading;
  decimalComma: boolean;
  /** How much of the column of stakes a unit is; `isUnitChosen` if the operator says so. */
  unit: number;
  isUnitChosen: boolean;
  /** All dates and times. */
  times: CellTime[];
}

/** The zone of times that have none. */
const defaultZone = 'America/New_York';

const formats = {
  odds: undefined,
  oddsAmerican: 'american',
  oddsDecimal: 'decimal',
  oddsFractional: 'fractional',
} as const satisfies Partial<Record<SheetField, OddsFormat | undefined>>;

/** @param guesses gets what is taken for granted */
export function readWholeSheet(
  grid: Grid,
  mapping: Mapping,
  choices: SheetChoices,
  guesses: string[],
): WholeSheet {
  const columns = new Map(mapping.columns.map(({ field, at }) => [field, at]));
  const rows = grid.rows.slice(mapping.header + 1);
  const cells = (field: SheetField): string[] => {
    const at = columns.get(field);
    return at === undefined ? [] : rows.map((row) => row.cells[at] ?? '').filter((cell) => cell !== '');
  };
  const dates = (['date', 'startsAt', 'postedAt'] as const).flatMap(cells);
  const order = dateOrderOf(dates);
  const read = dates.map((cell) => readTime(cell, order));
  if (order === undefined && dates.some((cell) => /^\d{1,2}[/-]\d{1,2}[/-]\d{2,4}/.test(cell)))
    guesses.push('Dates such as 3/4/2026 have the month first.');
  const isLocal = columns.has('time') || read.some((time) => time !== undefined && 'local' in time);
  if (choices.zone === undefined && isLocal)
    guesses.push(`Times without a zone are those of ${defaultZone}; --zone names another.`);
  const dated =
    columns.has('time') || cells('date').some((cell) => !('day' in (readTime(cell, order) ?? { day: '' })));
  if (dated && cells('startsAt').length + cells('postedAt').length === 0)
    guesses.push(
      "Times beside dates are the starts of games; --map 'Date=postedAt' makes them those of posting.",
    );
  if (read.some((time) => time !== undefined && 'day' in time) && cells('startsAt').length === 0)
    guesses.push('A day without a time counts as 23:59 ET.');
  return {
    order: order ?? 'month first',
    zone: choices.zone ?? defaultZone,
    odds: oddsReadingOf(cells, columns, choices.odds, grid.decimalComma),
    decimalComma: grid.decimalComma,
    unit: unitOf(cells, columns, choices.unit, guesses),
    isUnitChosen: choices.unit !== undefined,
    times: read.filter((time) => time !== undefined),
  };
}

type Columns = ReadonlyMap<SheetField, number>;
type CellsOf = (field: SheetField) => string[];

function oddsReadingOf(
  cells: CellsOf,
  columns: Columns,
  chosen: OddsFormat | undefined,
  decimalComma: boolean,
): OddsReading {
  const [field] = (['oddsAmerican', 'odds', 'oddsDecimal', 'oddsFractional'] as const).filter((each) =>
    columns.has(each),
  );
  if (field === undefined) return { proven: [], format: undefined };
  const found: OddsCells = {};
  for (const cell of cells(field)) noteOdds(found, cell, { decimalComma });
  return readingOf(found, { header: formats[field], chosen });
}

function unitOf(cells: CellsOf, columns: Columns, chosen: number | undefined, guesses: string[]): number {
  const stakes = cells('money').length > 0 ? cells('money') : cells('stakeUnits');
  if (stakes.length === 0)
    guesses.push('No column has a stake, so every bet without one in its text has 1 unit.');
  if (stakes.length === 0 || chosen !== undefined) return chosen ?? 1;
  if (!columns.has('money') || columns.has('stakeUnits') || !isMoney(stakes)) return 1;
  const amounts = stakes
    .flatMap((cell) => amountOf(cell) ?? [])
    .filter((amount) => amount > 0)
    .sort((a, b) => a - b);
  const unit = amounts[Math.floor(amounts.length / 2)] ?? 1;
  guesses.push(`Stakes are money, and 1 unit is ${unit}, their median; --unit names another.`);
  return unit;
}
