import { nearestAmerican } from '../rules/odds.ts';
import {
  noteOdds,
  type OddsCells,
  type OddsFormat,
  type OddsReading,
  oddsFormats,
  readingOf,
  readOdds,
} from '../rules/odds-format.ts';
import { plainLetters } from '../rules/plain-name.ts';
import { type Marks, plainSigns, withSign, writtenNumbers } from '../rules/written-numbers.ts';

/** The formats of odds in sheets. `cents`: the price of a contract that pays 1, as prediction markets quote it. */
export const sheetOddsFormats = [
  ...(['decimal', 'american', 'fractional', 'hongkong', 'malay', 'indonesian', 'cents'] as const),
] as const;
export type SheetOddsFormat = (typeof sheetOddsFormats)[number];

/** Returns a format if cells can prove it one by one. */
function baseFormat(format: SheetOddsFormat | undefined): OddsFormat | undefined {
  return format === 'decimal' || format === 'american' || format === 'fractional' ? format : undefined;
}

/** How a column of odds is read. `format` is undefined if it is American, decimal, or fractional, cell by cell. */
export interface OddsColumn {
  format: SheetOddsFormat | undefined;
  reading: OddsReading;
  /** Formats that the column leaves open, so that the person is asked. */
  open: readonly SheetOddsFormat[];
}

const formatWords: readonly (readonly [RegExp, SheetOddsFormat])[] = [
  [/^(?:dec(?:imal)?|eu(?:ropean)?|d)$/, 'decimal'],
  [/^(?:am(?:erican)?|us|ml|moneyline|a)$/, 'american'],
  [/^(?:frac(?:tional)?|uk|british|f)$/, 'fractional'],
  [/^(?:hk|hong ?kong)$/, 'hongkong'],
  [/^(?:malay(?:sian)?|my)$/, 'malay'],
  [/^(?:indo(?:nesian)?|id)$/, 'indonesian'],
  [/^(?:cents?|c|¢|prob(?:ability)?|implied|%)$/, 'cents'],
];

export function formatNamed(cell: string): SheetOddsFormat | undefined {
  const text = cell
    .toLowerCase()
    .replace(/[_-]/g, ' ')
    .replace(/ ?odds$/, '')
    .trim();
  return formatWords.find(([pattern]) => pattern.test(text))?.[1];
}

/** Returns the format that a header names: `HK Odds`, `Odds (Malay)`, `US`. */
export function formatInHeader(header: string): SheetOddsFormat | undefined {
  const text = plainLetters(header)
    .replace(/[^a-z¢%]+/g, ' ')
    .trim();
  const rest = text.replace(/\b(?:odds?|price|quote|cote|cuota|quota|in|format)\b/g, '').trim();
  const isBare = rest === text;
  if (
    /^(?:ml|moneyline|probability|implied|%)$/.test(rest) ||
    (isBare && /^(?:\w|id|my|dec|am|uk)$/.test(rest))
  )
    return undefined;
  return formatNamed(rest);
}

/**
 * Decides the format of a column from all of its cells. A price below 1 or a minus sign before a small number proves that the column is
 * neither decimal nor American (docs/rules/odds.md#odds-in-csv-files).
 */
export function oddsColumnOf(
  cells: readonly string[],
  {
    header,
    chosen,
    marks,
  }: { header: SheetOddsFormat | undefined; chosen: SheetOddsFormat | undefined; marks: Marks },
): OddsColumn {
  const found: OddsCells = {};
  for (const cell of cells) if (whyNoPrice(cell) === undefined) noteOdds(found, asFraction(cell), marks);
  const reading = readingOf(found, { header: baseFormat(header), chosen: baseFormat(chosen) });
  const named = chosen ?? header;
  if (named !== undefined)
    return { format: baseFormat(named) === undefined ? named : undefined, reading, open: [] };
  const numbers = cells.flatMap((cell) => {
    const [number] = writtenNumbers(plainSigns(cell), marks);
    return number === undefined ? [] : [Number(number)];
  });
  const some = (test: (value: number) => boolean) => numbers.some(test);
  const only = (format: SheetOddsFormat) => ({ format, reading, open: [] });
  if (cells.some((cell) => /\d\s?(?:¢|c|ct)$/i.test(cell))) return only('cents');
  const isPart = some((value) => value > -1 && value < 0);
  const isSmall = some((value) => value <= -1 && value > -100);
  // One odd cell among signed prices or fractions is refused, and decides nothing.
  if ((isPart || isSmall) && reading.proven.some((each) => each !== 'decimal'))
    return { format: undefined, reading, open: [] };
  if (isPart && isSmall) return { format: undefined, reading, open: ['malay', 'indonesian'] };
  if (isPart) return only('malay');
  if (isSmall) return only('indonesian');
  if (!some((value) => value > 0 && value < 1)) return { format: undefined, reading, open: [] };
  if (some((value) => value > 1 && value < 100)) return only('hongkong');
  // Below even money, Hong Kong and Malay odds are the same.
  return { format: undefined, reading, open: ['hongkong', 'cents'] };
}

/** Reads a cell. @returns its American odds, or why it has none, as a sentence */
export function readOddsCell(cell: string, column: OddsColumn, marks: Marks): number | string {
  const why = whyNoPrice(cell);
  if (why !== undefined) return why;
  if (column.format !== undefined)
    return (
      americanIn(column.format, cell, marks) ?? `${cell} is not a price in ${formatText(column.format)} odds.`
    );
  const odds = readOdds(asFraction(cell), column.reading, marks);
  if (typeof odds === 'number') return odds;
  if (column.open.length > 0)
    return `${cell} can be ${column.open.map(formatText).join(' or ')} odds. Choose with --odds.`;
  if (odds === undefined) return `${cell} is not a price. Write -110, 1.91, or 10/11.`;
  const formats = oddsFormats.filter((format) => odds[format] !== undefined);
  const prices = formats.map((format) => `${withSign(odds[format]!)} if ${format}`);
  return `${cell} could be ${prices.join(', or ')}. Choose with --odds ${formats.join('|')}.`;
}

export function formatText(format: SheetOddsFormat): string {
  return (
    (
      { hongkong: 'Hong Kong', malay: 'Malay', indonesian: 'Indonesian', american: 'American' } as Partial<
        Record<SheetOddsFormat, string>
      >
    )[format] ?? format
  );
}

/** Spreadsheets turn 11/8 into a date. Neither it nor a starting price is a price. */
function whyNoPrice(cell: string): string | undefined {
  if (
    /^\d{1,2}[-.]\p{L}{3,9}(?:[-.]\d{2,4})?$/u.test(cell) ||
    /^\p{L}{3,9}[-.]\d{1,4}$/u.test(cell) ||
    /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/.test(cell) ||
    /^\d{4}-\d{2}-\d{2}/.test(cell) ||
    /^[34]\d{4}$/.test(cell)
  )
    return `${cell} is a date, as spreadsheets make of fractions such as 11/8. Write the odds as a decimal.`;
  if (/^\d+-\d+$/.test(cell)) return `${cell} is not a price. Write a fraction as 11/8.`;
  return undefined;
}

/** Rewrites `11 to 8` as `11/8`. */
function asFraction(cell: string): string {
  return cell.replace(/^\s*(\d{1,6})\s*(?:to|:)\s*(\d{1,6})\s*$/i, '$1/$2');
}

const places = 1_000_000;

/** Returns the American odds of a cell in a format; undefined if the format has no such price. */
export function americanIn(format: SheetOddsFormat, cell: string, marks: Marks): number | undefined {
  if (format === 'decimal' || format === 'american' || format === 'fractional') {
    const odds = readOdds(asFraction(cell), { proven: [format], format }, marks);
    return typeof odds === 'number' ? odds : undefined;
  }
  const [number, second] = writtenNumbers(plainSigns(cell.replace(/\s*(?:¢|%|ct?|\p{Sc})\s*/giu, '')), marks);
  if (number === undefined || second !== undefined) return undefined;
  const value = Math.round(Number(number) * places);
  const size = Math.abs(value);
  const plus = () => ({ num: places + size, den: places });
  const minus = () => ({ num: size + places, den: size });
  if (size === 0 || size > 1000 * places) return undefined;
  switch (format) {
    case 'hongkong':
      return value > 0 ? nearestAmerican(plus()) : undefined;
    case 'malay':
      return size > places ? undefined : nearestAmerican(value > 0 ? plus() : minus());
    case 'indonesian':
      return size < places ? undefined : nearestAmerican(value > 0 ? plus() : minus());
    case 'cents': {
      const cents = value >= places ? value : value * 100;
      return cents <= 0 || cents >= 100 * places
        ? undefined
        : nearestAmerican({ num: 100 * places, den: cents });
    }
  }
}
