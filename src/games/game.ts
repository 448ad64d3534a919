import { isoOrNull, instant as readInstant } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { endOfDay } from '../rules/et-day.ts';
import type { MoneylineWays } from '../rules/markets/market.ts';
import type { Played } from '../rules/played.ts';
import type { Sets } from '../rules/sets.ts';
import type { GameStatus } from '../rules/vocabulary.ts';

/** The permanent identity of a game: sport, name, and first announced start, or the day if only that was announced. */
export interface GameName {
  sport: string;
  game: string;
  startsAt?: string | null;
  day?: string | null;
}

interface Column<Value, When> {
  name: string;
  type: string;
  /** When the field of this name in a row sets it: with the first row of the game, or with its final score. Null: other code does. */
  given: When;
  /** Whether a later row changes it. */
  changes: boolean;
  /** Its type in {@link Game}; only the compiler reads it. */
  value?: Value;
}
const column =
  <When>(given: When, changes: boolean) =>
  <Value>(name: string, type: string): Column<Value, When> => ({ name, type, given, changes });
const fixed = column(null, false);
const changing = column(null, true);
const ofTrigger = column('by a trigger' as const, false);
const ofFirstRow = column('first' as const, false);
const ofFinalRow = column('final' as const, true);

/** The stored fields of a game. Types and statements derive from it. Instants are in epoch milliseconds. */
export const gameTable = {
  id: fixed<number>('id', 'bigint'),
  sport: fixed<string>('sport', 'text'),
  name: fixed<string>('name', 'text'),
  /** False: the home team is a guess, so home and away can be swapped (docs/rules/games.md#home-and-away). */
  homeKnown: fixed<boolean>('home_known', 'boolean'),
  announcedStart: fixed<number | null>('announced_start', 'timestamptz'),
  /** The day of a game that was announced without a start. */
  day: fixed<string | null>('day', 'date'),
  /** The current start. */
  startsAt: changing<number | null>('starts_at', 'timestamptz'),
  /** The first start that passed and was moved afterwards: see `holdingStart`. */
  heldStart: ofTrigger<number | null>('held_start', 'timestamptz'),
  status: changing<GameStatus>('status', 'text'),
  homeScore: ofFinalRow<number | null>('home_score', 'int'),
  awayScore: ofFinalRow<number | null>('away_score', 'int'),
  homeHalfScore: ofFinalRow<number | null>('home_half_score', 'int'),
  awayHalfScore: ofFinalRow<number | null>('away_half_score', 'int'),
  sets: ofFinalRow<Sets | null>('sets', 'set_games'),
  played: ofFinalRow<Played | null>('played', 'extent'),
  periodsE3: changing<number | null>('periods_e3', 'int'),
  competition: ofFirstRow<string | null>('competition', 'text'),
  finalAt: changing<number | null>('final_at', 'timestamptz'),
  wasPostponed: changing<boolean>('was_postponed', 'boolean'),
  /** When it was announced; null while only an imported sheet names it. It then keeps no other game from live picks. */
  vouchedAt: changing<number | null>('vouched_at', 'timestamptz'),
};

export type Game = {
  [Field in keyof typeof gameTable]: (typeof gameTable)[Field] extends Column<infer Value, unknown>
    ? Value
    : never;
};

export const gameColumns = Object.fromEntries(
  Object.entries(gameTable).map(([field, { name }]) => [field, `g.${name}`]),
) as Readonly<Record<keyof Game, `g.${string}`>>;

/** The SQL expression of `holdingStart` for a pick `p` on a game `g`. */
export const holdingStartOf = `case when p.provenance = 'live' then coalesce(g.held_start, g.starts_at) else g.starts_at end`;

/** Returns a clause which says that no game has this identity, and what to do. */
export function noGame({ sport, game, startsAt, day }: GameName): string {
  return `no ${sport} game ${game} is announced for ${startsAt ?? day ?? 'an unknown start'}: post the game first, or correct its name or start`;
}

/** Returns a game's identity as a string, for maps. */
export function gameKey({ sport, game, startsAt, day }: GameName): string {
  return `${sport}\n${game}\n${startsAt == null ? (day ?? '') : readInstant(startsAt)}`;
}

/** A game, and whether it was joined into another. */
export type FoundGame = Game & { isJoined: boolean };

/**
 * Finds games by identity. @returns by {@link gameKey}
 * @param lock the row lock to hold until the transaction ends: `update`, or `share`, which others can also hold
 */
export async function findGames(
  database: Database,
  names: Iterable<GameName>,
  lock?: 'update' | 'share',
): Promise<Map<string, FoundGame>> {
  const wanted = new Map<string, GameName>();
  for (const name of names) wanted.set(gameKey(name), name);
  if (wanted.size === 0) return new Map();
  const list = [...wanted.values()].map(({ sport, game, startsAt, day }) => ({
    sport,
    game,
    start: startsAt ?? null,
    day: startsAt == null ? (day ?? null) : null,
  }));
  const selected = Object.entries(gameColumns).map(([as, column]) => `${column} as "${as}"`);
  // One lookup per name by the unique index. A join would scan all games, and the index of starts would read all games with that start. The
  // planner underestimates the selectivity of a start unless it is written as a range.
  const { rows }: { rows: FoundGame[] } = await database.raw(
    `select ${selected.join(', ')}, exists (select from game_joins j where j.from_game = g.id) as "isJoined"
     from games g where g.id = any (array(
       select f.id from json_to_recordset(?) as w (sport text, game text, start timestamptz, day date)
       cross join lateral (
         select id from games where sport = w.sport and name = w.game and announced_start between w.start and w.start
         union all
         select id from games
         where w.start is null and sport = w.sport and name = w.game and announced_start is not distinct from w.start
           and day is not distinct from w.day) f))
     order by g.id ${lock === undefined ? '' : `for ${lock} of g`}`,
    [JSON.stringify(list)],
  );
  return new Map(rows.map((game) => [gameKey(nameOf(game)), game]));
}

export function nameOf({ sport, name, announcedStart, day }: StoredName): GameName {
  return {
    sport,
    game: name,
    startsAt: isoOrNull(announcedStart),
    ...(day === null ? {} : { day }),
  };
}

export function startWords({ startsAt, day }: Pick<Game, 'startsAt' | 'day'>): string {
  return isoOrNull(startsAt) ?? (day === null ? 'no start' : `${day}, time unknown`);
}

/**
 * Returns when an imported game without a stated end counts as over: three hours after its start, or at 23:59 ET of the day if only that is
 * known; null if neither is.
 */
export function assumedEnd({ day, startsAt }: Pick<Game, 'day' | 'startsAt'>): number | null {
  if (startsAt !== null) return startsAt + 3 * 3_600_000;
  return day === null ? null : endOfDay(day);
}

export type StoredName = Pick<Game, 'sport' | 'name' | 'announcedStart' | 'day'>;

/** A SQL condition on `games g`: it was not joined into another game, which continues for both. */
export const notJoined = 'not exists (select from game_joins gj where gj.from_game = g.id)';

/** Finds the games that games were joined into, by id; those that were not joined are absent. */
export async function gamesJoined(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, StoredName & { id: number }>> {
  if (ids.length === 0) return new Map();
  const { rows }: { rows: (StoredName & { id: number; from: number })[] } = await database.raw(
    `with recursive chain ("from", id) as (
       select from_game, to_game from game_joins where from_game = any(?::bigint[])
       union all select c."from", j.to_game from chain c join game_joins j on j.from_game = c.id)
     select c."from", g.id, g.sport, g.name, g.announced_start as "announcedStart", g.day
     from (select "from", min(id) as id from chain group by 1) c join games g using (id)`,
    [[...ids]],
  );
  return new Map(rows.map(({ from, ...game }) => [from, game]));
}

/** Finds the names of the games that were joined into the games of these names, by {@link gameKey}. */
export async function gamesJoinedInto(
  database: Database,
  names: readonly GameName[],
): Promise<Map<string, GameName[]>> {
  const rows: Record<string, StoredName>[] = await database('game_joins as j')
    .join('games as t', 't.id', 'j.to_game')
    .join('games as f', 'f.id', 'j.from_game')
    .whereRaw('t.name = any(?::text[])', [[...new Set(names.map(({ game }) => game))]])
    .orderBy('j.id')
    .select(
      ...['t', 'f'].map((of) =>
        database.raw(`json_build_object('sport', ${of}.sport, 'name', ${of}.name,
          'announcedStart', extract(epoch from ${of}.announced_start) * 1000, 'day', ${of}.day) as ${of}`),
      ),
    );
  const byTarget = Map.groupBy(rows, ({ t }) => gameKey(nameOf(t!)));
  return new Map([...byTarget].map(([key, all]) => [key, all.map(({ f }) => nameOf(f!))]));
}

export function gameById(database: Database, id: number): Promise<Game | undefined> {
  return database('games as g').where('g.id', id).first(gameColumns);
}

/** Reads the number of a moneyline's sides by sport: 3 if the draw is one. */
export async function moneylineWays(database: Database): Promise<Map<string, MoneylineWays>> {
  const rows: { key: string; ways: MoneylineWays }[] = await database('sports')
    .orderBy('position')
    .orderBy('key')
    .select({ key: 'key', ways: 'moneyline_ways' });
  return new Map(rows.map(({ key, ways }) => [key, ways]));
}
