import type { HeadedCell } from './cells.ts';
import { oddsFields, type SheetField } from './columns.ts';
import type { Grid } from './grid.ts';
import type { Mapping } from './mapping.ts';
import type { SheetOddsFormat } from './odds-column.ts';

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

/** A sheet whose columns are recognized, and what is assumed and asked about it so far. */
export interface Sheet {
  grid: Grid;
  mapping: Mapping;
  columns: ReadonlyMap<SheetField, Mapping['columns']>;
  /** The rows below the header. */
  rows: Grid['rows'];
  choices: SheetChoices;
  /** Returns the cells of a row that are not empty. */
  cellsOf(cells: readonly string[], field: SheetField): HeadedCell[];
  cellAt(row: Grid['rows'][number], field: SheetField): string;
  guesses: string[];
  questions: Question[];
}

export function openSheet(grid: Grid, mapping: Mapping, choices: SheetChoices): Sheet {
  const columns = Map.groupBy([...mapping.columns, ...mapping.unread], ({ field }) => field);
  const cellsOf: Sheet['cellsOf'] = (cells, field) =>
    (columns.get(field) ?? []).flatMap(({ header: name, at }) => {
      const cell = cells[at] ?? '';
      return cell === '' ? [] : [{ header: name, cell }];
    });
  const header = grid.rows[mapping.header]!.cells;
  return {
    grid,
    mapping,
    columns,
    // Sheets by month repeat their header.
    rows: grid.rows.slice(mapping.header + 1).filter(({ cells }) => cells.join() !== header.join()),
    choices,
    cellsOf,
    cellAt: ({ cells }, field) => cellsOf(cells, field)[0]?.cell ?? '',
    guesses: [],
    questions: [],
  };
}

/** The fields that make a row a bet. Headings, subtotals, and totals have none of them. */
const ofBet: ReadonlySet<SheetField> = new Set([
  ...(['pick', 'description', 'team', 'subject', 'side', 'game', 'home', 'away'] as const),
  ...oddsFields,
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
