import { isRefused, sentenceOf, type Transaction } from '../../platform/database.ts';
import { insertRows } from '../field.ts';
import type { NewPick } from '../pick.ts';
import { pickInsert } from '../pick-forms.ts';

/** The outcome of storing a pick. `retry`: the database refused it, perhaps because its game or capper changed after they were read. */
export type Storing = { state: 'stored'; id: number; isNew: boolean } | { state: 'retry'; reason: string };

/** Stores picks. A pick with a known UUID stays unchanged. @returns the outcomes, in order */
export type StorePicks = (transaction: Transaction, picks: readonly NewPick[]) => Promise<Storing[]>;

/** Stores picks with one statement, which fails if the database refuses any of them. */
export async function storeTogether(transaction: Transaction, picks: readonly NewPick[]): Promise<Storing[]> {
  const rows = await insertRows<{ uuid: string; id: number }>(
    transaction,
    'picks',
    pickInsert,
    picks,
    'on conflict (uuid) do nothing returning uuid, id',
  );
  const ids = new Map(rows.map(({ uuid, id }) => [uuid, id]));
  const fresh = new Set(ids.keys());
  const known = picks.filter(({ uuid }) => !ids.has(uuid)).map(({ uuid }) => uuid);
  for (const [uuid, id] of await knownIds(transaction, known)) ids.set(uuid, id);
  // If a UUID occurs twice, the first occurrence is the new one.
  return picks.map(({ uuid }) => ({ state: 'stored', id: ids.get(uuid)!, isNew: fresh.delete(uuid) }));
}

async function knownIds(transaction: Transaction, uuids: readonly string[]): Promise<[string, number][]> {
  if (uuids.length === 0) return [];
  const rows: { uuid: string; id: number }[] = await transaction('picks')
    .whereRaw('uuid = any(?::uuid[])', [[...uuids]])
    .select('uuid', 'id');
  return rows.map(({ uuid, id }) => [uuid, id]);
}

/** Stores picks one by one and skips those that the database refuses. */
export async function storeApart(transaction: Transaction, picks: readonly NewPick[]): Promise<Storing[]> {
  const stored: Storing[] = [];
  for (const pick of picks)
    try {
      stored.push(...(await transaction.transaction((savepoint) => storeTogether(savepoint, [pick]))));
    } catch (error) {
      if (!isRefused(error)) throw error;
      stored.push({ state: 'retry', reason: sentenceOf(error) });
    }
  return stored;
}
