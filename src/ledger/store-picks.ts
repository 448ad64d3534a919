import type { Database } from '../platform/database.ts';
import type { Provenance } from '../rules/vocabulary.ts';

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

/**
 * Stores picks, in order. One whose uuid is known is passed over.
 * @returns the ids of those that were new, by uuid
 */
export async function storePicks(
  database: Database,
  picks: readonly NewPick[],
): Promise<Map<string, number>> {
  if (picks.length === 0) return new Map();
  const rows = picks.map((pick) => ({
    ...pick,
    startsAt: pick.startsAt === null ? null : new Date(pick.startsAt).toISOString(),
    postedAt: new Date(pick.postedAt).toISOString(),
  }));
  const { rows: inserted }: { rows: { id: number; uuid: string }[] } = await database.raw(
    `insert into picks (uuid, capper_id, tier, game_id, starts_at, market, side, line_e3, pick, odds_american, stake_e4, book,
       source, provenance, posted_at)
     select "uuid", "capperId", "tier", "gameId", "startsAt", "market", "side", "lineE3", "pick", "oddsAmerican", "stakeE4",
       "book", "source", "provenance", "postedAt"
     from json_to_recordset(?) as r ("uuid" uuid, "capperId" int, "tier" text, "gameId" bigint, "startsAt" timestamptz,
       "market" text, "side" text, "lineE3" int, "pick" text, "oddsAmerican" int, "stakeE4" int, "book" text, "source" text,
       "provenance" text, "postedAt" timestamptz)
     on conflict (uuid) do nothing
     returning id, uuid`,
    [JSON.stringify(rows)],
  );
  return new Map(inserted.map(({ id, uuid }) => [uuid, id]));
}
