import { LRUCache } from 'lru-cache';
import type { Capper } from '../cappers/cappers.ts';
import { findGames, type Game, type GameName, gameColumns, gameKey } from '../games/game.ts';
import { turnedRow } from '../games/home-team.ts';
import { namedGame } from '../games/resolve.ts';
import { instant } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { MoneylineWays } from '../rules/markets/market.ts';
import type { PickRow } from './pick-row.ts';

/** What picks are judged by before they are posted. */
export interface PostingFacts {
  /** Whether they are {@link RecentFacts}, which may be outdated. */
  isRecalled: boolean;
  /** Whether one of the keys was used before. */
  known: boolean;
  /** By handle, in lower case. */
  cappers: ReadonlyMap<string, Capper>;
  /** By {@link gameKey}: those that are announced under these very names and starts. */
  games: ReadonlyMap<string, Game>;
  /** How many prices a moneyline has, by sport. */
  ways: ReadonlyMap<string, MoneylineWays>;
}

/** Reads by one statement what there is of the keys, cappers, games and sports that picks name. */
export async function postingFacts(
  database: Database,
  keys: readonly string[],
  rows: readonly (GameName & { capperHandle: string })[],
): Promise<PostingFacts> {
  const handles = new Set(rows.map(({ capperHandle }) => capperHandle.toLowerCase()));
  const names = new Map(
    rows.map((row) => {
      const start = row.startsAt == null ? null : new Date(instant(row.startsAt));
      return [gameKey(row), { sport: row.sport, game: row.game, start }];
    }),
  );
  const { rows: found }: { rows: [Found] } = await database.raw(
    'select * from posting_facts(?::text[], ?::text[], ?)',
    [[...keys], [...handles], JSON.stringify([...names.values()])],
  );
  const { known, cappers, games, sports } = found[0];
  return {
    isRecalled: false,
    known,
    cappers: new Map((cappers ?? []).map((capper) => [capper.handle, capper])),
    games: new Map((games ?? []).map((game) => [keyOf(game), game])),
    ways: new Map((sports ?? []).map(({ key, ways }) => [key, ways])),
  };
}

/** How long facts are recalled, in milliseconds, and for how many cappers and games. */
const recallMs = 10_000;
const maxRecalled = 10_000;

/**
 * Facts that were read a moment ago, about what picks are on most: a batch of picks on known games needs no look-up. They may be outdated,
 * which does no harm: the database refuses a pick whose game or capper has changed, and it is judged again by present ones.
 */
export interface RecentFacts {
  note(facts: PostingFacts): void;
  /** @returns undefined unless all that these picks name is known */
  recall(rows: readonly (GameName & { capperHandle: string })[]): PostingFacts | undefined;
}

export function createRecentFacts(): RecentFacts {
  const options = { max: maxRecalled, ttl: recallMs };
  const cappers = new LRUCache<string, Capper>(options);
  const games = new LRUCache<string, Game>(options);
  let ways: PostingFacts['ways'] = new Map();
  return {
    note(facts) {
      for (const [handle, capper] of facts.cappers) cappers.set(handle, capper);
      for (const [key, game] of facts.games) games.set(key, game);
      ways = facts.ways;
    },
    recall(rows) {
      const found = {
        isRecalled: true,
        known: false,
        cappers: new Map<string, Capper>(),
        games: new Map<string, Game>(),
        ways,
      };
      for (const row of rows) {
        const handle = row.capperHandle.toLowerCase();
        const key = gameKey(row);
        const [capper, game] = [cappers.get(handle), games.get(key)];
        if (capper === undefined || game === undefined) return undefined;
        found.cappers.set(handle, capper);
        found.games.set(key, game);
      }
      return found;
    },
  };
}

/** As the function `posting_facts` gives them; null where there are none. */
interface Found {
  known: boolean;
  cappers: Capper[] | null;
  games: Game[] | null;
  sports: { key: string; ways: MoneylineWays }[] | null;
}

function keyOf({ sport, name, announcedStart }: Game): string {
  const startsAt = announcedStart === null ? null : new Date(announcedStart).toISOString();
  return gameKey({ sport, game: name, startsAt });
}

/** The game that a pick means, and the pick with the sides of that game; `note`: what the sender should know of it. */
interface Named {
  row: PickRow;
  game?: Game;
  unfound?: string;
  note?: string;
}

/**
 * The games that picks name, or why there is none. None is locked.
 * @param named those that are announced under these very names and starts
 */
export async function findNamedGames(
  database: Database,
  rows: readonly PickRow[],
  named: ReadonlyMap<string, Game>,
  now: number,
): Promise<(row: PickRow) => Named> {
  const others = await otherGames(
    database,
    rows.filter((row) => !named.has(gameKey(row))),
    new Set([...named.values()].map(({ id }) => id)),
    now,
  );
  return (row) => {
    const game = named.get(gameKey(row));
    if (game !== undefined) return { row, game };
    const other = others.get(gameKey(row));
    if (other === undefined) return { row };
    if ('refused' in other) return { row, unfound: other.refused };
    return other.note === undefined
      ? { row, game: other.game }
      : { row: turnedRow(row), game: other.game, note: other.note };
  };
}

/** A game under another name than the pick's. `note`: it has home and away the other way round. */
type Other = { game: Game; note?: string } | { refused: string };

/**
 * The games that picks mean where none is announced under their name and start, by that: without a start the only one of that name that
 * has not started. In other words than the game's own it is found by its opponents.
 */
async function otherGames(
  database: Database,
  rows: readonly PickRow[],
  known: ReadonlySet<number>,
  now: number,
): Promise<Map<string, Other | undefined>> {
  const others = new Map<string, Other | undefined>();
  const upcoming = await upcomingGames(
    database,
    rows.filter(({ startsAt }) => startsAt == null),
    now,
  );
  // Their names stay: a pick means a side of them.
  const meant = new Set([...known, ...upcoming.map(({ id }) => id)]);
  for (const row of rows) {
    const key = gameKey(row);
    if (others.has(key)) continue;
    const open = (row.startsAt == null ? upcoming : []).filter(
      ({ sport, name }) => sport === row.sport && name === row.game,
    );
    const other =
      open.length > 0
        ? open.length === 1
          ? { game: open[0]! }
          : undefined
        : await otherGame(database, row, meant, now);
    if (other !== undefined && 'game' in other) meant.add(other.game.id);
    others.set(key, other);
  }
  return others;
}

async function otherGame(
  database: Database,
  row: PickRow,
  meant: ReadonlySet<number>,
  now: number,
): Promise<Other | undefined> {
  const found = await database.transaction((transaction) => namedGame(transaction, row, now, meant));
  if (found === undefined || 'refused' in found) return found;
  const game = (await findGames(database, [found.name])).get(gameKey(found.name));
  if (game === undefined) return undefined;
  return found.turned === true && found.note !== undefined ? { game, note: found.note } : { game };
}

/** The games of these names that have not started. */
async function upcomingGames(database: Database, rows: readonly PickRow[], now: number): Promise<Game[]> {
  if (rows.length === 0) return [];
  const names = new Set(rows.map(({ sport, game }) => JSON.stringify({ sport, game })));
  return database('games as g')
    .whereRaw(
      `g.id = any (array(
         select f.id from json_to_recordset(?) as w (sport text, game text)
         cross join lateral (select id from games where sport = w.sport and name = w.game and starts_at > ? offset 0) f))`,
      [`[${[...names].join(',')}]`, new Date(now)],
    )
    .orderBy('g.id')
    .select(gameColumns);
}
