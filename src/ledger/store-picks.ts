import type { Database } from '../platform/database.ts';
import type { Provenance } from '../rules/vocabulary.ts';
import type { PickColumns } from './stored-events.ts';

/** A pick as it is stored, before the database gives it an id. Instants in epoch milliseconds. */
export interface NewPick {
  uuid: string;
  capperId: number;
  tier: string;
  gameId: number;
  startsAt: number | null;
  market: string;
  side: string;
  lineE3: number | null;
  pick: string;
  oddsAmerican: number;
  stakeE4: number;
  book: string | null;
  source: string;
  provenance: Provenance;
  postedAt: number;
}

/** What claims an Idempotency-Key. */
export interface KeyClaim {
  key: string;
  /** Of the pick, in hex: `fingerprintOf` in pick-requests.ts. */
  print: string;
}

const columns = `uuid, capper_id, tier, game_id, starts_at, market, side, line_e3, pick, odds_american, stake_e4, book, source, provenance,
  posted_at`;
const given = `"uuid", "capperId", "tier", "gameId", "startsAt", "market", "side", "lineE3", "pick", "oddsAmerican", "stakeE4", "book",
  "source", "provenance", "postedAt"`;
const recordset = `"uuid" uuid, "capperId" int, "tier" text, "gameId" bigint, "startsAt" timestamptz, "market" text, "side" text,
  "lineE3" int, "pick" text, "oddsAmerican" int, "stakeE4" int, "book" text, "source" text, "provenance" text, "postedAt" timestamptz`;

/**
 * Stores imported picks, in order. One whose uuid is known is passed over.
 * @returns the uuids of those that were new
 */
export async function storePicks(database: Database, picks: readonly NewPick[]): Promise<Set<string>> {
  if (picks.length === 0) return new Set();
  const { rows }: { rows: { uuid: string }[] } = await database.raw(
    `insert into picks (${columns}) select ${given} from json_to_recordset(?) as r (${recordset})
     on conflict (uuid) do nothing
     returning uuid`,
    [jsonOf(picks)],
  );
  return new Set(rows.map(({ uuid }) => uuid));
}

/** A live pick, and its game by the name under which the pick means a side of it. */
export type LivePick = NewPick & Partial<KeyClaim> & { game: string };

/**
 * Stores live picks, in order, and claims their keys, by one statement (the function `post_picks`): alone it is its own transaction. The games
 * cannot be moved, renamed or end until that ends. They are locked before any key is claimed, each in one order, so that two such statements
 * do not wait for each other.
 * @param record rows for `operator_actions`, each with its row for `operator_outcomes`: with them all picks are stored or none
 * @returns the rows of `picks`, by uuid. One is missing whose key another transaction has claimed, or whose game was renamed, meanwhile;
 *   with a record that is an error
 */
export async function storeLivePicks(
  database: Database,
  picks: readonly LivePick[],
  record?: readonly object[],
): Promise<Map<string, PickColumns & { game_id: number }>> {
  if (picks.length === 0 && record === undefined) return new Map();
  const games = new Map(picks.map(({ gameId, game }) => [gameId, `${gameId} ${game}`]));
  const { rows }: { rows: (PickColumns & { game_id: number })[] } = await database.raw(
    'select * from post_picks(?, ?::bigint[], ?::text[], ?)',
    [
      jsonOf(picks),
      [...games.keys()],
      [...games.values()],
      record === undefined ? null : JSON.stringify(record),
    ],
  );
  return new Map(rows.map((row) => [row.uuid, row]));
}

function jsonOf(picks: readonly NewPick[]): string {
  return JSON.stringify(
    picks.map((pick) => ({
      ...pick,
      startsAt: pick.startsAt === null ? null : new Date(pick.startsAt).toISOString(),
      postedAt: new Date(pick.postedAt).toISOString(),
    })),
  );
}
