import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';

/** With the rows of `capper_keys` that added and revoked it. */
export interface CapperKey {
  id: number;
  capperId: number;
  keyId: string;
  key: string;
  purpose: 'device' | 'recovery';
  first: boolean;
  endorsedBy: string | null;
  addedAt: EpochMs;
  revokedId: number | null;
  revokedAt: number | null;
  revokedBy: 'capper' | 'operator' | null;
}

export async function capperKeys(
  database: Database,
  keyIds: readonly (string | null)[],
): Promise<Map<string, CapperKey>> {
  const wanted = [...new Set(keyIds)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows: CapperKey[] = await database('capper_keys as a')
    .leftJoin('capper_keys as r', (join) =>
      join.on('r.key_id', 'a.key_id').andOn('r.action', database.raw('?', ['revoke'])),
    )
    .where('a.action', 'add')
    .whereRaw('a.key_id = any(?::text[])', [wanted])
    .select({
      ...inCamelCase('a.id a.capper_id a.key_id a.key a.purpose a.first a.endorsed_by'),
      addedAt: 'a.stored_at',
      revokedId: 'r.id',
      revokedAt: 'r.stored_at',
      revokedBy: 'r.made_by',
    });
  return new Map(rows.map((row) => [row.keyId, row]));
}

/** In the order in which they were added. */
export async function keysOfCapper(database: Database, capperId: number): Promise<CapperKey[]> {
  const ids: string[] = await database('capper_keys')
    .where({ capper_id: capperId, action: 'add' })
    .orderBy('id')
    .pluck('key_id');
  const keys = await capperKeys(database, ids);
  return ids.map((id) => keys.get(id)!);
}
