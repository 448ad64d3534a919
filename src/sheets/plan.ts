import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CapperRow } from '../intake/capper.ts';
import { readTime } from '../intake/cells.ts';
import type { GameRow } from '../intake/game.ts';
import { outcomeText, type ResultRow } from '../intake/result.ts';
import type { ImportedPickRow } from '../ledger/posting/pick-row.ts';
import { betText } from '../rules/bet-text/print.ts';
import { marketIn } from '../rules/markets/index.ts';
import { gradingScoreName } from '../rules/units.ts';
import { brake } from './brake.ts';
import { type Cells, RowRefused } from './cells.ts';
import { oddsFields, type SheetField, timeFields } from './columns.ts';
import type { Grid } from './grid.ts';
import { areLinesOfGames, ownLines } from './line-owners.ts';
import { type Mapping, mappingOf, missingHeaders } from './mapping.ts';
import { oddsIn } from './odds.ts';
import { type Reading, type RowRead, readRow } from './row.ts';
import { type GameWorld, RowGames } from './row-games.ts';
import { resultsIn } from './row-results.ts';
import { type Decided, gradedBy, isSameEitherWay, orderScores, orders } from './scores.ts';
import { isBetRow, openSheet, type Question, type Sheet, type SheetChoices } from './sheet.ts';
import { unitsIn } from './stakes.ts';
import { timesIn } from './times.ts';

/** The stored data that planning depends on. */
export interface SheetWorld extends GameWorld {
  /** Returns those of the given handles that exist. */
  handles(among: readonly string[]): Promise<ReadonlySet<string>>;
  sports: readonly string[];
}

export interface PlannedRow {
  line: number;
  /** One line for people: the bet, or the cells of a refused row. */
  text: string;
  /** Why the row is refused. */
  reason?: string;
  /** Possible bets, if the row fits several. */
  choices?: string[];
  pick?: ImportedPickRow;
  game?: GameRow;
  result?: ResultRow;
  /** Whether the home team of the new game is a guess. */
  isHomeGuessed?: true;
  /** Assumptions about the row, and remarks. */
  notes: string[];
}

export interface SheetPlan {
  name: string;
  /** `by`: `content` marks a guess. */
  mapping: { header: string; field: SheetField; by: 'header' | 'content' | 'map' }[];
  unread: string[];
  /** Assumptions about the whole sheet. */
  guesses: string[];
  questions: Question[];
  cappers: CapperRow[];
  rows: PlannedRow[];
}

/**
 * Plans the import of a sheet, without storing anything (docs/rules/intake.md#sheets). Every assumption is listed, for the sheet or for its
 * row.
 * @returns a sentence if the sheet cannot be read
 */
export async function planSheet(
  grid: Grid,
  choices: SheetChoices,
  world: SheetWorld,
): Promise<SheetPlan | string> {
  const missing = missingHeaders(grid, choices.map);
  if (missing.length > 0) return `${grid.name} has no column ${missing.join(', ')}.`;
  const mapping = mappingOf(grid, choices.map);
  if (mapping === undefined)
    return `${grid.name} has no header row for bets. Name two or more columns with --map 'Header=field'.`;
  const lacking = lackingFields(mapping, choices, grid.rows[mapping.header]!.cells);
  if (lacking !== undefined)
    return `${grid.name}: ${lacking} Its columns are ${grid.rows[mapping.header]!.cells.filter((cell) => cell !== '').join(', ')}. Name one with --map 'Header=field'.`;
  const dated = grid.is1904 === true ? from1900(grid, mapping) : grid;
  return new Planner(openSheet(dated, mapping, choices), world).plan();
}

/** Days from the first day of spreadsheets that count from 1900 to that of those that count from 1904. */
const daysTo1904 = 1462;

/** Rewrites the unformatted days of a workbook that counts from 1904. Formatted ones are dates already. */
function from1900(grid: Grid, { columns }: Mapping): Grid {
  const times = new Set(
    columns.flatMap(({ at, field }) => (timeFields.some((each) => each === field) ? [at] : [])),
  );
  const moved = (cell: string, at: number) =>
    times.has(at) && /^\d{5}(?:\.\d+)?$/.test(cell) ? String(Number(cell) + daysTo1904) : cell;
  return { ...grid, rows: grid.rows.map(({ line, cells }) => ({ line, cells: cells.map(moved) })) };
}

/** Headers of bets side by side, each with the market that it names. */
const ofMarket =
  /^(spread|ats|total|ml|moneyline|money line|run line|puck line|o\/u|over\/under)s?(?: (?:pick|bet|selection|side|odds|price|juice|line|result))?$/i;

function lackingFields(
  { columns }: Mapping,
  { capper }: SheetChoices,
  headers: readonly string[],
): string | undefined {
  const sideBySide = headers.filter((header) => ofMarket.test(header));
  const areSeveral = new Set(sideBySide.map((header) => ofMarket.exec(header)![1]!.toLowerCase())).size > 1;
  const fields = new Set(
    columns.flatMap(({ field, header, by }) =>
      areSeveral && by !== 'map' && ofMarket.test(header) ? [] : field,
    ),
  );
  const has = (...some: SheetField[]) => some.some((field) => fields.has(field));
  if (!has('capperHandle') && capper === undefined)
    return 'no column names the capper. Set it with --capper <name>.';
  const isBet = has('pick', 'description', 'team', 'subject', 'side', 'market');
  const isPriced = has(...oddsFields, 'outcomeOdds', 'description', 'pick');
  if (areSeveral && !(isBet && isPriced))
    return `${sideBySide.join(', ')} are bets side by side. Give each a row of its own, with columns Pick and Odds.`;
  if (!isBet) return 'no column has the bet (pick, description, or team).';
  if (!has(...timeFields)) return 'no column has a date (date, startsAt, or postedAt).';
  if (!isPriced) return 'no column has odds.';
  return undefined;
}

/** Fields that are empty in the further rows of a bet with several. */
const legsLack = [...timeFields, ...oddsFields, 'stakeUnits', 'money'] as const;

/** A row whose bet is read, and how its score is read: the meaning of the first number among {@link orders}. */
interface Draft extends RowRead {
  line: number;
  notes: string[];
  way: 0 | 1;
}

class Planner {
  readonly #sheet: Sheet;
  readonly #world: SheetWorld;
  readonly #reading: Reading;
  readonly #cappers = new Map<string, string>();
  /** Lines of the rows that are one bet, by each of them. */
  readonly #legs = new Map<number, number[]>();
  /** Date of the rows below, from the row above or a heading. Undefined below other headings and multiples. */
  #above: string | undefined;

  constructor(sheet: Sheet, world: SheetWorld) {
    this.#sheet = sheet;
    this.#world = world;
    const { capper, sport } = sheet.choices;
    const times = timesIn(sheet);
    const results = resultsIn(sheet);
    this.#reading = {
      times,
      results,
      odds: oddsIn(sheet),
      units: unitsIn(sheet),
      marks: { decimalComma: sheet.grid.decimalComma },
      areLinesSigned: sheet.rows.some(({ cells }) =>
        sheet.cellsOf(cells, 'line').some(({ cell }) => /^[+\-\u2212\u2013]/.test(cell)),
      ),
      areLinesOfGames: areLinesOfGames(sheet),
      marketHeaders: new Set(
        sheet.mapping.columns.flatMap(({ header, isMarket }) => (isMarket ? header : [])),
      ),
      games: new RowGames(world),
      capper,
      sport,
      sports: world.sports,
    };
  }

  async plan(): Promise<SheetPlan> {
    const { grid, mapping, guesses, questions } = this.#sheet;
    const { times, games } = this.#reading;
    await games.load(times.all);
    const rows: (PlannedRow | Draft)[] = [];
    const skipped: Grid['rows'] = [];
    this.#findLegs();
    for (const row of this.#sheet.rows) {
      if (!isBetRow(row.cells, mapping)) {
        skipped.push(row);
        const [only, second] = row.cells.filter((cell) => cell !== '');
        const isDate =
          second === undefined && only !== undefined && readTime(only, times.order) !== undefined;
        this.#above = isDate ? only : undefined;
        continue;
      }
      rows.push(await this.#drafted(row));
      // Keeps the process responsive during large sheets.
      await nextTurn();
    }
    const skippedText = ({ line, cells }: Grid['rows'][number]) =>
      `${line} (${cells
        .filter((cell) => cell !== '')
        .join(' ')
        .slice(0, 30)})`;
    if (skipped.length > 0)
      guesses.push(`Rows without a bet are skipped: ${listed(skipped.map(skippedText))}.`);
    const drafts = rows.filter((row) => 'bet' in row);
    const areLinesOpen = ownLines(drafts, this.#sheet);
    const order = orderScores(drafts, this.#sheet);
    const planned = rows.map((row) => ('bet' in row ? finished(row, order, areLinesOpen) : row));
    const stored = new Set(planned.flatMap(({ line, reason }) => (reason === undefined ? [line] : [])));
    const figures = drafts.map((draft) => ({
      line: draft.line,
      own: draft.own,
      graded: gradedBy(draft, draft.way),
      oddsAmerican: draft.pick.oddsAmerican,
      ...draft.figures,
    }));
    brake(
      figures.filter(({ line }) => stored.has(line)),
      this.#sheet,
    );
    const known = await this.#world.handles([...this.#cappers.keys()]);
    const cappers = [...this.#cappers]
      .filter(([handle]) => !known.has(handle))
      .map(([handle, displayName]): CapperRow => ({ handle, tier: 'listed', verified: true, displayName }));
    const named = cappers.map(({ handle, displayName }) => `${displayName} as ${handle}`);
    if (cappers.length > 0) guesses.push(`New cappers, added as listed: ${listed(named)}.`);
    const unread = mapping.unread.map(({ header }) => header);
    if (unread.length > 0)
      guesses.push(
        `Of these columns only words such as live, parlay, or free bet are read: ${unread.join(', ')}.`,
      );
    for (const { header, field, by } of mapping.columns)
      if (by === 'content') guesses.push(`${header} is read as ${field}, judging by its cells.`);
    return {
      name: grid.name,
      mapping: mapping.columns.map(({ header, field, by }) => ({ header, field, by })),
      unread,
      guesses,
      questions,
      cappers,
      rows: planned,
    };
  }

  /**
   * Finds the rows that are one bet: those that share its ID and differ; and those that continue the row above, as a second leg, or without a
   * date, odds, and a stake, as merged cells leave them.
   */
  #findLegs(): void {
    const { rows, mapping, cellAt } = this.#sheet;
    const bets = new Map<string, { cells: string; lines: number[] }>();
    let key = '';
    for (const row of rows) {
      if (!isBetRow(row.cells, mapping)) continue;
      const isLeg = Number(cellAt(row, 'leg')) > 1 || legsLack.every((field) => cellAt(row, field) === '');
      key = cellAt(row, 'betId') || (isLeg && key !== '' ? key : `row ${row.line}`);
      const bet = bets.get(key) ?? { cells: '', lines: [] };
      bets.set(key, bet);
      const text = row.cells.join('\n');
      if (bet.cells !== text) bet.lines.push(row.line);
      bet.cells ||= text;
      this.#legs.set(row.line, bet.lines);
    }
  }

  async #drafted(row: Grid['rows'][number]): Promise<PlannedRow | Draft> {
    const { line, cells } = row;
    const cell: Cells = (field) => this.#sheet.cellAt(row, field);
    const notes: string[] = [];
    try {
      const legs = this.#legs.get(line) ?? [];
      if (legs.length > 1)
        throw new RowRefused(
          `The rows ${legs.slice(0, 10).join(', ')} ${cell('betId') === '' ? 'follow each other as' : 'have one bet ID, so they are'} legs of one bet.`,
        );
      const read = await readRow(
        (field) => this.#sheet.cellsOf(cells, field),
        this.#above,
        this.#reading,
        notes,
      );
      const { capperHandle } = read.pick;
      if (!this.#cappers.has(capperHandle)) this.#cappers.set(capperHandle, read.capper);
      if (cell('date') !== '') this.#above = cell('date');
      return { line, notes, way: 0, ...read };
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error;
      // The legs of a multiple follow it without a date.
      if (cell('date') !== '') this.#above = undefined;
      const text = cells
        .filter((each) => each !== '')
        .join(' | ')
        .slice(0, 200);
      const choices = error.choices.length > 0 ? { choices: error.choices } : {};
      return { line, text, reason: error.message, ...choices, notes };
    }
  }
}

/** Turns a draft into the rows that are stored. */
function finished(draft: Draft, decided: Decided, areLinesOpen: boolean): PlannedRow {
  const { line, notes, bet, pick, game, made, written, own } = draft;
  const text = `${pick.capperHandle}: ${betText(bet)}, ${bet.game}, posted ${pick.postedAt}`;
  const refused = (reason: string): PlannedRow => ({ line, text, reason, notes });
  if (areLinesOpen && draft.isLineOpen)
    return refused(
      `The line ${bet.line} can be that of the home team or of the pick. Answer with --answer lines=pick or lines=home.`,
    );
  if (written?.order !== undefined) {
    const way = decided[written.order] ?? (isSameEitherWay(draft) ? 0 : undefined);
    if (way === undefined)
      return refused(
        `The score ${written.text} does not say ${written.order === 'home' ? 'who is at home' : 'which team comes first'}. Answer with --answer ${written.order}='${orders[written.order][0]}'.`,
      );
    draft.way = way;
  }
  if (made !== undefined && written !== undefined)
    Object.assign(made.row, { status: 'final', ...written.ways[draft.way] });
  else if (written !== undefined && game.status !== 'final')
    notes.push('The game is known without a score. A sheet does not set it, so it waits for its source.');
  const graded = gradedBy(draft, draft.way);
  // A score, or the statistics of a player, decide these markets.
  const isDecided =
    gradingScoreName(bet.market, bet.sport) !== null || marketIn(bet.sport, bet.market)?.gradedBy === 'stat';
  if (own !== undefined && graded !== undefined) {
    if (own.result === 'void' && graded.result !== 'void' && graded.result !== 'push')
      return refused(
        `The sheet says void, but the score gives ${outcomeText(graded)}. A void bet is no pick that a score can grade.`,
      );
    if (own.result !== graded.result || own.half !== graded.half)
      notes.push(`The sheet says ${outcomeText(own)}, the score ${outcomeText(graded)}. The score counts.`);
  }
  const claim = own && { result: own.result, ...(own.half ? { half: true } : {}) };
  if (own !== undefined && isDecided && graded === undefined) {
    Object.assign(pick, claim);
    notes.push(`No score is known, so the sheet's word counts: ${outcomeText(own)}. It is shown as a claim.`);
  }
  return {
    line,
    notes,
    text,
    pick,
    ...(made === undefined ? {} : { game: made.row }),
    ...(made?.isHomeGuessed === true ? { isHomeGuessed: true } : {}),
    ...(claim === undefined || isDecided ? {} : { result: { ...selectionIn(pick), ...claim } }),
  };
}

/** Lists the first items, and counts the others. */
function listed(items: readonly string[]): string {
  const more = items.length > 10 ? `, and ${items.length - 10} more` : '';
  return `${items.slice(0, 10).join(', ')}${more}`;
}

/** Returns the game and the selection of a pick, as rows of results name them. */
function selectionIn({
  sport,
  game,
  startsAt = null,
  day,
  market,
  subject = null,
  side,
  line = null,
}: ImportedPickRow) {
  return { sport, game, startsAt, ...(day == null ? {} : { day }), market, subject, side, line };
}
