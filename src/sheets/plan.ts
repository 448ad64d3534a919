import type { CapperRow } from '../cappers/cappers.ts';
import type { PastBetGame } from '../games/bet-games.ts';
import type { GameRow } from '../games/game.ts';
import { gameTitle, opponentsKey, similarTeams, type Teams } from '../games/names/teams.ts';
import { readTitle } from '../games/names/title.ts';
import type { ResultRow } from '../games/results.ts';
import type { ImportedPickRow } from '../ledger/posting/pick-row.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import type { BetGame } from '../rules/bet-text/day.ts';
import { betText, selectionWords } from '../rules/bet-text/print.ts';
import { readBetText } from '../rules/bet-text/read.ts';
import { bookMeant } from '../rules/book-words.ts';
import { etDay } from '../rules/et-day.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { gradeByScore } from '../rules/grading.ts';
import { marketMeant } from '../rules/markets/names.ts';
import {
  noteOdds,
  type OddsCells,
  type OddsFormat,
  type OddsReading,
  readingOf,
  readOdds,
} from '../rules/odds-format.ts';
import { sportMeant } from '../rules/sport-words.ts';
import { gradingScoreName } from '../rules/units.ts';
import {
  type CellTime,
  type DateOrder,
  dateOrderOf,
  dayOfTime,
  handleOf,
  instantIn,
  postedOnDay,
  readResult,
  readTime,
  startOfDay,
} from './cells.ts';
import { amountOf, isMoney, type Mapping, mappingOf, missingHeaders, type SheetField } from './columns.ts';
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

/** What a plan looks up. */
export interface SheetWorld {
  games(from: number, to: number): Promise<readonly PastBetGame[]>;
  teams(sport: string): Promise<Teams>;
  /** The handles among these that are taken. */
  handles(among: readonly string[]): Promise<ReadonlySet<string>>;
  sports: readonly string[];
}

/** What becomes of a row. */
export interface PlannedRow {
  line: number;
  /** As one line, for people: the bet, or the cells of a row that is left out. */
  text: string;
  /** Why nothing of it is stored. */
  reason?: string;
  /** The bets between which somebody has to choose. */
  choices?: string[];
  pick?: ImportedPickRow;
  game?: GameRow;
  result?: ResultRow;
  /** Whether nothing says who is at home in the game that is made. */
  isHomeGuessed?: true;
  /** What was taken for granted, and what to know. */
  notes: string[];
}

export interface SheetPlan {
  name: string;
  /** `Odds is oddsAmerican`; with `(by its cells)` for a guess. */
  mapping: { header: string; field: SheetField; by: 'header' | 'content' | 'map' }[];
  unread: string[];
  /** What was taken for granted for the whole sheet. */
  guesses: string[];
  cappers: CapperRow[];
  rows: PlannedRow[];
}

/** A game that a row is about: one that is known, with its scores, or one that is made. */
type PlacedGame = PastBetGame | { startsAt: number | null; begins: number | null; status?: undefined };

const day = 86_400_000;

/** The zone of times that have none. */
const defaultZone = 'America/New_York';

/**
 * Plans what a sheet of bets becomes, and stores nothing: docs/rules/intake.md#sheets. Everything that is taken for granted is said, for the
 * sheet or for its row.
 * @returns a sentence where the sheet as a whole cannot be read
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
    return `No row of ${grid.name} is a header of bets: name two columns or more with --map 'Header=field'.`;
  const fields = new Set(mapping.columns.map(({ field }) => field));
  const lacking = lackingFields(fields, choices);
  if (lacking !== undefined)
    return `${grid.name}: ${lacking} Its columns are ${grid.rows[mapping.header]!.cells.filter((cell) => cell !== '').join(', ')}; name one with --map 'Header=field'.`;
  return new Planner(grid, mapping, choices, world).plan();
}

function lackingFields(fields: ReadonlySet<SheetField>, { capper }: SheetChoices): string | undefined {
  const has = (...some: SheetField[]) => some.some((field) => fields.has(field));
  if (!has('capperHandle') && capper === undefined)
    return 'no column names the capper: give --capper <name>.';
  if (!has('pick', 'description', 'team', 'subject', 'side'))
    return 'no column says what the bet is on (pick, description, or team).';
  if (!has('date', 'startsAt', 'postedAt')) return 'no column has a date (date, startsAt, or postedAt).';
  if (!has('odds', 'oddsAmerican', 'oddsDecimal', 'oddsFractional', 'description', 'pick'))
    return 'no column has the odds.';
  return undefined;
}

/** Thrown where a row cannot be stored. */
class RowRefused extends Error {
  readonly choices: string[];

  constructor(message: string, choices: string[] = []) {
    super(message);
    this.choices = choices;
  }
}

class Planner {
  readonly #grid: Grid;
  readonly #mapping: Mapping;
  readonly #choices: SheetChoices;
  readonly #world: SheetWorld;
  readonly #rows: Grid['rows'];
  readonly #at: ReadonlyMap<SheetField, number>;
  readonly #guesses: string[] = [];
  #order: DateOrder = 'month first';
  #odds: OddsReading = { proven: [], format: undefined };
  #unit = 1;
  readonly #byDay = new Map<string, PastBetGame[]>();
  readonly #days = new Map<string, readonly PastBetGame[]>();
  readonly #made = new Map<string, { game: BetGame; row: GameRow }>();
  readonly #cappers = new Map<string, string>();

  constructor(grid: Grid, mapping: Mapping, choices: SheetChoices, world: SheetWorld) {
    this.#grid = grid;
    this.#mapping = mapping;
    this.#choices = choices;
    this.#world = world;
    this.#rows = grid.rows.slice(mapping.header + 1);
    this.#at = new Map(mapping.columns.map(({ field, at }) => [field, at]));
  }

  async plan(): Promise<SheetPlan> {
    this.#readColumns();
    await this.#readGames();
    const rows: PlannedRow[] = [];
    for (const row of this.#rows) rows.push(await this.#planned(row));
    const known = await this.#world.handles([...this.#cappers.keys()]);
    const cappers = [...this.#cappers]
      .filter(([handle]) => !known.has(handle))
      .map(([handle, displayName]): CapperRow => ({ handle, tier: 'listed', verified: true, displayName }));
    if (cappers.length > 0)
      this.#guesses.push(
        `New cappers, listed: ${cappers
          .slice(0, 10)
          .map(({ handle, displayName }) => `${displayName} as ${handle}`)
          .join(', ')}${cappers.length > 10 ? `, and ${cappers.length - 10} more` : ''}.`,
      );
    for (const { header, field, by } of this.#mapping.columns)
      if (by === 'content') this.#guesses.push(`${header} is read as ${field}, by its cells.`);
    return {
      name: this.#grid.name,
      mapping: this.#mapping.columns.map(({ header, field, by }) => ({ header, field, by })),
      unread: this.#mapping.unread,
      guesses: this.#guesses,
      cappers,
      rows,
    };
  }

  #cells(field: SheetField): string[] {
    const at = this.#at.get(field);
    return at === undefined
      ? []
      : this.#rows.map(({ cells }) => cells[at] ?? '').filter((cell) => cell !== '');
  }

  /** What all cells of a column decide together. */
  #readColumns(): void {
    const times = (['date', 'startsAt', 'postedAt'] as const).flatMap((field) => this.#cells(field));
    const order = dateOrderOf(times);
    this.#order = order ?? 'month first';
    if (order === undefined && times.some((cell) => /^\d{1,2}[/-]\d{1,2}[/-]\d{2,4}/.test(cell)))
      this.#guesses.push('Dates such as 3/4/2026 have the month first.');
    const read = times.map((cell) => readTime(cell, this.#order));
    const isLocal = this.#at.has('time') || read.some((time) => time !== undefined && 'local' in time);
    if (this.#choices.zone === undefined && isLocal)
      this.#guesses.push(`Times without a zone are those of ${defaultZone}; --zone names another.`);
    const dated =
      this.#at.has('time') ||
      this.#cells('date').some((cell) => !('day' in (readTime(cell, this.#order) ?? { day: '' })));
    if (dated && this.#cells('startsAt').length + this.#cells('postedAt').length === 0)
      this.#guesses.push(
        "Times beside dates are the starts of games; --map 'Date=postedAt' makes them those of posting.",
      );
    if (read.some((time) => time !== undefined && 'day' in time) && !this.#cells('startsAt').length)
      this.#guesses.push('A day without a time counts as 23:59 ET.');
    const marks = { decimalComma: this.#grid.decimalComma };
    const formats = {
      odds: undefined,
      oddsAmerican: 'american',
      oddsDecimal: 'decimal',
      oddsFractional: 'fractional',
    } as const;
    const [field] = (['oddsAmerican', 'odds', 'oddsDecimal', 'oddsFractional'] as const).filter((each) =>
      this.#at.has(each),
    );
    if (field !== undefined) {
      const found: OddsCells = {};
      for (const cell of this.#cells(field)) noteOdds(found, cell, marks);
      this.#odds = readingOf(found, { header: formats[field], chosen: this.#choices.odds });
    }
    this.#readUnit();
  }

  #readUnit(): void {
    const stakes = this.#cells('money').length > 0 ? this.#cells('money') : this.#cells('stakeUnits');
    if (stakes.length === 0) {
      this.#guesses.push('No column has a stake, so every bet without one in its text has 1 unit.');
      return;
    }
    if (this.#choices.unit !== undefined) this.#unit = this.#choices.unit;
    else if (this.#at.has('money') && !this.#at.has('stakeUnits') && isMoney(stakes)) {
      const amounts = stakes
        .flatMap((cell) => amountOf(cell) ?? [])
        .filter((amount) => amount > 0)
        .sort((a, b) => a - b);
      this.#unit = amounts[Math.floor(amounts.length / 2)] ?? 1;
      this.#guesses.push(
        `Stakes are money, and 1 unit is ${this.#unit}, their median; --unit names another.`,
      );
    }
  }

  /** Loads the games of all days that the sheet is about. */
  async #readGames(): Promise<void> {
    const times = (['date', 'startsAt', 'postedAt'] as const)
      .flatMap((field) => this.#cells(field))
      .flatMap((cell) => readTime(cell, this.#order) ?? [])
      .map((time) => Date.parse(`${dayOfTime(time)}T12:00:00Z`));
    if (times.length === 0) return;
    const [from, to] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
    for (const game of await this.#world.games(from - day, to + 8 * day)) {
      const key = etDay(game.begins);
      const same = this.#byDay.get(key);
      if (same === undefined) this.#byDay.set(key, [game]);
      else same.push(game);
    }
  }

  async #planned({ line, cells }: Grid['rows'][number]): Promise<PlannedRow> {
    const cell = (field: SheetField) => cells[this.#at.get(field) ?? -1] ?? '';
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

  async #readRow(
    cell: (field: SheetField) => string,
    notes: string[],
  ): Promise<Omit<PlannedRow, 'line' | 'notes'>> {
    if (/^(?!straight|single).+/i.test(cell('kind')))
      throw new RowRefused(`${cell('kind')}: a bet on several games is not one pick.`);
    const name = cell('capperHandle') || (this.#choices.capper ?? '');
    const handle = handleOf(name);
    if (handle === undefined)
      throw new RowRefused(
        name === ''
          ? 'The row names no capper: give --capper <name>.'
          : `${name} becomes no handle: it needs two letters or digits.`,
      );
    const sports = this.#sportsOf(cell);
    const start = this.#time(cell('startsAt')) ?? this.#dateAndTime(cell);
    const isLive = /^(?:true|yes|y|1|live|in.?play)$/i.test(cell('live'));
    if (isLive)
      throw new RowRefused(
        'The bet was made after the start of its game, and the ledger takes none of those.',
      );
    const posted =
      this.#time(cell('postedAt')) ?? (cell('startsAt') === '' ? undefined : this.#time(cell('date')));
    const about = start ?? posted;
    if (about === undefined) throw new RowRefused('The row has no date.');
    const isStart =
      start !== undefined && 'instant' in start && (cell('startsAt') !== '' || posted === undefined);
    const { bet, game, made, isHomeGuessed } = await this.#bet(cell, sports, { about, isStart }, notes);
    const { begins } = game;
    const postedAt = this.#postedAt(posted ?? about, begins, posted === undefined, notes);
    const odds = this.#oddsOf(cell, bet, notes);
    const stakeUnits = this.#stakeOf(cell, bet, notes);
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
    const result = this.#resultOf(cell('result'), bet, game, notes);
    const text = `${pick.capperHandle}: ${betText({ ...bet, oddsAmerican: odds, stakeUnits, book })}, ${bet.game}, posted ${pick.postedAt}`;
    if (made !== undefined) notes.push(`The game ${bet.game} is made, starting ${startsAt}.`);
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

  #sportsOf(cell: (field: SheetField) => string): readonly string[] {
    const { sports: all } = this.#world;
    for (const text of [cell('league'), cell('sport'), this.#choices.sport ?? '']) {
      if (text === '') continue;
      if (all.includes(text.toLowerCase())) return [text.toLowerCase()];
      const meaning = sportMeant(text);
      if (meaning === undefined) continue;
      if (meaning.sports.length === 0)
        throw new RowRefused(`${text} is not a sport of this ledger: it has ${all.join(', ')}.`);
      return meaning.sports.filter((sport) => all.includes(sport));
    }
    const said = cell('league') || cell('sport');
    if (said !== '')
      throw new RowRefused(
        `${said} is no sport that is known here: it has ${all.join(', ')}. Name it with --sport.`,
      );
    return all;
  }

  #time(cell: string): CellTime | undefined {
    if (cell === '') return undefined;
    const time = readTime(cell, this.#order);
    if (time === undefined) throw new RowRefused(`${cell} is no date.`);
    if (!('local' in time)) return time;
    const zone = this.#choices.zone ?? defaultZone;
    const instant = instantIn(time.local, zone);
    if (instant === undefined) throw new RowRefused(`The clocks of ${zone} show ${cell} never or twice.`);
    return { instant };
  }

  #dateAndTime(cell: (field: SheetField) => string): CellTime | undefined {
    const [date, time] = [cell('date'), cell('time')];
    const both = time === '' ? undefined : readTime(`${date} ${time}`, this.#order);
    return both === undefined ? this.#time(date) : this.#time(`${date} ${time}`);
  }

  /** @param isOfGame the time is that of the game, so a pick cannot be posted at it */
  #postedAt(
    time: CellTime,
    begins: number | null,
    isOfGame: boolean,
    notes: string[],
  ): { at: number; isDay: boolean } {
    if ('day' in time) return { at: postedOnDay(time.day, begins), isDay: true };
    const at = Date.parse('instant' in time ? time.instant : '');
    if (!isOfGame || begins === null || at < begins) return { at, isDay: false };
    notes.push('The time of posting is not known: it counts as one minute before the start.');
    return { at: begins - 60_000, isDay: true };
  }

  async #bet(
    cell: (field: SheetField) => string,
    sports: readonly string[],
    { about, isStart }: { about: CellTime; isStart: boolean },
    notes: string[],
  ): Promise<{ bet: BetReading; game: PlacedGame; made?: GameRow; isHomeGuessed?: true }> {
    const texts = textsOf(cell);
    const near = this.#gamesNear(about, sports, isStart);
    const fixtures = await this.#fixtures(cell, texts, sports);
    let games: readonly BetGame[] = near;
    let made: { game: BetGame; row: GameRow } | undefined;
    if (fixtures.length > 0) {
      const found = near.filter((game) =>
        fixtures.some(
          ({ key, teams }) =>
            teams.sport === game.sport &&
            opponentsKey({ away: game.away.name, home: game.home.name }, teams) === key,
        ),
      );
      // The nearest game of these opponents.
      const first = found[0];
      if (found.length > 0)
        games =
          found.length > 1 && first !== undefined && etDay(found[0]!.begins) !== etDay(found[1]!.begins)
            ? [first]
            : found;
      else if (fixtures.length > 1)
        throw new RowRefused(
          `The teams may be of ${fixtures.map(({ teams }) => teams.sport).join(' or ')}: name the sport in a column or with --sport.`,
        );
      else {
        made = this.#make(
          fixtures[0]!,
          isStart && 'instant' in about ? Date.parse(about.instant) : startFrom(about),
          cell,
        );
        games = [made.game];
        if (fixtures[0]!.isGuessed) notes.push(`Nothing says who is at home, so ${made.game.home.name} is.`);
      }
    }
    const { bet, text } = readAny(texts, games, {
      none: `No ${sports.length === 1 ? `${sports[0]} ` : ''}game around ${dayOfTime(about)} is known: ingest the games of that day first, or name both teams in a column game.`,
    });
    if (text !== texts[0]) notes.push(`Read as ${JSON.stringify(text)}.`);
    this.#checkMarket(cell('market'), bet);
    if (made !== undefined) {
      this.#made.set(`${made.row.sport}\n${made.row.game}\n${made.row.startsAt}`, made);
      return {
        ...{ bet, game: placed(made), made: made.row },
        ...(fixtures[0]!.isGuessed ? { isHomeGuessed: true as const } : {}),
      };
    }
    const game = near.find(
      (each) => each.sport === bet.sport && each.game === bet.game && each.startsAt === bet.startsAt,
    )!;
    return { bet, game };
  }

  /** Games that a row can be about: those of its day; from its time of posting on, those of the week. */
  #gamesNear(about: CellTime, sports: readonly string[], isStart: boolean): readonly PastBetGame[] {
    const date = dayOfTime(about);
    const key = `${date}\n${sports.join()}\n${'instant' in about ? about.instant : ''}\n${isStart}`;
    const before = this.#days.get(key);
    if (before !== undefined) return before;
    const instant = 'instant' in about ? Date.parse(about.instant) : undefined;
    const noon = Date.parse(`${date}T12:00:00Z`);
    const span = instant === undefined || isStart ? [0] : [0, 1, 2, 3, 4, 5, 6];
    const found = span
      .flatMap((days) => this.#byDay.get(etDay(noon + days * day)) ?? [])
      .filter(({ sport }) => sports.includes(sport))
      .filter(({ begins }) => instant === undefined || isStart || begins > instant);
    this.#days.set(key, found);
    return found;
  }

  /** The opponents that a row names, in each sport in which both can be. */
  async #fixtures(
    cell: (field: SheetField) => string,
    texts: readonly string[],
    sports: readonly string[],
  ): Promise<{ away: string; home: string; key: string; teams: Teams; isGuessed: boolean }[]> {
    const [home, away, team, opponent] = [cell('home'), cell('away'), cell('team'), cell('opponent')];
    const titles =
      home !== '' && away !== ''
        ? [`${away} @ ${home}`]
        : [
            cell('game'),
            ...(team !== '' && opponent !== '' ? [`${team} vs ${opponent}`] : []),
            ...texts.flatMap(titleIn),
          ];
    for (const title of titles) {
      if (title === '') continue;
      const found = [];
      for (const sport of sports) {
        const read = readTitle(title, sport);
        if ('refused' in read) continue;
        const teams = await this.#world.teams(sport);
        const isKnown = [read.away, read.home].map((name) => teams.knows(name));
        if (teams.closed && isKnown.includes(false)) continue;
        const isOpen = isKnown.includes(false);
        found.push({
          away: read.away,
          home: read.home,
          key: opponentsKey(read, teams),
          teams,
          isGuessed: read.homeGuessed === true,
          isOpen,
        });
      }
      const sure = found.filter(({ isOpen }) => !isOpen);
      if (sure.length > 0) return sure;
      if (found.length > 0 && sports.length === 1) return found;
      const [only] = sports;
      const read = sports.length === 1 ? readTitle(title, only) : undefined;
      if (read !== undefined && !('refused' in read) && title === cell('game')) {
        const teams = await this.#world.teams(only!);
        const unknown = [read.away, read.home].find((name) => !teams.knows(name))!;
        const near = similarTeams(unknown, only!);
        throw new RowRefused(
          `${only} has no team ${unknown}${near.length === 0 ? '' : ` (similar: ${near.join(', ')})`}.`,
        );
      }
    }
    return [];
  }

  #make(
    fixture: { away: string; home: string; teams: Teams; isGuessed: boolean },
    startsAt: number,
    cell: (field: SheetField) => string,
  ): { game: BetGame; row: GameRow } {
    const { teams } = fixture;
    const title = gameTitle(fixture, teams);
    const key = `${teams.sport}\n${title}\n${new Date(startsAt).toISOString()}`;
    const before = this.#made.get(key);
    if (before !== undefined) return before;
    const opponent = (name: string) => ({ name: teams.fullName(name), names: teams.namesOf(name) });
    return {
      game: {
        sport: teams.sport,
        game: title,
        startsAt,
        away: opponent(fixture.away),
        home: opponent(fixture.home),
        players: [],
        moneylineWays: teams.sport === 'soccer' ? 3 : 2,
      },
      row: {
        sport: teams.sport,
        game: title,
        startsAt: new Date(startsAt).toISOString(),
        ...endOf(cell, fixture.isGuessed),
      },
    };
  }

  #checkMarket(written: string, bet: BetReading): void {
    if (written === '') return;
    const meant = marketMeant(bet.sport, written, bet.subject !== null);
    const market = 'market' in meant ? meant.market : undefined;
    const declared = new Set(['moneyline', 'spread', 'total', 'team_total']);
    if (market === undefined || !declared.has(market) || !declared.has(bet.market) || market === bet.market)
      return;
    // A total of one team is often called a total.
    if (market === 'total' && bet.market === 'team_total') return;
    throw new RowRefused(`The column of markets says ${written}, and the bet reads as ${betText(bet)}.`);
  }

  #oddsOf(cell: (field: SheetField) => string, bet: BetReading, notes: string[]): number {
    const marks = { decimalComma: this.#grid.decimalComma };
    const written = cell('oddsAmerican') || cell('odds') || cell('oddsDecimal') || cell('oddsFractional');
    if (written === '') {
      if (bet.oddsAmerican === null) throw new RowRefused('The row has no odds.');
      return bet.oddsAmerican;
    }
    const odds = readOdds(written, this.#odds, marks);
    if (odds === undefined) throw new RowRefused(`${written} is no price.`);
    if (typeof odds !== 'number')
      throw new RowRefused(`${written} could be of several formats: choose with --odds.`);
    if (bet.oddsAmerican !== null && bet.oddsAmerican !== odds)
      notes.push(`The text has ${bet.oddsAmerican}, the column of odds ${odds}, which counts.`);
    return odds;
  }

  #stakeOf(cell: (field: SheetField) => string, bet: BetReading, notes: string[]): number {
    const [units, money] = [cell('stakeUnits'), cell('money')];
    const written = units || money;
    if (written === '') return bet.stakeUnits ?? 1;
    const amount = amountOf(written);
    if (amount === undefined) throw new RowRefused(`${written} is no stake.`);
    const stake = units === '' || this.#choices.unit !== undefined ? amount / this.#unit : amount;
    const rounded = Math.round(stake * 100) / 100;
    if (rounded <= 0 || rounded > 100)
      throw new RowRefused(
        `A stake is more than 0 and at most 100 units; ${written} is ${rounded}. Say how much a unit is with --unit.`,
      );
    if (rounded !== stake) notes.push(`The stake ${written} is ${rounded} units.`);
    return rounded;
  }

  /** Compares the result of a row with the score; gives a result event where no score can grade. */
  #resultOf(
    written: string,
    bet: BetReading,
    game: PlacedGame,
    notes: string[],
  ): Pick<ResultRow, 'result' | 'half'> | undefined {
    const read = readResult(written);
    if (read === undefined) throw new RowRefused(`${written} is no result.`);
    if (read === 'open') return undefined;
    if (read === 'cashout') {
      notes.push('The bet was sold before it ended, so its result is left to the score.');
      return undefined;
    }
    const said = `${read.half ? 'half a ' : ''}${read.result}`;
    if (gradingScoreName(bet.market, bet.sport) === null) return read.half ? read : { result: read.result };
    if (game.status === undefined || game.status === 'scheduled' || game.status === 'postponed') {
      notes.push(`The sheet says ${said}; the pick waits for the score of its game.`);
      return undefined;
    }
    const graded =
      game.status === 'cancelled'
        ? { result: 'void' as const, half: false }
        : gradeByScore({
            ...game,
            sport: bet.sport,
            market: bet.market,
            side: bet.side,
            lineE3: lineToE3(bet.line),
          });
    if (graded !== null && (graded.result !== read.result || graded.half !== read.half))
      notes.push(
        `The sheet says ${said}, the score ${graded.half ? 'half a ' : ''}${graded.result}, which counts.`,
      );
    return undefined;
  }
}

/** A made game as one that is known, with the score that its row has. */
function placed({ game, row }: { game: BetGame; row: GameRow }): PlacedGame {
  const begins = game.startsAt;
  if (row.status !== 'final' || begins === null) return { startsAt: game.startsAt, begins };
  const { homeScore = null, awayScore = null } = row;
  const unknown = { homeHalfScore: null, awayHalfScore: null, sets: null, played: null, periodsE3: null };
  return { ...game, ...unknown, begins, status: 'final', homeScore, awayScore };
}

/** How a made game ended, if the row has the score of both teams and nobody guesses which is whose. */
function endOf(
  cell: (field: SheetField) => string,
  isGuessed: boolean,
): Pick<GameRow, 'status' | 'homeScore' | 'awayScore'> {
  const [homeScore, awayScore] = [cell('homeScore'), cell('awayScore')].map((text) =>
    /^\d{1,3}$/.test(text) ? Number(text) : undefined,
  );
  const isKnown = homeScore !== undefined && awayScore !== undefined && !isGuessed;
  return isKnown ? { status: 'final', homeScore, awayScore } : { status: 'scheduled' };
}

/** Of a bet of which only the day or the time of posting is known, the start: the end of that day, or of the next where that is too soon. */
function startFrom(about: CellTime): number {
  const end = startOfDay(dayOfTime(about));
  return 'instant' in about && Date.parse(about.instant) >= end - 60_000 ? end + day : end;
}

/** The names of a game in a text: `over 34.5 points Gulls @ Foxes`. */
function titleIn(text: string): string[] {
  const found = /^(.+?)\s+(@|vs\.?|v)\s+(.+)$/i.exec(text);
  if (found === null) return [];
  const [, before = '', mark, after = ''] = found;
  const words = before.split(' ');
  // The first team begins somewhere in the words before: the longest name is tried first.
  return words.slice(-4).map((_, at, last) => `${last.slice(at).join(' ')} ${mark} ${after}`);
}

/** The texts that a row's bet can be read from, those with the most first. */
function textsOf(cell: (field: SheetField) => string): string[] {
  const [description, pick, team, player, market, side, line] = (
    ['description', 'pick', 'team', 'subject', 'market', 'side', 'line'] as const
  ).map(cell) as [string, string, string, string, string, string, string];
  const parts = (...some: string[]) => some.filter((part) => part !== '').join(' ');
  const sided = /^(?:over|under|o|u)$/i.test(side) ? side : '';
  const signed = line !== '' && sided === '' && /^\d/.test(line) ? `+${line}` : line;
  const isTotal = sided !== '' || /^(?:over|under)\b/i.test(pick);
  const marketWords =
    /^(?:spread|point spread|total|totals|over.?under|straight|game|side|prop|player prop)s?$/i.test(market)
      ? ''
      : market;
  const texts = [
    description,
    pick,
    parts(pick, isTotal ? line : signed),
    parts(pick, marketWords),
    parts(pick, isTotal ? line : signed, marketWords),
    parts(pick, cell('game')),
    parts(pick, line, cell('game')),
    ...(player === ''
      ? []
      : [
          parts(player, sided || pick, line, market),
          parts(player, pick, market),
          parts(player, sided || pick, line, market, cell('opponent')),
        ]),
    parts(team, sided === '' ? signed : parts(sided, line)),
    parts(team, marketWords),
    parts(team, 'ML'),
    parts(cell('game'), sided, line),
    parts(pick, 'ML'),
  ];
  const isMoneyline = /^(?:ml|money ?line|h2h|winner|to win|match winner|win)$/i.test(market);
  return [...new Set(texts)].filter(
    (text) => /\p{L}/u.test(text) && (isMoneyline || !text.endsWith(' ML') || /\bML\b/.test(pick)),
  );
}

/** Reads the first text that is one bet. @throws RowRefused */
function readAny(
  texts: readonly string[],
  games: readonly BetGame[],
  { none }: { none: string },
): { bet: BetReading; text: string } {
  if (games.length === 0) throw new RowRefused(none);
  let reason: string | undefined;
  let choices: RowRefused | undefined;
  for (const text of texts) {
    const found = readBetText(text, games);
    if (found.kind === 'bet') return { bet: found.bet, text };
    if (found.kind === 'choices')
      choices ??= new RowRefused(`${JSON.stringify(text)} can be several bets.`, found.choices.map(betText));
    else reason ??= `${JSON.stringify(text)}: ${found.reason}`;
  }
  throw choices ?? new RowRefused(reason ?? 'The row does not say what the bet is on.');
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
