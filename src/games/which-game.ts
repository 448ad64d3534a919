import { instant, iso, isoOrNull } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { etDay, etDayStart } from '../rules/et-day.ts';
import { findGames, type Game, type GameName, gameKey, gamesJoined, nameOf, notJoined } from './game.ts';
import { confirmHomes, swapHomes, swappedRow } from './home-team.ts';
import { readTeams } from './names/aliases.ts';
import { arePersons } from './names/league-files.ts';
import { inWordsOf } from './names/opponents.ts';
import {
  areOneGame,
  isOnDay,
  isSwapped,
  minimumGapMs,
  noTeam,
  opponentsKey,
  similarStartMs,
  type Teams,
  unknownCode,
  unknownTeam,
} from './names/teams.ts';
import { type Fixture, readFixture, readTitle } from './names/title.ts';
import { namesUndecided } from './names/undecided.ts';
import { type NotedOutcome, refused } from './row-outcome.ts';

/*
 * Which game a row, a pick, a sheet, or a source's event means (docs/rules/teams.md). Every door asks the one index of opponents and starts,
 * `StartIndex`, and only declares what it tolerates, as a `Door`. Rows and picks come through `whichGames`; events and sheets know
 * more than the stored games, and ask the index themselves.
 */

/** Tolerance of a door. */
export interface Door {
  /** Reports whether two starts of the same opponents belong to one game. Epoch milliseconds. */
  near(sport: string, one: number, other: number): boolean;
  /** Whether a row without a match is a new game. `known`: not one with a misspelled team in a closed league. */
  creates?: 'known' | 'any';
  /** Whether names that no league knows match only at the same start and with the same numbers. */
  strangersExact?: boolean;
  /** A row without a start means the only game of its opponents within two weeks of this instant. */
  upcomingFrom?: EpochMs;
  lock?: 'share';
}

const gapBelow =
  (limit: (sport: string) => number): Door['near'] =>
  (sport, one, other) =>
    Math.abs(one - other) < limit(sport);

const newGame: Door = { near: gapBelow(minimumGapMs), creates: 'any', strangersExact: true };

export const doors = {
  /** A source's event. */
  event: { near: areOneGame },
  /** A price, pick, or result about a game. */
  row: { near: gapBelow((sport) => similarStartMs(sport) + 1), strangersExact: true },
  file: newGame,
  /** A game that the operator posts. */
  operator: { ...newGame, creates: 'known' },
} satisfies Record<string, Door>;

/** A value with all its starts, in epoch milliseconds, or with the ET day if it has no start. */
interface Entry<T> {
  starts: readonly number[];
  day: string | null;
  value: T;
}

/** The gap between two times of which one is only a day, in ms: exact starts are nearer. */
const dayGapMs = 86_400_000;

/** Maximum difference between the beginning of a day and a start on it, by `isOnDay`, in ms. */
export const dayReachMs = 31 * 3_600_000;

/** Values indexed by their opponents, in either order and every known spelling, and found by start. */
export class StartIndex<T> {
  readonly teams: Teams;
  readonly #entries = new Map<string, Entry<T>[]>();

  constructor(teams: Teams) {
    this.teams = teams;
  }

  /** Adds a value with all its starts, in epoch milliseconds. `day` counts if it has none. Ignores a value without opponents. */
  add(
    value: T,
    fixture: Fixture | undefined,
    starts: readonly (number | null)[],
    day: string | null = null,
  ): this {
    if (fixture === undefined) return this;
    const key = opponentsKey(fixture, this.teams);
    const entry = { value, day, starts: starts.filter((start) => start !== null) };
    const same = this.#entries.get(key);
    if (same === undefined) this.#entries.set(key, [entry]);
    else same.push(entry);
    return this;
  }

  /** Indexes stored games by their first announced start and their current one. */
  static ofGames<G extends NamedStarts>(games: Iterable<G>, teams: Teams): StartIndex<G> {
    const index = new StartIndex<G>(teams);
    for (const game of games)
      index.add(
        game,
        readFixture(game.name, teams.sport),
        [game.announcedStart, game.startsAt],
        game.day ?? null,
      );
    return index;
  }

  /** Returns the values of these opponents. */
  of(fixture: Fixture): T[] {
    return (this.#entries.get(opponentsKey(fixture, this.teams)) ?? []).map(({ value }) => value);
  }

  /**
   * Finds the values of these opponents with a start that the door accepts, nearest first. A day accepts the starts on it. `gap` is in ms.
   * @param when a start in epoch milliseconds, or an ET day
   */
  find(fixture: Fixture, when: number | string, { near }: Pick<Door, 'near'>): { value: T; gap: number }[] {
    const gapOf = ({ starts, day }: Entry<T>): number | undefined => {
      const { sport } = this.teams;
      // A start on the ET day itself is nearer than one that is only on the local day.
      const gapToDay = (of: string, start: number) =>
        etDay(start) === of ? dayGapMs : isOnDay(sport, of, start) ? 2 * dayGapMs : undefined;
      if (starts.length === 0) {
        if (day === null || typeof when === 'string') return day === when ? dayGapMs : undefined;
        return gapToDay(day, when);
      }
      if (typeof when === 'string')
        return starts.reduce<number | undefined>((gap, start) => gap ?? gapToDay(when, start), undefined);
      if (!starts.some((start) => near(this.teams.sport, start, when))) return undefined;
      return Math.min(...starts.map((start) => Math.abs(start - when)));
    };
    return (this.#entries.get(opponentsKey(fixture, this.teams)) ?? [])
      .flatMap((entry) => {
        const gap = gapOf(entry);
        // Of two games at this start, one moved here and one announced for it, it is the second.
        const isFirst = entry.starts[0] === when;
        return gap === undefined ? [] : [{ value: entry.value, gap, isFirst }];
      })
      .sort((a, b) => a.gap - b.gap || Number(b.isFirst) - Number(a.isFirst));
  }

  at(startsAt: number): T[] {
    return [...this.#entries.values()]
      .flat()
      .flatMap(({ starts, value }) => (starts.includes(startsAt) ? [value] : []));
  }
}

/** The fields of a stored game by which it is indexed. */
export type NamedStarts = Pick<Game, 'name' | 'announcedStart' | 'startsAt'> & { day?: string | null };

/**
 * The game that a row names: its name and first announced start, or why none was found. `game`: the stored game, if the row names it
 * exactly. `note`: the game has other names than the row, or names that its league does not know. `swapped`: home and away are swapped, so
 * the row's sides and scores must be swapped too.
 */
export type WhichGame =
  | { name: GameName; game?: Game; note?: string; swapped?: boolean }
  | { refused: string };

/**
 * Finds the games that rows name. An exact name wins. Otherwise it is the game of the same opponents with the nearest start that the door
 * accepts. A row without a match keeps its name. If a game's home team is a guess and nothing refers to its sides, the game is renamed as
 * the row says (docs/rules/games.md#home-and-away).
 */
export async function whichGames(
  database: Database,
  rows: readonly GameName[],
  door: Door,
): Promise<WhichGame[]> {
  const exact = await findGames(database, rows, door.lock);
  const open = new Map(rows.filter((row) => !exact.has(gameKey(row))).map((row) => [gameKey(row), row]));
  const unsure = [...exact.values()].filter(({ homeKnown }) => !homeKnown).map(({ id }) => id);
  if (door.creates !== undefined) await confirmHomes(database, unsure);
  const matches = new Map<string, Match>();
  const known = await gamesAround(database, [...open.values()], door);
  for (const [key, row] of open) {
    const index = known.get(row.sport)!;
    const match = matchOf(row, index, door);
    matches.set(key, match);
    if (door.creates !== undefined && 'name' in match) {
      const start = row.startsAt == null ? null : instant(row.startsAt);
      const game = { id: 0, sport: row.sport, name: row.game, homeKnown: true };
      const starts = { announcedStart: start, startsAt: start };
      const day = row.startsAt == null ? (row.day ?? null) : null;
      index.add({ ...game, ...starts, day }, readFixture(row.game, row.sport), [start], day);
    }
  }
  const swapped = await swapAll(database, [...matches.values()], unsure, door);
  const joined = await gamesJoined(
    database,
    [...exact.values()].filter(({ isJoined }) => isJoined).map(({ id }) => id),
  );
  return rows.map((name) => {
    const match = matches.get(gameKey(name));
    if (match === undefined) {
      const game = exact.get(gameKey(name))!;
      const other = joined.get(game.id);
      return other === undefined
        ? { name, game }
        : { name: nameOf(other), note: `this is ${gameText(other)}` };
    }
    if ('game' in match) return matchedGame(match, swapped);
    // Several rows can name the same new game, each with its own fields.
    return 'name' in match ? { ...match, name } : match;
  });
}

/** A known game that a row names differently, or with swapped teams. */
interface KnownMatch {
  game: KnownGame;
  isSwapped: boolean;
}

type Match = { name: GameName; note?: string } | { refused: string } | KnownMatch;

/** The fields of a game that matching needs. */
type KnownGame = NamedStarts & Pick<Game, 'id' | 'sport' | 'homeKnown' | 'day'>;

function matchOf(row: GameName, index: StartIndex<KnownGame>, door: Door): Match {
  const { teams } = index;
  if (row.startsAt != null && row.day != null) return { refused: 'give startsAt or day, not both' };
  const named = readFixture(row.game, row.sport);
  if (named === undefined) return { name: row };
  const fixture = teams.decoded(named);
  const game = knownGame(row, fixture, index, door);
  if (game !== undefined) {
    const words = inWordsOf(fixture, game.name, teams) ?? fixture;
    const mustSwap = isSwapped(words, game.name, teams);
    if (mustSwap && game.homeKnown && door.creates === undefined && saysNoHome(row))
      return { game, isSwapped: false };
    if (mustSwap && game.homeKnown)
      return { refused: `the game is ${gameText(game)}: home and away are swapped` };
    return { game, isSwapped: mustSwap };
  }
  if (door.creates !== undefined && namesUndecided(fixture, row.sport, teams.keyOf, teams.knows))
    return {
      refused: `an opponent of ${row.game} is undecided: post the game once both are known, or add an alias`,
    };
  const code = door.creates === undefined ? undefined : unknownCode(named, teams);
  if (code !== undefined) return { refused: code };
  const fault = unknownTeam(fixture, teams, door.creates !== undefined);
  if (fault !== undefined && door.creates !== 'any') return { refused: fault };
  const unknown = teams.closed ? [fixture.away, fixture.home].find((name) => !teams.knows(name)) : undefined;
  return door.creates !== undefined && unknown !== undefined
    ? { name: row, note: noTeam(unknown, row.sport) }
    : { name: row };
}

function knownGame(
  row: GameName,
  fixture: Fixture,
  index: StartIndex<KnownGame>,
  door: Door,
): KnownGame | undefined {
  const { teams } = index;
  if (row.startsAt == null && row.day == null) {
    const from = door.upcomingFrom;
    if (from === undefined) return undefined;
    const games = index.of(fixture).filter(({ startsAt }) => startsAt !== null && startsAt > from);
    const named = games.filter(({ name }) => name === row.game);
    const same =
      named.length > 0
        ? named
        : games.filter(
            ({ name, homeKnown, startsAt }) =>
              startsAt! <= from + aheadMs && !(homeKnown && isSwapped(fixture, name, teams)),
          );
    return same.length === 1 ? same[0] : undefined;
  }
  const when = row.startsAt == null ? row.day! : instant(row.startsAt);
  const isStranger = !teams.knows(fixture.away) || !teams.knows(fixture.home);
  const found = index
    .find(fixture, when, door)
    .find(
      ({ value, gap }) =>
        !(isStranger && door.strangersExact) ||
        ((gap === 0 || gap === dayGapMs) && numbersIn(value.name) === numbersIn(row.game)),
    );
  if (found !== undefined || !arePersons(row.sport) || typeof when === 'string') return found?.value;
  // People are also found by another spelling, at exactly this start.
  const spelled = index.at(when).filter(({ name }) => inWordsOf(fixture, name, teams) !== undefined);
  return spelled.length === 1 ? spelled[0] : undefined;
}

/**
 * Returns the numbers in a title. Next to a known team's name a number can be its score, but in an unknown name it can be part of the name.
 */
function numbersIn(title: string): string {
  return (title.match(/\d+/g) ?? []).join(' ');
}

/** Reports whether a title such as `A vs B` does not say who is home. In soccer the home team comes first. */
function saysNoHome({ sport, game }: GameName): boolean {
  return sport !== 'soccer' && 'homeGuessed' in readTitle(game, sport);
}

/**
 * Swaps the teams of games that rows name in the other order, if the home team is a guess and no other row uses the current order.
 * @param kept ids of games that rows name in their current order
 * @returns the new names, by id
 */
async function swapAll(
  database: Database,
  matches: readonly Match[],
  kept: Iterable<number>,
  { creates }: Door,
): Promise<Map<number, string>> {
  const unsure = matches.filter((one): one is KnownMatch => 'game' in one && !one.game.homeKnown);
  const same = unsure.filter((one) => !one.isSwapped).map(({ game }) => game.id);
  if (creates !== undefined) await confirmHomes(database, same);
  const asTheyAre = new Set([...kept, ...same]);
  const games = new Map(
    unsure.flatMap((one) => (one.isSwapped && !asTheyAre.has(one.game.id) ? [[one.game.id, one.game]] : [])),
  );
  return swapHomes(
    database,
    [...games.values()].map((game) => ({ game, known: true })),
  );
}

function matchedGame(
  { game, isSwapped: mustSwap }: KnownMatch,
  swapped: ReadonlyMap<number, string>,
): WhichGame {
  const renamed = swapped.get(game.id);
  const now = { ...game, name: renamed ?? game.name };
  const name = nameOf(now);
  const note = `this is ${gameText(now)}`;
  if (!mustSwap || renamed !== undefined) return { name, note };
  return {
    name,
    note: `${note}: home and away are swapped there, and so are the sides`,
    swapped: true,
  };
}

function gameText({ name, announcedStart, day }: Pick<KnownGame, 'name' | 'announcedStart' | 'day'>): string {
  return `${name} announced for ${isoOrNull(announcedStart) ?? day}`;
}

/** Maximum time until the start of a game that a row without a start means in other words, in ms. */
const aheadMs = 14 * 86_400_000;

interface Span {
  sport: string;
  start: string;
  before: string;
  after: string;
  /** Games of this name count however late they start. */
  named: string | null;
}

/** Reads games near the starts of rows, and upcoming ones for rows without a start. @returns an index per sport of the rows */
async function gamesAround(
  database: Database,
  rows: readonly GameName[],
  { upcomingFrom }: Door,
): Promise<Map<string, StartIndex<KnownGame>>> {
  const spans = rows.flatMap(({ sport, game, startsAt, day }): Span[] => {
    const span = (start: string, beforeMs: number, afterMs: number, named: string | null = null) => [
      { sport, start, before: seconds(beforeMs), after: seconds(afterMs), named },
    ];
    if (startsAt != null) return span(startsAt, similarStartMs(sport), similarStartMs(sport));
    if (day != null) return span(iso(etDayStart(day)), dayReachMs, dayReachMs);
    return upcomingFrom === undefined ? [] : span(iso(upcomingFrom + 1), 0, aheadMs, game);
  });
  const { rows: games }: { rows: KnownGame[] } =
    spans.length === 0
      ? { rows: [] }
      : await database.raw(
          `with wanted as (select * from json_to_recordset(?) as r (sport text, start timestamptz, before interval, after interval, named text)),
     span as (
       select sport, lower(s) as first, upper(s) as last from (
         select sport, range_agg(tstzrange(start - before, start + after, '[]')) as spans from wanted group by sport) w, unnest(spans) as s),
     found as (
       select g.id from span join games g on g.sport = span.sport and g.starts_at between first and last
       union select g.id from span join games g on g.sport = span.sport and g.announced_start between first and last
       union select g.id from span join games g on g.sport = span.sport and g.announced_start is null
         and g.day between (first at time zone 'America/New_York')::date and (last at time zone 'America/New_York')::date
       union select g.id from wanted w join games g on g.sport = w.sport and g.name = w.named and g.starts_at >= w.start)
     select g.id, g.sport, g.name, g.home_known as "homeKnown", g.announced_start as "announcedStart", g.day, g.starts_at as "startsAt"
     from found join games g using (id) where ${notJoined} order by g.id`,
          [JSON.stringify(spans)],
        );
  const bySport = Map.groupBy(games, ({ sport }) => sport);
  const indexes = new Map<string, StartIndex<KnownGame>>();
  for (const sport of new Set(rows.map((row) => row.sport)))
    indexes.set(sport, StartIndex.ofGames(bySport.get(sport) ?? [], await readTeams(database, sport)));
  return indexes;
}

function seconds(ms: number): string {
  return `${ms / 1000} seconds`;
}

/** The game that a pick names, and the pick with sides that fit that game. `unknown` is the reason if no game was found. */
export interface GameOfPick<Row> {
  row: Row;
  game?: Game | undefined;
  unknown?: string | undefined;
  /** Tells the sender that home and away are swapped. */
  note?: string | undefined;
}

/** Finds the games that live picks name and locks them until the transaction ends. */
export async function lockGamesOfPicks<R extends GameName & { side: string }>(
  transaction: Transaction,
  rows: readonly R[],
  now: EpochMs,
): Promise<(row: R) => GameOfPick<R>> {
  const which = await whichGames(transaction, rows, { ...doors.row, upcomingFrom: now, lock: 'share' });
  const others = which.flatMap((one) => ('name' in one && one.game === undefined ? one.name : []));
  const games = await findGames(transaction, others, 'share');
  const byKey = new Map(rows.map((row, at) => [gameKey(row), which[at]!]));
  return (row) => {
    const one = byKey.get(gameKey(row))!;
    if ('refused' in one) return { row, unknown: one.refused };
    const game = one.game ?? games.get(gameKey(one.name));
    return one.swapped === true ? { row: swappedRow(row), game, note: one.note } : { row, game };
  };
}

/** A row of a game that gives the time of a game known only by its day moves that game to it. */
function timeOf(row: GameName & { movedTo?: string | null }, name: GameName, { creates }: Door) {
  const isDay = name.startsAt == null && name.day != null;
  return {
    ...(name.startsAt == null ? {} : { day: null }),
    ...(isDay && creates !== undefined && row.startsAt != null
      ? { movedTo: row.movedTo ?? row.startsAt, startsAt: null }
      : {}),
  };
}

/** Applies rows under the names of the games that they name. @returns the outcomes, in order */
export async function applyResolved<T extends GameName>(
  database: Database,
  rows: readonly T[],
  door: Door,
  apply: (rows: T[]) => Promise<NotedOutcome[]>,
): Promise<NotedOutcome[]> {
  const which = await whichGames(database, rows, door);
  const named = rows.flatMap((row, index) => {
    const one = which[index]!;
    if ('refused' in one) return [];
    return [
      { ...(one.swapped === true ? swappedRow(row) : row), ...timeOf(row, one.name, door), ...one.name },
    ];
  });
  const outcomes = (await apply(named)).values();
  return which.map((one): NotedOutcome => {
    if ('refused' in one) return refused(one.refused);
    const outcome = outcomes.next().value!;
    const notes = [one.note, outcome.note].filter((note) => note !== undefined);
    return notes.length === 0 ? outcome : { ...outcome, note: notes.join('; ') };
  });
}
