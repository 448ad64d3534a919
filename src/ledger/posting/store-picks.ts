import { columnsOf } from '../../platform/columns.ts';
import { type Database, isRefused, sentenceOf, type Transaction } from '../../platform/database.ts';
import type { NewPick } from '../pick.ts';
import { insertedColumns, insertedRow } from '../pick-forms.ts';

/**
 * Stores picks, in order, and skips those whose uuid is known.
 * @returns the ids of the new ones, by uuid
 */
export async function storePicks(
  database: Database,
  picks: readonly NewPick[],
): Promise<Map<string, number>> {
  if (picks.length === 0) return new Map();
  const { table, bindings } = columnsOf(insertedColumns, picks.map(insertedRow));
  const { rows }: { rows: { uuid: string; id: number }[] } = await database.raw(
    `insert into picks (${Object.keys(insertedColumns).join(', ')}) select * from ${table}
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
