import { LRUCache } from 'lru-cache';
import type { Capper } from '../cappers/cappers.ts';
import { type Game, type GameName, gameKey } from '../games/game.ts';
import { instant } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { MoneylineWays } from '../rules/markets/market.ts';

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
