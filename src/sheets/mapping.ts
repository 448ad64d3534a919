import { meant } from '../rules/markets/meant.ts';
import { currencyIn, withoutCurrency } from './amounts.ts';
import {
  type Below,
  columnOf,
  fieldNamed,
  fieldOfCells,
  oddsFields,
  plain,
  type SheetField,
  sheetFields,
} from './columns.ts';
import type { Grid } from './grid.ts';
import { formatInHeader, type SheetOddsFormat } from './odds-column.ts';

export interface SheetColumn {
  header: string;
  at: number;
  field: SheetField;
  /** How the field was recognized. `content`: guessed from the cells. */
  by: 'header' | 'content' | 'map';
  /** The format of odds that the header names. */
  format?: SheetOddsFormat;
  /** Whether the header is the market of the side in the cell: `BTTS`, `1X2`, `O/U 2.5`. */
  isMarket?: true;
}

export interface Mapping {
  /** Index of the header row in the grid. */
  header: number;
  columns: SheetColumn[];
  /** Columns with cells that no field reads, as remarks: see `checkModifiers`. */
  unread: SheetColumn[];
}

const headerSearchRows = 40;

/** Number of cells examined per column. */
const sampledCells = 200;

/**
 * Recognizes the columns of a sheet by the operator's choices, then by headers, then by cells.
 * @param given fields by normalized header
 * @returns undefined if no row looks like a header
 */
export function mappingOf(grid: Grid, given: ReadonlyMap<string, SheetField | '-'>): Mapping | undefined {
  // JSON names a bet's fields by path: `bets event name`.
  const fieldOf = (header: string) =>
    [
      header,
      withoutCurrency(header).text,
      header.replace(
        /^(?:bets?|legs?|selections?|our|my|the|expert|free|official|event(?= (?:home|away|start))) (?!#?\d)/i,
        '',
      ),
      // The first of several legs side by side.
      header
        .replace(/^leg(?= ?#?1$)/i, 'pick')
        .replace(/(?<=^(?:pick|selection|bet|game|match|event)) ?#?1$/i, ''),
    ]
      .map(fieldNamed)
      .find((found) => found !== undefined) ??
    legsFieldOf(header) ??
    oddsFieldOf(header);
  // `1` and `2` are headers of prices only beside others.
  const known = ({ cells }: Grid['rows'][number]) =>
    cells.filter((cell) => (fieldOf(cell) !== undefined && !/^[12x]$/i.test(cell)) || given.has(plain(cell)))
      .length;
  const candidates = grid.rows.slice(0, headerSearchRows).map((row, at) => ({ at, count: known(row) }));
  const [best] = candidates.toSorted((a, b) => b.count - a.count || a.at - b.at);
  if (best === undefined || best.count < 2) return undefined;
  const names = grid.rows[best.at]!.cells;
  const below = grid.rows.slice(best.at + 1, best.at + 1 + sampledCells);
  const cellsOf = (at: number) => below.map(({ cells }) => cells[at] ?? '').filter((cell) => cell !== '');
  const columns: SheetColumn[] = [];
  const unread: SheetColumn[] = [];
  const open: { header: string; at: number; field: SheetField; rank: number }[] = [];
  const others: { header: string; at: number }[] = [];
  const width = Math.max(names.length, ...below.map(({ cells }) => cells.length));
  for (let at = 0; at < width; at += 1) {
    const header = names[at] ?? '';
    const said = given.get(plain(header));
    if (said !== undefined) {
      if (said !== '-') columns.push({ header, at, field: said, by: 'map' });
      continue;
    }
    const found = fieldOf(header);
    if (found !== undefined) open.push({ header, at, ...found });
    else if (header === '' && isOfBets(cellsOf(at)))
      open.push({ header: `column ${at + 1}`, at, field: 'description', rank: 99 });
    else if (cellsOf(at).length > 0) others.push({ header: header || `column ${at + 1}`, at });
  }
  const isTaken = (field: SheetField, header: string) =>
    columnOf(field).several !== true &&
    columns.some(
      (column) =>
        column.field === field &&
        (!/^(?:money|stakeUnits)$/.test(field) || currencyIn(column.header) === currencyIn(header)),
    );
  for (const { header, at, field } of open.toSorted((a, b) => a.rank - b.rank)) {
    const cells = cellsOf(at);
    const below: Below = {
      header: plain(header),
      cells,
      most: (test) => cells.length > 0 && cells.filter(test).length >= cells.length * 0.6,
      has: (...fields) => open.some((each) => fields.includes(each.field)),
    };
    const { fits } = columnOf(field);
    const read = fits === undefined ? field : fits(below);
    if (read === undefined || isTaken(read, header)) {
      if (cells.length > 0) others.push({ header, at });
      continue;
    }
    const format = formatInHeader(header);
    columns.push({
      header,
      at,
      field: read,
      by: read !== field || (names[at] ?? '') === '' ? 'content' : 'header',
      ...(format === undefined ? {} : { format }),
    });
  }
  const has = (...fields: SheetField[]) => columns.some(({ field }) => fields.includes(field));
  const isBetNamed = has('pick', 'description', 'market', 'side');
  for (const { header, at } of others) {
    const cells = cellsOf(at);
    const found = fieldOfCells(cells);
    // Beside a market, a column of its words has the picks.
    const read = found === 'market' && has('market') && !has('pick', 'description', 'side') ? 'pick' : found;
    if (!isBetNamed && isMarketOfSides(header, cells))
      columns.push({ header, at, field: 'pick', by: 'content', isMarket: true });
    else if (read !== undefined && !(read === 'result' && has('result')) && !isTaken(read, header))
      columns.push({ header, at, field: read, by: 'content' });
    else unread.push({ header, at, field: 'comment', by: 'content' });
  }
  columns.sort((a, b) => a.at - b.at);
  return { header: best.at, columns, unread };
}

/** Returns the field of a header that counts selections, or has a further one: `No. of selections`, `Anzahl Tipps`, `Pick 2`. */
function legsFieldOf(header: string): { field: SheetField; rank: number } | undefined {
  const isFurther = /^(?:pick|leg|selection|bet|game|match|event) ?#?[2-9]$/i.test(header.trim());
  return isFurther ||
    /^(?:n[or°]?|num(?:ber|ero)?|count|#|anzahl|nombre)\W*(?:of |de |di |der )?(?:legs?|selections?|folds?|selecciones|seleções|selezioni|eventi|tipps|spiele|wetten|matchs)$/iu.test(
      header.trim(),
    )
    ? { field: 'legs', rank: 98 }
    : undefined;
}

/** Returns the field of a header that names odds in a format: `HK Odds`, `Odds (Malay)`, `US`. */
function oddsFieldOf(header: string): { field: SheetField; rank: number } | undefined {
  const format = formatInHeader(header);
  if (format === undefined) return undefined;
  return { field: oddsFields.find((field) => columnOf(field).format === format) ?? 'odds', rank: 98 };
}

/** Reports whether a header is a market, and its cells are sides: `1X2` above `1`, `X`, and `2`. */
function isMarketOfSides(header: string, cells: readonly string[]): boolean {
  const found = meant(header);
  if (found?.kind !== 'market' && found?.kind !== 'several') return false;
  const side =
    /^(?:over|under|o|u|yes|no|y|n|x|1x|x1|x2|2x|12|home|away|draw|oui|non|si|ja|nein|[ny]rfi|gg|ng)$/i;
  const isOutcome = /^(?:1x2|1n2|moneyline|ml|winner|match result|double chance|dc)$/i.test(header);
  return cells.every(
    (cell) => side.test(cell) || /^[ou]\s?\d/i.test(cell) || (isOutcome && /^[12]$/.test(cell)),
  );
}

/** Reports whether the cells of a column without a header are bets in words. */
function isOfBets(cells: readonly string[]): boolean {
  const bets = cells.filter(
    (cell) =>
      /\p{L}{2}/u.test(cell) && /\b(?:over|under|ml|draw|btts|yes|no|to win)\b|(?:^|\s)[ou+-]?\d/i.test(cell),
  );
  return cells.length > 0 && bets.length >= cells.length * 0.6;
}

/**
 * Reads the values of `--map`, such as `Header=field`.
 * @returns fields by normalized header, or a sentence about the first malformed value
 */
export function readMap(texts: readonly string[]): Map<string, SheetField | '-'> | string {
  const given = new Map<string, SheetField | '-'>();
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    const field = text.slice(at + 1).trim();
    const known =
      field === '-' ? '-' : sheetFields.find((each) => each.toLowerCase() === field.toLowerCase());
    if (at < 1 || known === undefined)
      return `${text} is not a mapping. Write Header=field, where field is one of ${sheetFields.join(', ')}, or - to skip the column.`;
    given.set(plain(text.slice(0, at)), known);
  }
  return given;
}

/** Returns the chosen headers that a sheet lacks. */
export function missingHeaders(grid: Grid, given: ReadonlyMap<string, unknown>): string[] {
  const names = new Set(grid.rows.slice(0, headerSearchRows).flatMap(({ cells }) => cells.map(plain)));
  return [...given.keys()].filter((header) => !names.has(header));
}
