import { type CellTime, type DateOrder, dateOrderOf, readTime } from '../intake/cells.ts';
import {
  noteOdds,
  type OddsCells,
  type OddsFormat,
  type OddsReading,
  readingOf,
} from '../rules/odds-format.ts';

import { amountOf, isMoney, type Mapping, type SheetField } from './columns.ts';
import type { Grid } from './grid.ts';

/** The operator's choices about a sheet. */
export interface SheetChoices {
  /** Fields by normalized header: see `readMap`. */
  map: ReadonlyMap<string, SheetField | '-'>;
  /** Capper of rows that name none. */
  capper: string | undefined;
  /** Sport of rows that name none. */
  sport: string | undefined;
  /** IANA zone of local times. */
  zone: string | undefined;
  odds: OddsFormat | undefined;
  /** Money per unit. */
  unit: number | undefined;
}

/** Properties that all rows of a sheet share, derived from whole columns and the operator's choices. */
export interface WholeSheet {
  order: DateOrder;
  /** IANA zone of local times. */
  zone: string;
  odds: OddsReading;
  decimalComma: boolean;
  /** Divisor from the stake column to units. */
  unit: number;
  isUnitChosen: boolean;
  /** All dates and times. */
  times: CellTime[];
}

/** Zone of local times, unless the operator chooses one. */
const defaultZone = 'America/New_York';

const formats = {
  odds: undefined,
  oddsAmerican: 'american',
  oddsDecimal: 'decimal',
  oddsFractional: 'fractional',
} as const satisfies Partial<Record<SheetField, OddsFormat | undefined>>;

/**
 * Derives the properties that all rows share.
 * @param guesses receives the assumptions
 */
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
    guesses.push('Dates such as 3/4/2026 are read with the month first.');
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
    guesses.push('No column has stakes. Bets without one in their text count as 1 unit.');
  if (stakes.length === 0 || chosen !== undefined) return chosen ?? 1;
  if (!columns.has('money') || columns.has('stakeUnits') || !isMoney(stakes)) return 1;
  const amounts = stakes
    .flatMap((cell) => amountOf(cell) ?? [])
    .filter((amount) => amount > 0)
    .sort((a, b) => a - b);
  const unit = amounts[Math.floor(amounts.length / 2)] ?? 1;
  guesses.push(`Stakes are in money. 1 unit is ${unit}, their median. Choose another with --unit.`);
  return unit;
}
