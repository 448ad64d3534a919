import { nearestAmerican } from './odds.ts';
import { isEven, type Marks, plainSigns, writtenNumbers } from './written-numbers.ts';

export const oddsFormats = ['decimal', 'american', 'fractional'] as const;
export type OddsFormat = (typeof oddsFormats)[number];

/**
 * A cell's evidence about its column's format: one format if no other is possible; `small` for whole numbers below 100, which are decimal
 * or fractional (`5` for 5/1); `unclear` if both decimal and American are possible; `even` for words; `none` if it is not odds.
 */
type CellKind = OddsFormat | 'small' | 'unclear' | 'even' | 'none';

export type OddsCells = Partial<Record<CellKind, string>>;

/** A cell's American odds by possible format. */
export type OddsMeanings = Partial<Record<OddsFormat, number>>;

export interface OddsReading {
  proven: readonly OddsFormat[];
  /** The format of ambiguous cells. Undefined: they are refused. */
  format: OddsFormat | undefined;
}

export function noteOdds(cells: OddsCells, text: string, marks: Marks): void {
  cells[cellKind(text, marks)] ??= text;
}

/**
 * Decides how to read a column from all of its cells. A header that names a format counts as a cell of that format. A single proven format
 * applies to the whole column; otherwise ambiguous cells take the format chosen by the operator, if any. Fractions prove nothing about
 * whole numbers: `5` can be 5/1 or 5.0.
 */
export function readingOf(
  cells: OddsCells,
  { header, chosen }: { header?: OddsFormat | undefined; chosen?: OddsFormat | undefined },
): OddsReading {
  const isProven = (format: OddsFormat) => cells[format] !== undefined || header === format;
  const smallIsDecimal = cells.small !== undefined && !isProven('fractional') && chosen !== 'fractional';
  const proven = oddsFormats.filter((format) => isProven(format) || (format === 'decimal' && smallIsDecimal));
  return { proven, format: proven.length === 1 && proven[0] !== 'fractional' ? proven[0] : chosen };
}

/**
 * Reads the American odds of a cell. A cell with only one possible format has it in any column.
 * @returns the odds; all meanings of a cell that stays ambiguous; or undefined if it is not odds
 */
export function readOdds(
  text: string,
  { proven, format }: OddsReading,
  marks: Marks,
): number | OddsMeanings | undefined {
  const kind = cellKind(text, marks);
  if (kind === 'none') return undefined;
  if (kind === 'even') return 100;
  const meanings = meaningsOf(text, marks);
  if (kind === 'small' && !proven.includes('fractional') && format !== 'fractional') return meanings.decimal;
  if (kind !== 'small' && kind !== 'unclear') return meanings[kind];
  return format === undefined ? meanings : meanings[format];
}

function cellKind(text: string, marks: Marks): CellKind {
  if (isEven(text)) return 'even';
  const { american, decimal, fractional } = meaningsOf(text, marks);
  if (american !== undefined) return decimal === undefined ? 'american' : 'unclear';
  if (decimal !== undefined) return fractional === undefined ? 'decimal' : 'small';
  return fractional === undefined ? 'none' : 'fractional';
}

function meaningsOf(text: string, marks: Marks): OddsMeanings {
  const plain = plainSigns(text);
  const found: OddsMeanings = {};
  const fraction = /^(\d{1,6})[/\u2044\u2215](\d{1,6})$/.exec(plain);
  const numbers = writtenNumbers(plain, marks);
  const american = americanOf(numbers.at(-1) ?? '');
  const decimal = /^[+-]/.test(plain) ? undefined : only(numbers.map((each) => decimalToAmerican(each)));
  if (american !== undefined) found.american = american;
  if (decimal !== undefined) found.decimal = decimal;
  const fractional = fraction ?? /^(\d{2,6}|[2-9])()$/.exec(plain);
  if (fractional !== null) {
    const [over, under] = [Number(fractional[1]), Number(fractional[2] || 1)];
    // The limits of the odds that the ledger takes.
    if (over > 0 && under > 0 && over <= 1000 * under && under <= 1000 * over)
      // Books print 11/8, which is +137.5, as +138.
      found.fractional =
        over > under && ((over * 100) % under) * 2 === under
          ? Math.ceil((over * 100) / under)
          : nearestAmerican({ num: over + under, den: under });
  }
  return found;
}

function americanOf(number: string): number | undefined {
  const odds = /^-?\d+(\.0+)?$/.test(number) ? Number(number) : 0;
  return Math.abs(odds) >= 100 && Math.abs(odds) <= 100_000 ? odds : undefined;
}

/** Precision of decimal odds: six decimals, because spreadsheets write more than odds have. */
const keptDecimals = 1_000_000;

function decimalToAmerican(number: string): number | undefined {
  const odds = Number(number);
  if (odds < 1.001 || odds > 1001) return undefined;
  return nearestAmerican({ num: Math.round(odds * keptDecimals), den: keptDecimals });
}

/** Returns the single distinct number; undefined if there are several or none. */
function only(numbers: readonly (number | undefined)[]): number | undefined {
  const found = new Set(numbers.filter((each) => each !== undefined));
  return found.size === 1 ? [...found][0] : undefined;
}
