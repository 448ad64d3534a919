import { readClock, readTime } from '../intake/cells.ts';
import { meant } from '../rules/markets/meant.ts';
import { sportMeant } from '../rules/sport-words.ts';
import { amountOf, currencyIn, currencyOf, isMoney, withoutCurrency } from './amounts.ts';
import { fieldNamed, plain, type SheetField, shared, sheetFields } from './fields.ts';
import type { Grid } from './grid.ts';
import { isStructure, saysYes } from './modifiers.ts';
import { formatInHeader, formatNamed, type SheetOddsFormat } from './odds-column.ts';
import { isResult } from './results.ts';

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
      header.replace(/^(?:bets?|legs?|selections?|our|my|the|expert|free|official) /i, ''),
    ]
      .map(fieldNamed)
      .find((found) => found !== undefined) ??
    legsFieldOf(header) ??
    oddsFieldOf(header);
  const known = ({ cells }: Grid['rows'][number]) =>
    cells.filter((cell) => fieldOf(cell) !== undefined || given.has(plain(cell))).length;
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
    !shared.has(field) &&
    columns.some(
      (column) =>
        column.field === field &&
        (!/^(?:money|stakeUnits)$/.test(field) || currencyIn(column.header) === currencyIn(header)),
    );
  for (const { header, at, field } of open.toSorted((a, b) => a.rank - b.rank)) {
    const cells = cellsOf(at);
    const read = fieldByContent(field, plain(header), cells, open);
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
    const read = fieldOfCells(cells);
    if (!isBetNamed && isMarketOfSides(header, cells))
      columns.push({ header, at, field: 'pick', by: 'content', isMarket: true });
    else if (read !== undefined && !(read === 'result' && has('result')) && !isTaken(read, header))
      columns.push({ header, at, field: read, by: 'content' });
    else unread.push({ header, at, field: 'comment', by: 'content' });
  }
  columns.sort((a, b) => a.at - b.at);
  return { header: best.at, columns, unread };
}

/** Returns the field of a header that counts selections: `No. of selections`, `Anzahl Tipps`. */
function legsFieldOf(header: string): { field: SheetField; rank: number } | undefined {
  return /^(?:n[or°]?|num(?:ber|ero)?|count|#|anzahl|nombre)\W*(?:of |de |di |der )?(?:legs?|selections?|folds?|selecciones|seleções|selezioni|eventi|tipps|spiele|wetten|matchs)$/iu.test(
    header.trim(),
  )
    ? { field: 'legs', rank: 98 }
    : undefined;
}

/** Returns the field of a header that names odds in a format: `HK Odds`, `Odds (Malay)`, `US`. */
export function oddsFieldOf(header: string): { field: SheetField; rank: number } | undefined {
  const format = formatInHeader(header);
  if (format === undefined) return undefined;
  const own = { american: 'oddsAmerican', decimal: 'oddsDecimal', fractional: 'oddsFractional' } as const;
  return { field: (own as Partial<Record<SheetOddsFormat, SheetField>>)[format] ?? 'odds', rank: 98 };
}

/** Returns the field of a column that its header does not name, if its cells change how a bet settles. */
function fieldOfCells(cells: readonly string[]): SheetField | undefined {
  const most = (test: (cell: string) => boolean) =>
    cells.length > 0 && cells.filter(test).length >= cells.length * 0.8;
  const kindOf = (cell: string) => {
    const found = meant(cell);
    return found?.kind === 'market' && found.subject === 'question' ? undefined : found?.kind;
  };
  if (most(isStructure)) return 'kind';
  if (most((cell) => cell.length > 1 && !/^ml$|moneyline/i.test(cell) && formatNamed(cell) !== undefined))
    return 'oddsFormat';
  if (most((cell) => /^[a-z]{3}$/i.test(cell) && currencyOf(`1 ${cell}`) !== undefined)) return 'currency';
  if (most(isResult) && cells.some((cell) => !/^(?:\p{L}|-?\d|yes|no|true|false|open|live)$/iu.test(cell)))
    return 'result';
  if (most((cell) => /\p{L}/u.test(cell) && kindOf(cell) === 'period')) return 'period';
  if (most((cell) => /\p{L}{2}/u.test(cell) && ['market', 'several'].includes(kindOf(cell) ?? '')))
    return 'market';
  return undefined;
}

/** Reports whether a header is a market, and its cells are sides: `1X2` above `1`, `X`, and `2`. */
function isMarketOfSides(header: string, cells: readonly string[]): boolean {
  const found = firstInning(header) ?? meant(header);
  if (
    found === undefined ||
    (typeof found === 'object' && found.kind !== 'market' && found.kind !== 'several')
  )
    return false;
  const side =
    /^(?:over|under|o|u|yes|no|y|n|x|1x|x1|x2|2x|12|home|away|draw|oui|non|si|ja|nein|[ny]rfi|gg|ng)$/i;
  const isOutcome = /^(?:1x2|1n2|moneyline|ml|winner|match result|double chance|dc)$/i.test(header);
  return cells.every(
    (cell) => side.test(cell) || /^[ou]\s?\d/i.test(cell) || (isOutcome && /^[12]$/.test(cell)),
  );
}

/** Rewrites the words for a run in the first inning as a total. */
export function firstInning(written: string): string | undefined {
  const text = plain(written);
  if (/^(?:nrfi|norunfirstinning|norun1stinning|norunsfirstinning)$/.test(text))
    return '1st inning total under 0.5';
  if (/^(?:yrfi|yesrunfirstinning|runfirstinning)$/.test(text)) return '1st inning total over 0.5';
  return /^(?:nrfiyrfi|yrfinrfi|yrfiornrfi|nrfioryrfi)$/.test(text) ? '1st inning total 0.5' : undefined;
}

/** Reports whether the cells of a column without a header are bets in words. */
function isOfBets(cells: readonly string[]): boolean {
  const bets = cells.filter(
    (cell) =>
      /\p{L}{2}/u.test(cell) && /\b(?:over|under|ml|draw|btts|yes|no|to win)\b|(?:^|\s)[ou+-]?\d/i.test(cell),
  );
  return cells.length > 0 && bets.length >= cells.length * 0.6;
}

/** A score of both teams: `2-1`, `2:1`, `2 - 1`. */
export const scorePattern = /^\(?(\d{1,3})\s*[-–:]\s*(\d{1,3})\)?$/;

/** Resolves a header with several meanings by its cells. Returns undefined if the cells contradict the header. */
function fieldByContent(
  field: SheetField,
  header: string,
  cells: readonly string[],
  open: readonly { field: SheetField; at: number; header: string }[],
): SheetField | undefined {
  const most = (test: (cell: string) => boolean) =>
    cells.length > 0 && cells.filter(test).length >= cells.length * 0.6;
  const has = (other: SheetField) => open.some((each) => each.field === other);
  const isAmerican = (cell: string) => /^[+-]?\d{3,5}$/.test(cell);
  const hasOdds = has('odds') || has('oddsAmerican') || has('oddsDecimal');
  switch (field) {
    case 'line':
      if (most(isAmerican) && !hasOdds) return 'odds';
      // `Points` can be a line or a score; words are a selection or a market.
      return most((cell) => /\d|^(?:pk|ev|even|scratch)/i.test(cell)) || cells.length === 0
        ? field
        : header === 'spread'
          ? 'pick'
          : undefined;
    case 'result':
    case 'score':
    case 'halfScore': {
      if (most((cell) => scorePattern.test(cell))) return field === 'halfScore' ? field : 'score';
      // `Halbzeit` can be the part of the game.
      if (field === 'halfScore' && most((cell) => /^[12]\W?$/.test(cell) || meant(cell)?.kind === 'period'))
        return 'period';
      if (field === 'result') {
        // `Won` can be an amount, `State` a place, and `Outcome` the selection.
        if (
          /^(?:won|win|cashed)$/.test(header) &&
          most((cell) => amountOf(cell) !== undefined && !/^[01]$/.test(cell))
        )
          return undefined;
        if (!/^(?:outcome|esito|state|statut|status|grade|estado|stato)$/.test(header) || most(isResult))
          return field;
        return !/^(?:outcome|esito)$/.test(header) || has('pick') || has('team') || has('description')
          ? undefined
          : 'pick';
      }
      return most((cell) => /\p{L}|✅|❌/u.test(cell)) && !has('result') ? 'result' : undefined;
    }
    case 'profit':
      // `W/L` with amounts is a profit, with letters a result.
      return most((cell) => amountOf(cell.replace(/^[+-]/, '')) !== undefined)
        ? field
        : header === 'winloss'
          ? 'result'
          : undefined;
    case 'date':
    case 'startsAt':
    case 'postedAt':
      if (cells.some((cell) => readTime(cell) !== undefined)) return field;
      // `Placed` can be yes or no.
      return field === 'postedAt' && most((cell) => saysYes(cell) !== undefined) ? 'made' : undefined;
    case 'kind':
      // `Category` can be the market.
      return fieldOfCells(cells) === 'market' ? 'market' : field;
    case 'time':
      return cells.some((cell) => readClock(cell) !== undefined) ? field : undefined;
    case 'homeAway':
      return most((cell) => /^(?:h|a|n|r|v|@|at|vs\.?|home|away|road|neutral)$/i.test(cell))
        ? field
        : undefined;
    case 'book':
      return header === 'casa' && has('away') && !has('home') ? 'home' : field;
    case 'sport':
      return has('league') && !most((cell) => sportMeant(cell) !== undefined) ? undefined : field;
    case 'pick':
      if (!most((cell) => amountOf(cell) !== undefined)) return field;
      // `1` and `2` are sides beside a column of stakes, or beside `X`.
      if (has('stakeUnits') || has('money'))
        return cells.every((cell) => amountOf(cell) === undefined || /^[12]{1,2}$/.test(cell))
          ? field
          : undefined;
      return cells.some((cell) => /^1?[xn]2?$/i.test(cell)) ? field : 'money';
    case 'market':
      // `Type` can hold numbers of a list.
      return most((cell) => /\p{L}/u.test(cell) || /^1x2$/i.test(cell)) ? field : undefined;
    case 'stakeUnits':
      // `Stake 50` and `Stake $25` are in money.
      return header !== 'units' && header !== 'stakeunits' && isMoney(cells) ? 'money' : field;
    case 'freeBet':
      // Exports write the amount of a bonus in each row.
      return cells.every((cell) => /^0*(?:[.,]0+)?$/.test(cell)) ? undefined : field;
    default:
      return field;
  }
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
