import { iso, isoOrNull } from '../platform/clock.ts';
import { columnsOf } from '../platform/columns.ts';
import { type Database, isRefused, sentenceOf, type Transaction } from '../platform/database.ts';
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

const pickTypes = {
  uuid: 'uuid',
  capper_id: 'int',
  tier: 'text',
  game_id: 'bigint',
  starts_at: 'timestamptz',
  market: 'text',
  side: 'text',
  line_e3: 'int',
  pick: 'text',
  odds_american: 'int',
  stake_e4: 'int',
  book: 'text',
  source: 'text',
  provenance: 'text',
  posted_at: 'timestamptz',
} as const;

/**
 * Stores picks, in order, and skips those whose uuid is known.
 * @returns the ids of the new ones, by uuid
 */
export async function storePicks(
  database: Database,
  picks: readonly NewPick[],
): Promise<Map<string, number>> {
  if (picks.length === 0) return new Map();
  const { table, bindings } = columnsOf(
    pickTypes,
    picks.map((pick) => ({
      uuid: pick.uuid,
      capper_id: pick.capperId,
      tier: pick.tier,
      game_id: pick.gameId,
      starts_at: isoOrNull(pick.startsAt),
      market: pick.market,
      side: pick.side,
      line_e3: pick.lineE3,
      pick: pick.pick,
      odds_american: pick.oddsAmerican,
      stake_e4: pick.stakeE4,
      book: pick.book,
      source: pick.source,
      provenance: pick.provenance,
      posted_at: iso(pick.postedAt),
    })),
  );
  const { rows }: { rows: { uuid: string; id: number }[] } = await database.raw(
    `insert into picks (${Object.keys(pickTypes).join(', ')}) select * from ${table}
     on conflict (uuid) do nothing
     returning uuid, id`,
    bindings,
  );
  return new Map(rows.map(({ uuid, id }) => [uuid, id]));
}

/** By uuid: the ids of the picks that are stored, and why the database refused the others. */
export interface Stored {
  ids: ReadonlyMap<string, number>;
  refusals: ReadonlyMap<string, string>;
}

/** Stores picks, in order. Fails when the database refuses one of them. */
export async function storeTogether(transaction: Transaction, picks: readonly NewPick[]): Promise<Stored> {
  return { ids: await storePicks(transaction, picks), refusals: new Map() };
}

/** Stores those picks, in order, that the database does not refuse. */
export async function storeApart(transaction: Transaction, picks: readonly NewPick[]): Promise<Stored> {
  const ids = new Map<string, number>();
  const refusals = new Map<string, string>();
  for (const pick of picks)
    try {
      const stored = await transaction.transaction((savepoint) => storePicks(savepoint, [pick]));
      for (const [uuid, id] of stored) ids.set(uuid, id);
    } catch (error) {
      if (!isRefused(error)) throw error;
      refusals.set(pick.uuid, sentenceOf(error));
    }
  return { ids, refusals };
}
