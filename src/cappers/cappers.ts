import type { Database } from '../platform/database.ts';
import { Type } from '../platform/type.ts';
import type { Tier } from '../rules/vocabulary.ts';

export const handle = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{1,31}$',
  must: 'a handle: 2 to 32 letters, digits, hyphens, or underscores',
});

export interface Capper {
  id: number;
  handle: string;
  tier: Tier;
  verified: boolean;
  displayName: string | null;
}

export const capperColumns = {
  id: 'id',
  handle: 'handle',
  tier: 'tier',
  verified: 'verified',
  displayName: 'display_name',
};

export function noCapper(handle: string): string {
  return `no capper is named ${handle}`;
}

/** Ignores case. The keys of the result are in lower case. */
export async function findCappers(
  database: Database,
  handles: Iterable<string>,
): Promise<Map<string, Capper>> {
  const wanted = [...new Set([...handles].map((text) => text.toLowerCase()))];
  const rows: Capper[] = await database('cappers').whereIn('handle', wanted).select(capperColumns);
  return new Map(rows.map((row) => [row.handle, row]));
}

export function listCappers(database: Database, limit: number): Promise<Capper[]> {
  return database('cappers').orderBy('handle').limit(limit).select(capperColumns);
}

const maxNamed = 20;

/**
 * Finds the cappers that a text names, ignoring case: those with this handle or display name, or else those in whose names it occurs.
 * @returns `exact`: the text is the whole of a name
 */
export async function cappersNamed(
  database: Database,
  text: string,
): Promise<{ exact: boolean; cappers: Capper[] }> {
  const name = text.toLowerCase().replace(/^@/, '');
  const whole: Capper[] = await database('cappers')
    .whereRaw('handle = ? or lower(display_name) = ?', [name, name])
    .orderBy('handle')
    .limit(maxNamed)
    .select(capperColumns);
  if (whole.length > 0) return { exact: true, cappers: whole };
  const pattern = `%${name.replace(/[\\%_]/g, '\\$&')}%`;
  const cappers: Capper[] = await database('cappers')
    .whereRaw('handle like ? or lower(display_name) like ?', [pattern, pattern])
    .orderBy('handle')
    .limit(maxNamed)
    .select(capperColumns);
  return { exact: false, cappers };
}
