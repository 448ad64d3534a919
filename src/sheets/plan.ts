import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CapperRow } from '../intake/capper.ts';
import { handleOf } from '../intake/cells.ts';
import type { GameRow } from '../intake/game.ts';
import type { ResultRow } from '../intake/result.ts';
import type { ImportedPickRow } from '../ledger/posting/pick-row.ts';
import { betText, selectionWords } from '../rules/bet-text/print.ts';
import { bookMeant } from '../rules/book-words.ts';
import { sportMeant } from '../rules/sport-words.ts';

import { type Mapping, mappingOf, missingHeaders, type SheetField } from './columns.ts';
import type { Grid } from './grid.ts';
import { type Cells, RowRefused } from './row.ts';
import { oddsOf, stakeOf } from './row-amounts.ts';
import { type GameWorld, RowGames } from './row-games.ts';
import { resultOf } from './row-result.ts';
import { dateAndTimeOf, postedAtOf, timeOf } from './row-times.ts';
import { readWholeSheet, type SheetChoices, type WholeSheet } from './whole-sheet.ts';

/** The stored data that planning depends on. */
export interface SheetWorld extends GameWorld {
  /** Returns those of the given handles that exist. */
  handles(among: readonly string[]): Promise<ReadonlySet<string>>;
  sports: readonly string[];
}

/** The outcome of a row. */
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
  const fields = new Set(mapping.columns.map(({ field }) => field));
  const lacking = lackingFields(fields, choices);
  if (lacking !== undefined)
    return `${grid.name}: ${lacking} Its columns are ${grid.rows[mapping.header]!.cells.filter((cell) => cell !== '').join(', ')}. Name one with --map 'Header=field'.`;
  return new Planner(grid, mapping, choices, world).plan();
}

function lackingFields(fields: ReadonlySet<SheetField>, { capper }: SheetChoices): string | undefined {
  const has = (...some: SheetField[]) => some.some((field) => fields.has(field));
  if (!has('capperHandle') && capper === undefined)
    return 'no column names the capper. Set it with --capper <name>.';
  if (!has('pick', 'description', 'team', 'subject', 'side'))
    return 'no column has the bet (pick, description, or team).';
  if (!has('date', 'startsAt', 'postedAt')) return 'no column has a date (date, startsAt, or postedAt).';
  if (!has('odds', 'oddsAmerican', 'oddsDecimal', 'oddsFractional', 'description', 'pick'))
    return 'no column has odds.';
  return undefined;
}

class Planner {
  readonly #grid: Grid;
  readonly #mapping: Mapping;
  readonly #choices: SheetChoices;
  readonly #world: SheetWorld;
  readonly #rows: Grid['rows'];
  readonly #at: ReadonlyMap<SheetField, number>;
  readonly #guesses: string[] = [];
  readonly #sheet: WholeSheet;
  readonly #games: RowGames;
  readonly #cappers = new Map<string, string>();

  constructor(grid: Grid, mapping: Mapping, choices: SheetChoices, world: SheetWorld) {
    this.#grid = grid;
    this.#mapping = mapping;
    this.#choices = choices;
    this.#world = world;
    this.#rows = grid.rows.slice(mapping.header + 1);
    this.#at = new Map(mapping.columns.map(({ field, at }) => [field, at]));
    this.#sheet = readWholeSheet(grid, mapping, choices, this.#guesses);
    this.#games = new RowGames(world);
  }

  async plan(): Promise<SheetPlan> {
    await this.#games.load(this.#sheet.times);
    const rows: PlannedRow[] = [];
    for (const row of this.#rows) {
      rows.push(await this.#planned(row));
      // Keeps the process responsive during large sheets.
      await nextTurn();
    }
    const known = await this.#world.handles([...this.#cappers.keys()]);
    const cappers = [...this.#cappers]
      .filter(([handle]) => !known.has(handle))
      .map(([handle, displayName]): CapperRow => ({ handle, tier: 'listed', verified: true, displayName }));
    if (cappers.length > 0)
      this.#guesses.push(
        `New cappers, added as listed: ${cappers
          .slice(0, 10)
          .map(({ handle, displayName }) => `${displayName} as ${handle}`)
          .join(', ')}${cappers.length > 10 ? `, and ${cappers.length - 10} more` : ''}.`,
      );
    for (const { header, field, by } of this.#mapping.columns)
      if (by === 'content') this.#guesses.push(`${header} is read as ${field}, judging by its cells.`);
    return {
      name: this.#grid.name,
      mapping: this.#mapping.columns.map(({ header, field, by }) => ({ header, field, by })),
      unread: this.#mapping.unread,
      guesses: this.#guesses,
      cappers,
      rows,
    };
  }

  async #planned({ line, cells }: Grid['rows'][number]): Promise<PlannedRow> {
    const cell: Cells = (field) => cells[this.#at.get(field) ?? -1] ?? '';
    const notes: string[] = [];
    try {
      return { line, notes, ...(await this.#readRow(cell, notes)) };
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error;
      const text = cells
        .filter((each) => each !== '')
        .join(' | ')
        .slice(0, 200);
      const choices = error.choices.length > 0 ? { choices: error.choices } : {};
      return { line, text, reason: error.message, ...choices, notes };
    }
  }

  async #readRow(cell: Cells, notes: string[]): Promise<Omit<PlannedRow, 'line' | 'notes'>> {
    const sheet = this.#sheet;
    if (/^(?!straight|single).+/i.test(cell('kind')))
      throw new RowRefused(`${cell('kind')}: a bet on several games is not one pick.`);
    const name = cell('capperHandle') || (this.#choices.capper ?? '');
    const handle = handleOf(name);
    if (handle === undefined)
      throw new RowRefused(
        name === ''
          ? 'The row names no capper. Set it with --capper <name>.'
          : `${name} cannot become a handle, which needs two letters or digits.`,
      );
    const sports = this.#sportsOf(cell);
    const start = timeOf(cell('startsAt'), sheet) ?? dateAndTimeOf(cell, sheet);
    const isLive = /^(?:true|yes|y|1|live|in.?play)$/i.test(cell('live'));
    if (isLive)
      throw new RowRefused(
        'The bet was placed after the start of its game. The ledger does not accept those.',
      );
    const posted =
      timeOf(cell('postedAt'), sheet) ?? (cell('startsAt') === '' ? undefined : timeOf(cell('date'), sheet));
    const about = start ?? posted;
    if (about === undefined) throw new RowRefused('The row has no date.');
    const isStart =
      start !== undefined && 'instant' in start && (cell('startsAt') !== '' || posted === undefined);
    const { bet, game, made, isHomeGuessed } = await this.#games.betOf(
      cell,
      sports,
      { about, isStart },
      notes,
    );
    const { begins } = game;
    const postedAt = postedAtOf(posted ?? about, begins, posted === undefined, notes);
    const odds = oddsOf(cell, bet, sheet, notes);
    const stakeUnits = stakeOf(cell, bet, sheet, notes);
    const source = postedAt.isDay ? { source: 'day' } : {};
    const book = cell('book') === '' ? bet.book : (bookMeant(cell('book')) ?? slugOf(cell('book')));
    const startsAt = game.startsAt === null ? null : new Date(game.startsAt).toISOString();
    const selection = { market: bet.market, subject: bet.subject, side: bet.side, line: bet.line };
    const pick: ImportedPickRow = {
      capperHandle: handle,
      sport: bet.sport,
      game: bet.game,
      startsAt,
      ...selection,
      pick: (cell('pick') || cell('description') || selectionWords(bet)).slice(0, 300),
      oddsAmerican: odds,
      stakeUnits,
      ...(book === null ? {} : { book }),
      ...source,
      postedAt: new Date(postedAt.at).toISOString(),
    };
    const known = this.#cappers.get(handle);
    if (known === undefined) this.#cappers.set(handle, name.replace(/^@/, '').slice(0, 100));
    const result = resultOf(cell('result'), bet, game, notes);
    const text = `${pick.capperHandle}: ${betText({ ...bet, oddsAmerican: odds, stakeUnits, book })}, ${bet.game}, posted ${pick.postedAt}`;
    if (made !== undefined) notes.push(`New game: ${bet.game}, starting ${startsAt}.`);
    return {
      text,
      pick,
      ...(made === undefined ? {} : { game: made }),
      ...(isHomeGuessed === true ? { isHomeGuessed } : {}),
      ...(result === undefined
        ? {}
        : { result: { sport: bet.sport, game: bet.game, startsAt, ...selection, ...result } }),
    };
  }

  #sportsOf(cell: Cells): readonly string[] {
    const { sports: all } = this.#world;
    for (const text of [cell('league'), cell('sport'), this.#choices.sport ?? '']) {
      if (text === '') continue;
      if (all.includes(text.toLowerCase())) return [text.toLowerCase()];
      const meaning = sportMeant(text);
      if (meaning === undefined) continue;
      if (meaning.sports.length === 0)
        throw new RowRefused(`${text} is not a sport of this ledger. Its sports are ${all.join(', ')}.`);
      return meaning.sports.filter((sport) => all.includes(sport));
    }
    const said = cell('league') || cell('sport');
    if (said !== '')
      throw new RowRefused(
        `${said} is not a known sport. This ledger has ${all.join(', ')}. Set one with --sport.`,
      );
    return all;
  }
}

function slugOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40) || 'unknown'
  );
}
