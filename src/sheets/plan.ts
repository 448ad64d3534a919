import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PastBetGame } from '../games/bet-games.ts';
import type { CapperRow } from '../intake/capper.ts';
import {
  type CellTime,
  handleOf,
  instantIn,
  isOpenDate,
  postedOnDay,
  readClock,
  readTime,
} from '../intake/cells.ts';
import type { GameRow } from '../intake/game.ts';
import { outcomeText, type ResultRow } from '../intake/result.ts';
import type { ImportedPickRow } from '../ledger/posting/pick-row.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import { betText, selectionWords } from '../rules/bet-text/print.ts';
import { bookMeant } from '../rules/book-words.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { type GameScores, gradeByScore } from '../rules/grading.ts';
import { marketIn } from '../rules/markets/index.ts';
import type { Outcome } from '../rules/markets/market.ts';
import { meant } from '../rules/markets/meant.ts';
import { periodOf } from '../rules/markets/periods.ts';
import { decimalOf } from '../rules/odds.ts';
import { plainLetters } from '../rules/plain-name.ts';
import { sportMeant } from '../rules/sport-words.ts';
import { gradingScoreName } from '../rules/units.ts';
import { amountOf, outOfTen, signedAmountOf, stakeIn } from './amounts.ts';
import { betOf, slugOf } from './bet-columns.ts';
import { contradictionsIn, maxContradicting, type RowFigures } from './brake.ts';
import { type Mapping, mappingOf, missingHeaders, scorePattern } from './columns.ts';
import { type Cells, type HeadedCell, RowRefused, type SheetField } from './fields.ts';
import type { Grid } from './grid.ts';
import { checkModifiers, structureOf } from './modifiers.ts';
import { formatNamed, oddsColumnOf, readOddsCell } from './odds-column.ts';
import { resultCell } from './results.ts';
import { type GameWorld, type MadeGame, RowGames } from './row-games.ts';
import {
  cellsIn,
  isBetRow,
  oddsFields,
  type Question,
  readWholeSheet,
  type SheetChoices,
  type WholeSheet,
} from './whole-sheet.ts';

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
  const fields = new Set(mapping.columns.map(({ field }) => field));
  const lacking = lackingFields(fields, choices);
  if (lacking !== undefined)
    return `${grid.name}: ${lacking} Its columns are ${grid.rows[mapping.header]!.cells.filter((cell) => cell !== '').join(', ')}. Name one with --map 'Header=field'.`;
  return new Planner(grid.is1904 === true ? from1900(grid, mapping) : grid, mapping, choices, world).plan();
}

/** Days from the first day of spreadsheets that count from 1900 to that of those that count from 1904. */
const daysTo1904 = 1462;

/** Rewrites the unformatted days of a workbook that counts from 1904. Formatted ones are dates already. */
function from1900(grid: Grid, { columns }: Mapping): Grid {
  const times = new Set(
    columns.flatMap(({ at, field }) => (/^(?:date|startsAt|postedAt)$/.test(field) ? [at] : [])),
  );
  const moved = (cell: string, at: number) =>
    times.has(at) && /^\d{5}(?:\.\d+)?$/.test(cell) ? String(Number(cell) + daysTo1904) : cell;
  return { ...grid, rows: grid.rows.map(({ line, cells }) => ({ line, cells: cells.map(moved) })) };
}

function lackingFields(fields: ReadonlySet<SheetField>, { capper }: SheetChoices): string | undefined {
  const has = (...some: SheetField[]) => some.some((field) => fields.has(field));
  if (!has('capperHandle') && capper === undefined)
    return 'no column names the capper. Set it with --capper <name>.';
  if (!has('pick', 'description', 'team', 'subject', 'side', 'market'))
    return 'no column has the bet (pick, description, or team).';
  if (!has('date', 'startsAt', 'postedAt')) return 'no column has a date (date, startsAt, or postedAt).';
  if (!has(...oddsFields, 'description', 'pick')) return 'no column has odds.';
  return undefined;
}

/** A row whose bet is read, before scores and results are compared. */
interface Draft {
  line: number;
  notes: string[];
  bet: BetReading;
  pick: ImportedPickRow;
  game: PastBetGame;
  made: MadeGame | undefined;
  written: WrittenScore | undefined;
  /** How its score is read: the meaning of the first number among {@link orders}. */
  way: 0 | 1;
  own: Outcome | undefined;
  figures: Pick<RowFigures, 'stake' | 'profit' | 'isExplained'>;
}

type Score = Partial<Pick<GameScores, 'homeScore' | 'awayScore' | 'homeHalfScore' | 'awayHalfScore'>>;

/** A score in a row, with its first number that of the home team, and with its second. */
interface WrittenScore {
  text: string;
  ways: readonly [Score, Score];
  /** The answer that chooses between them; undefined if the columns do. */
  order: 'home' | 'score' | undefined;
}

/** The meaning of the first number of a score whose order is open. */
const orders = { home: ['first is home', 'second is home'], score: ['home first', 'away first'] } as const;

type Decided = Record<'home' | 'score', 0 | 1 | undefined>;

class Planner {
  readonly #grid: Grid;
  readonly #mapping: Mapping;
  readonly #choices: SheetChoices;
  readonly #world: SheetWorld;
  readonly #cellsOf: ReturnType<typeof cellsIn>;
  readonly #marketHeaders: ReadonlySet<string>;
  readonly #sheet: WholeSheet;
  readonly #games: RowGames;
  readonly #cappers = new Map<string, string>();
  /** Lines of the rows with each bet ID. */
  readonly #ids = new Map<string, { cells: string; lines: number[] }>();
  /** Date of the rows below, from the row above or a heading. Undefined below other headings and multiples. */
  #above: string | undefined;

  constructor(grid: Grid, mapping: Mapping, choices: SheetChoices, world: SheetWorld) {
    this.#grid = grid;
    this.#mapping = mapping;
    this.#choices = choices;
    this.#world = world;
    this.#cellsOf = cellsIn(Map.groupBy([...mapping.columns, ...mapping.unread], ({ field }) => field));
    this.#marketHeaders = new Set(
      mapping.columns.flatMap(({ header, isMarket }) => (isMarket ? header : [])),
    );
    this.#sheet = readWholeSheet(grid, mapping, choices);
    this.#games = new RowGames(world);
  }

  async plan(): Promise<SheetPlan> {
    const { guesses, questions } = this.#sheet;
    await this.#games.load(this.#sheet.times);
    const rows: (PlannedRow | Draft)[] = [];
    const skipped: Grid['rows'] = [];
    const all = this.#grid.rows.slice(this.#mapping.header + 1);
    this.#countIds(all);
    for (const row of all) {
      if (!isBetRow(row.cells, this.#mapping)) {
        skipped.push(row);
        const [only, second] = row.cells.filter((cell) => cell !== '');
        this.#above =
          second === undefined && only !== undefined && readTime(only, this.#sheet.order) !== undefined
            ? only
            : undefined;
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
    const order = this.#orderScores(drafts);
    const planned = rows.map((row) => ('bet' in row ? this.#finished(row, order) : row));
    this.#brake(drafts, planned);
    const known = await this.#world.handles([...this.#cappers.keys()]);
    const cappers = [...this.#cappers]
      .filter(([handle]) => !known.has(handle))
      .map(([handle, displayName]): CapperRow => ({ handle, tier: 'listed', verified: true, displayName }));
    const named = cappers.map(({ handle, displayName }) => `${displayName} as ${handle}`);
    if (cappers.length > 0) guesses.push(`New cappers, added as listed: ${listed(named)}.`);
    const unread = this.#mapping.unread.map(({ header }) => header);
    if (unread.length > 0)
      guesses.push(
        `Of these columns only words such as live, parlay, or free bet are read: ${unread.join(', ')}.`,
      );
    for (const { header, field, by } of this.#mapping.columns)
      if (by === 'content') guesses.push(`${header} is read as ${field}, judging by its cells.`);
    return {
      name: this.#grid.name,
      mapping: this.#mapping.columns.map(({ header, field, by }) => ({ header, field, by })),
      unread,
      guesses,
      questions,
      cappers,
      rows: planned,
    };
  }

  /** Rows that share a bet's ID and differ are its legs. */
  #countIds(rows: Grid['rows']): void {
    for (const { line, cells } of rows) {
      const [{ cell: key } = { cell: '' }] = this.#cellsOf(cells, 'betId');
      if (key === '') continue;
      const text = cells.join('\n');
      const before = this.#ids.get(key);
      if (before === undefined) this.#ids.set(key, { cells: text, lines: [line] });
      else if (before.cells !== text) before.lines.push(line);
    }
  }

  async #drafted({ line, cells }: Grid['rows'][number]): Promise<PlannedRow | Draft> {
    const cellsOf = (field: SheetField) => this.#cellsOf(cells, field);
    const cell: Cells = (field) => cellsOf(field)[0]?.cell ?? '';
    const notes: string[] = [];
    try {
      const legs = this.#ids.get(cell('betId'))?.lines ?? [];
      if (legs.length > 1)
        throw new RowRefused(
          `The rows ${legs.slice(0, 10).join(', ')} have one bet ID, so they are legs of one bet.`,
        );
      const split = withParts(cellsOf);
      return { line, notes, ...(await this.#readRow((field) => split(field)[0]?.cell ?? '', split, notes)) };
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

  async #readRow(
    cell: Cells,
    cellsOf: (field: SheetField) => HeadedCell[],
    notes: string[],
  ): Promise<Omit<Draft, 'line' | 'notes'>> {
    const sheet = this.#sheet;
    const { isCashedOut } = checkModifiers(cellsOf, notes);
    const [firstTeam, secondTeam] = [cell('first'), cell('second')];
    const pair = firstTeam !== '' && secondTeam !== '' ? `${firstTeam} vs ${secondTeam}` : '';
    const name = cell('capperHandle') || (this.#choices.capper ?? '');
    const handle = handleOf(name);
    if (handle === undefined)
      throw new RowRefused(
        name === ''
          ? 'The row names no capper. Set it with --capper <name>.'
          : `${name} cannot become a handle, which needs two letters or digits.`,
      );
    const sports = this.#sportsOf(cell);
    const start = timeOf(cell('startsAt'), sheet) ?? this.#dateAndTime(cell, notes);
    const posted =
      timeOf(cell('postedAt'), sheet) ?? (cell('startsAt') === '' ? undefined : timeOf(cell('date'), sheet));
    const about = start ?? posted;
    if (about === undefined) throw new RowRefused('The row has no date.');
    const isStart =
      start !== undefined && 'instant' in start && (cell('startsAt') !== '' || posted === undefined);
    const asked = cellsOf('pick').filter(({ header }) => this.#marketHeaders.has(header));
    if (asked.length > 1)
      throw new RowRefused(
        `${asked.map(({ header }) => header).join(' and ')} are several bets at one price.`,
      );
    const markets = [
      ...cellsOf('market').filter((each) => structureOf(each.cell) !== 'single'),
      ...asked.map(({ header }) => ({ header, cell: header })),
    ];
    const marks = { decimalComma: sheet.decimalComma };
    const [team, opponent] = [cell('team'), cell('opponent')];
    const [isHome, isAway] = [/^(?:h|home)$/i, /^(?:a|away|r|road|v|@|at)$/i].map(
      (word) => team !== '' && opponent !== '' && word.test(cell('homeAway')),
    );
    const named = {
      home: cell('home') || (isHome ? team : isAway ? opponent : ''),
      away: cell('away') || (isHome ? opponent : isAway ? team : ''),
      game: cell('game') || pair,
      team,
      opponent,
      texts: [cell('description'), cell('pick')].filter((text) => text !== ''),
    };
    const several = namesSeveralGames(named.game);
    if (several)
      throw new RowRefused(`${named.game} names several games. A bet on several games is not one pick.`);
    const { games, made, none } = await this.#games.find(named, sports, { about, isStart }, notes);
    const bet = betOf(
      {
        cell: (field) =>
          field === 'line' ? lineCell(cell, cellsOf('line'), markets) : withoutStructure(cell)(field),
        markets,
        marks,
        period: cellsOf('period')[0] ?? { header: '', cell: '' },
      },
      ...([games, none, notes] as const),
    );
    for (const { header, cell: remark } of cellsOf('comment'))
      if (isPart(remark) && periodOf(bet.market).period === undefined)
        throw new RowRefused(
          `${header} says ${remark}, and no column says that the bet is on a part of the game.`,
        );
    const game = this.#games.keep(bet, made);
    const postedAt = postedAtOf(posted ?? about, game.begins, posted === undefined, notes);
    const odds = oddsOf(cell, bet, sheet, notes);
    const stakeUnits = stakeOf(cellsOf, bet, sheet, notes);
    const source = postedAt.isDay ? { source: 'day' } : {};
    const book =
      cell('book') === '' ? bet.book : (bookMeant(cell('book')) ?? (slugOf(cell('book')) || 'unknown'));
    const pick: ImportedPickRow = {
      capperHandle: handle,
      sport: bet.sport,
      game: bet.game,
      ...(game.day == null
        ? { startsAt: game.startsAt === null ? null : new Date(game.startsAt).toISOString() }
        : { startsAt: null, day: game.day }),
      market: bet.market,
      subject: bet.subject,
      side: bet.side,
      line: bet.line,
      pick: (cell('pick') || cell('description') || selectionWords(bet)).slice(0, 300),
      oddsAmerican: odds,
      stakeUnits,
      ...(book === null ? {} : { book }),
      ...source,
      postedAt: new Date(postedAt.at).toISOString(),
    };
    if (!this.#cappers.has(handle)) this.#cappers.set(handle, name.replace(/^@/, '').slice(0, 100));
    if (made !== undefined)
      notes.push(
        `New game: ${bet.game}, ${pick.startsAt == null ? `on ${pick.day}, time unknown` : `starting ${pick.startsAt}`}.`,
      );
    if (cell('date') !== '') this.#above = cell('date');
    const stake = stakeIn(cellsOf)?.amount;
    const profit = profitOf(cell, stake);
    const own = isCashedOut
      ? undefined
      : this.#ownResult(cellsOf, { ...bet, oddsAmerican: odds }, { profit, stake }, notes);
    return {
      bet: { ...bet, oddsAmerican: odds, stakeUnits, book },
      pick,
      game,
      made,
      own,
      way: 0,
      written: scoreOf(cell, game, made, notes),
      figures: {
        stake,
        profit,
        isExplained: isCashedOut || cellsOf('freeBet').length + cellsOf('boost').length > 0,
      },
    };
  }

  #dateAndTime(cell: Cells, notes: string[]): CellTime | undefined {
    const sheet = this.#sheet;
    let date = cell('date');
    if (date === '' && cell('startsAt') === '' && cell('postedAt') === '' && this.#above !== undefined) {
      date = this.#above;
      notes.push(`The row has no date. That of the row above counts: ${date}.`);
    }
    const time = cell('time');
    if (date === '' || time === '') return timeOf(date, sheet);
    if (/^(?:tb[acdn]|ppd|postponed|unknown|null|-|—|\?+|n\/a)$/i.test(time)) {
      notes.push(`The time ${time} is unknown.`);
      return timeOf(date, sheet);
    }
    const clock = readClock(time);
    const day = readTime(date, sheet.order);
    if (clock === undefined) throw new RowRefused(`${time} is not a time of day.`);
    if (day === undefined || !('day' in day)) return timeOf(date, sheet);
    timeOf(date, sheet);
    return timeOf(`${day.day} ${clock}`, sheet);
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

  /** Returns the sheet's result of a row; undefined if it has none. */
  #ownResult(
    cellsOf: (field: SheetField) => HeadedCell[],
    bet: BetReading & { oddsAmerican: number },
    { profit, stake }: Pick<RowFigures, 'profit' | 'stake'>,
    notes: string[],
  ): Outcome | undefined {
    const cells = cellsOf('result');
    for (const { header, cell: written } of cells) {
      const cell = resultCell(header, written);
      const read = this.#sheet.results.read(cell);
      if (read === undefined) {
        notes.push(
          `Nobody said what ${cell} in the results means, so the row has no result. Use --answer 'results.${cell}=...'.`,
        );
        return undefined;
      }
      if (read === 'settled') continue;
      if (read === 'open' || read === 'unmade') return undefined;
      if (read === 'cashout') {
        notes.push('The bet was cashed out before it ended, so the score will decide its result.');
        return undefined;
      }
      if (read !== 'drawn') return read;
      const drawn = drawnOutcome(bet);
      if (drawn === undefined)
        notes.push(`${cell} does not say how a bet on ${bet.market} ended, so the row has no result.`);
      return drawn;
    }
    if (profit === undefined || profit === 0) return undefined;
    if (cells.length === 0) notes.push('The result follows from the profit.');
    const result = profit > 0 ? 'win' : 'loss';
    const { num, den } = decimalOf(bet.oddsAmerican);
    const full = (stake ?? 0) * (result === 'loss' ? 1 : num / den - 1);
    // Half of a quarter line can be returned.
    const half = ((bet.line ?? 0) * 2) % 1 !== 0 && Math.abs(Math.abs(profit) / full - 0.5) <= 0.05;
    return { result, half };
  }

  /** Decides the order of the scores whose order is open, by the rows' own results. */
  #orderScores(drafts: readonly Draft[]): Decided {
    const decided: Decided = { home: undefined, score: undefined };
    for (const key of ['home', 'score'] as const) {
      const open = drafts.filter(({ written }) => written?.order === key);
      const depending = open.filter((draft) => !isSameEitherWay(draft));
      const [first] = depending;
      if (open.length === 0) continue;
      const said = orders[key].indexOf(this.#choices.answers.get(key) as never);
      const [one, other] = ([0, 1] as const).map(
        (way) =>
          depending.filter(
            (draft) => draft.own !== undefined && gradedBy(draft, way)?.result === draft.own.result,
          ).length,
      ) as [number, number];
      const proven = Math.max(one, other) > 0 && Math.min(one, other) <= Math.max(one, other) * 0.1;
      // In soccer the home team comes first.
      const isSoccer = key === 'score' && open.every(({ bet }) => bet.sport === 'soccer');
      const way = (said >= 0 ? said : proven ? Number(one <= other) : isSoccer ? 0 : undefined) as 0 | 1;
      decided[key] = way;
      if (way !== undefined && said < 0)
        this.#sheet.guesses.push(
          `Of the scores, ${orders[key][way]}${proven ? ', because the results fit' : ''}.`,
        );
      else if (way === undefined && first !== undefined)
        this.#sheet.questions.push({
          key,
          text:
            key === 'home'
              ? `Is the first or the second team of ${first.bet.game.split(' @ ').toReversed().join(' vs ')} at home (${depending.length} rows)?`
              : `Do scores such as ${first.written!.text} have the home or the away team first?`,
          choices: orders[key],
          otherwise: 'Bets that depend on it are refused.',
        });
    }
    return decided;
  }

  /** Turns a draft into the rows that are stored. */
  #finished(draft: Draft, decided: Decided): PlannedRow {
    const { line, notes, bet, pick, game, made, written, own } = draft;
    const text = `${pick.capperHandle}: ${betText(bet)}, ${bet.game}, posted ${pick.postedAt}`;
    const refused = (reason: string): PlannedRow => ({ line, text, reason, notes });
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
      gradingScoreName(bet.market, bet.sport) !== null ||
      marketIn(bet.sport, bet.market)?.gradedBy === 'stat';
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
      notes.push(
        `No score is known, so the sheet's word counts: ${outcomeText(own)}. It is shown as a claim.`,
      );
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

  /** Asks before anything is stored if too many rows contradict the rules. */
  #brake(drafts: readonly Draft[], planned: readonly PlannedRow[]): void {
    const stored = new Set(planned.flatMap(({ line, reason }) => (reason === undefined ? [line] : [])));
    const { compared, causes } = contradictionsIn(
      drafts
        .filter(({ line }) => stored.has(line))
        .map((draft) => ({
          line: draft.line,
          own: draft.own,
          graded: gradedBy(draft, draft.way),
          oddsAmerican: draft.pick.oddsAmerican,
          ...draft.figures,
        })),
    );
    const count = [...causes.values()].reduce((sum, lines) => sum + lines.length, 0);
    if (count <= compared * maxContradicting || this.#choices.answers.get('contradictions') === 'store')
      return;
    const listed = [...causes].map(
      ([cause, lines]) =>
        `${cause} (${lines.length === 1 ? 'row' : 'rows'} ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ` and ${lines.length - 5} more` : ''})`,
    );
    this.#sheet.questions.push({
      key: 'contradictions',
      text: `${count} of ${compared} rows contradict what their bets give: ${listed.join('; ')}. Correct the columns, or store them anyway?`,
      choices: ['store'],
    });
  }
}

/** Lists the first items, and counts the others. */
function listed(items: readonly string[]): string {
  const more = items.length > 10 ? `, and ${items.length - 10} more` : '';
  return `${items.slice(0, 10).join(', ')}${more}`;
}

/** Splits cells that hold two fields: `Arsenal - Everton : Over 2.5`, and a market with its side, `Moneyline - Foxes`. */
function withParts(cellsOf: (field: SheetField) => HeadedCell[]): (field: SheetField) => HeadedCell[] {
  const has = (...fields: SheetField[]) => fields.some((field) => cellsOf(field).length > 0);
  const source = (['pick', 'description'] as const).find((field) => has(field));
  const [text] = source === undefined ? [] : cellsOf(source);
  const titled = /^(.{2,80}?\s(?:-|–|vs?\.?|@)\s.{2,80}?)\s*:\s*(.+)$/i.exec(text?.cell ?? '');
  if (titled !== null && !has('game', 'home', 'opponent', 'first'))
    return (field) =>
      field === 'game'
        ? [{ header: text!.header, cell: titled[1]! }]
        : field === source
          ? [{ header: text!.header, cell: titled[2]! }]
          : cellsOf(field);
  if (has('pick', 'description', 'side', 'team', 'subject')) return cellsOf;
  const markets = cellsOf('market').map((each) => ({
    ...each,
    parts: /^(.+?)\s+[-–:]\s+(.+)$/.exec(each.cell),
  }));
  return (field) =>
    field === 'market'
      ? markets.map(({ header, cell, parts }) => ({ header, cell: parts?.[1] ?? cell }))
      : field === 'pick'
        ? markets.flatMap(({ header, parts }) => (parts === null ? [] : [{ header, cell: parts[2]! }]))
        : cellsOf(field);
}

/** Reports whether a cell has several titles: `Gulls v Foxes | Owls v Rams`. */
function namesSeveralGames(cell: string): boolean {
  const between = /\s(?:vs?\.?|@|versus)\s/gi;
  const titles = cell
    .split(/\s*[|;\n]\s*|\s[/+&]\s|,\s/)
    .filter((part) => /\s(?:vs?\.?|@|versus|-|–)\s/i.test(part));
  return titles.length > 1 || (cell.match(between)?.length ?? 0) > 1;
}

/** Cells of sides such as BACK say nothing about the bet. */
function withoutStructure(cell: Cells): Cells {
  return (field) => {
    if (field === 'pick') return sideWord(cell(field)).replace(/^back (?=\p{L})/iu, '');
    if (field !== 'side') return cell(field);
    const isSilent = structureOf(cell(field)) === 'single' && !/^no$/i.test(cell(field));
    return isSilent ? '' : sideWord(cell(field));
  };
}

/** Translates a cell that is only "more" or "less". In a text these words could be names. */
function sideWord(cell: string): string {
  const word = plainLetters(cell);
  if (/^(?:mas|mais|plus|piu|mehr|meer)$/.test(word)) return 'over';
  return /^(?:menos|moins|meno|weniger|minder)$/.test(word) ? 'under' : cell;
}

/** Returns the cell of the bet's line where a row has several, as below `Spread` and `Total`. */
function lineCell(cell: Cells, lines: readonly HeadedCell[], markets: readonly HeadedCell[]): string {
  // `Thunder` and `Sunderland` are teams.
  const isTotal = /\b(?:totals?|over|under|o\/u)\b|^[ou]\s?\d/i;
  const asked = [...markets.map((market) => market.cell), cell('pick'), cell('side')].some((text) =>
    isTotal.test(text),
  );
  return (lines.find(({ header }) => /total|over|o\/u/i.test(header) === asked) ?? lines[0])?.cell ?? '';
}

/** Reports whether a remark is only a part of the game, such as `2nd half only`. */
function isPart(remark: string): boolean {
  return (
    /\p{L}/u.test(remark) && meant(remark.replace(/\s+(?:only|bet|line|play|wager)$/i, ''))?.kind === 'period'
  );
}

/**
 * Reads the time in a cell. Returns undefined if the cell is empty.
 * @throws RowRefused
 */
function timeOf(cell: string, { order, zone }: WholeSheet): CellTime | undefined {
  if (cell === '') return undefined;
  if (order === undefined && isOpenDate(cell))
    throw new RowRefused(
      `${cell} can have the month or the day first, and the column has both. Use --answer 'dates=...'.`,
    );
  const time = readTime(cell, order);
  if (time === undefined) throw new RowRefused(`${cell} is not a date.`);
  if (!('local' in time)) return time;
  const instant = instantIn(time.local, zone);
  if (instant === undefined) throw new RowRefused(`A clock change in ${zone} skips or repeats ${cell}.`);
  return { instant };
}

/**
 * Returns when a pick counts as posted, in epoch milliseconds.
 * @param isOfGame whether the time is the game's, which is too late for a pick
 */
function postedAtOf(
  time: CellTime,
  begins: number | null,
  isOfGame: boolean,
  notes: string[],
): { at: number; isDay: boolean } {
  if ('day' in time) return { at: postedOnDay(time.day, begins), isDay: true };
  const at = Date.parse('instant' in time ? time.instant : '');
  if (!isOfGame || begins === null || at < begins) return { at, isDay: false };
  notes.push('The time of posting is unknown and counts as one minute before the start.');
  return { at: begins - 60_000, isDay: true };
}

/** Returns the American odds of a row. The odds column takes precedence over the text. @throws RowRefused */
function oddsOf(
  cell: Cells,
  bet: BetReading,
  { odds: column, decimalComma }: WholeSheet,
  notes: string[],
): number {
  const written = oddsFields.map(cell).find((each) => each !== '');
  if (written === undefined) {
    if (bet.oddsAmerican === null) throw new RowRefused('The row has no odds.');
    return bet.oddsAmerican;
  }
  const named = cell('oddsFormat');
  const format = formatNamed(named);
  if (named !== '' && format === undefined)
    throw new RowRefused(`${named} is no format of odds that is known here.`);
  const marks = { decimalComma };
  const own = format === undefined ? column : oddsColumnOf([], { header: undefined, chosen: format, marks });
  const odds = readOddsCell(written, own, marks);
  if (typeof odds === 'string') throw new RowRefused(odds);
  if (bet.oddsAmerican !== null && bet.oddsAmerican !== odds)
    notes.push(`The text says ${bet.oddsAmerican}, the odds column ${odds}. The column counts.`);
  return odds;
}

/** Returns the stake of a row, in units. @throws RowRefused */
function stakeOf(
  cellsOf: (field: SheetField) => HeadedCell[],
  bet: BetReading,
  { units }: WholeSheet,
  notes: string[],
): number {
  const found = stakeIn(cellsOf);
  if (found === undefined) {
    if (bet.stakeUnits === null) notes.push('The row has no stake, which counts as 1 unit.');
    return bet.stakeUnits ?? 1;
  }
  const { cell: written, amount, currency, isUnits } = found;
  if (amount === undefined) throw new RowRefused(`${written} is not a stake.`);
  const unit = units === undefined || isUnits ? 1 : units.get(currency);
  if (unit === undefined) throw new RowRefused(`The value of ${written} ${currency} in units is unknown.`);
  const stake = amount / unit;
  const rounded = Math.round(stake * 100) / 100;
  if (rounded <= 0 || rounded > 100)
    throw new RowRefused(
      `Stakes are 0.01 to 100 units; ${written} is ${rounded}. Set the money per unit with --unit.`,
    );
  if (outOfTen.test(written)) notes.push(`The stake ${written} counts as ${rounded}u.`);
  if (rounded !== stake) notes.push(`The stake ${written} is rounded to ${rounded} units.`);
  return rounded;
}

/** Returns the profit in a row, from its own column or from the payout. */
function profitOf(cell: Cells, stake: number | undefined): number | undefined {
  const profit = signedAmountOf(cell('profit'));
  if (profit !== undefined) return profit;
  const payout = amountOf(cell('payout'));
  return payout === undefined || stake === undefined ? undefined : payout - stake;
}

function scoreOf(
  cell: Cells,
  game: PastBetGame,
  made: MadeGame | undefined,
  notes: string[],
): WrittenScore | undefined {
  const [home, away] = [cell('homeScore'), cell('awayScore')];
  const [, one, two] = scorePattern.exec(cell('score')) ?? [];
  const halves = scorePattern.exec(cell('halfScore'))?.slice(1).map(Number);
  const written = (first: number, second: number, order: WrittenScore['order']): WrittenScore => {
    const way = (at: 0 | 1): Score => {
      const [homeScore, awayScore] = at === 0 ? [first, second] : [second, first];
      const half = halves && { homeHalfScore: halves[at]!, awayHalfScore: halves[1 - at]! };
      return { homeScore, awayScore, ...half };
    };
    return { text: `${first}-${second}`, ways: [way(0), way(1)], order };
  };
  if (/^\d{1,3}$/.test(home) && /^\d{1,3}$/.test(away))
    return written(Number(home), Number(away), made?.isHomeGuessed === true ? 'home' : undefined);
  if (one !== undefined && two !== undefined) return written(Number(one), Number(two), 'score');
  const said = [home, away, cell('score')].filter((text) => text !== '');
  if (said.length > 0 && game.status !== 'final')
    notes.push(`${said.join(' and ')} is not a score, so none is read.`);
  return undefined;
}

/** Grades a draft by the score of its game: the stored one, or its own if the game is new. */
function gradedBy({ bet, game, made, written }: Draft, way: 0 | 1): Outcome | undefined {
  if (game.status === 'cancelled') return { result: 'void', half: false };
  const own = made === undefined ? undefined : written?.ways[way];
  if (own === undefined && game.status !== 'final') return undefined;
  const { sport, market, side } = bet;
  return gradeByScore({ ...game, ...own, sport, market, side, lineE3: lineToE3(bet.line) }) ?? undefined;
}

function isSameEitherWay(draft: Draft): boolean {
  const [one, other] = [gradedBy(draft, 0), gradedBy(draft, 1)];
  return one?.result === other?.result && one?.half === other?.half;
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

/** Returns the outcome of a bet on a match that ended level; undefined if that does not decide it. */
function drawnOutcome({ market, side, line, sport }: BetReading): Outcome | undefined {
  const of = (result: Outcome['result']): Outcome => ({ result, half: false });
  if (market === 'double_chance') return of(side.includes('draw') ? 'win' : 'loss');
  if (market === 'draw_no_bet') return of('push');
  if (market === 'moneyline') return of(side === 'draw' ? 'win' : sport === 'soccer' ? 'loss' : 'push');
  return /spread|total/.test(market) && line !== null && Number.isInteger(line) ? of('push') : undefined;
}
