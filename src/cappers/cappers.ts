import type { Static } from 'typebox';
import { added, type Intake, type RowOutcome, unchanged, updated } from '../games/row-outcome.ts';
import type { Database } from '../platform/database.ts';
import { orNull, plainText } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { Tier } from '../rules/vocabulary.ts';

export const handle = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{1,31}$',
  must: 'a handle: 2 to 32 letters, digits, hyphens, or underscores',
});

/** A capper, as files and operators describe one. */
export const capperRow = Type.Object({
  handle,
  tier: Type.Union([Type.Literal('elite'), Type.Literal('verified_sharp'), Type.Literal('listed')]),
  verified: Type.Boolean(),
  displayName: orNull(plainText(1, 100)),
});

export type CapperRow = Static<typeof capperRow>;
export const checkCapper = checker(capperRow);

export interface Capper {
  id: number;
  handle: string;
  tier: Tier;
  verified: boolean;
  displayName: string | null;
}

const columns = {
  id: 'id',
  handle: 'handle',
  tier: 'tier',
  verified: 'verified',
  displayName: 'display_name',
};

/** Finds cappers by handle, ignoring case. The keys of the result are in lower case. */
export async function findCappers(
  database: Database,
  handles: Iterable<string>,
): Promise<Map<string, Capper>> {
  const wanted = [...new Set([...handles].map((text) => text.toLowerCase()))];
  const rows: Capper[] = await database('cappers').whereIn('handle', wanted).select(columns);
  return new Map(rows.map((row) => [row.handle, row]));
}

/**
 * Inserts cappers, or updates tier, verification, and display name of existing ones, identified by handle. Posted picks keep their tier.
 * @returns the outcomes, in order
 */
export async function applyCappers(
  database: Database,
  rows: readonly CapperRow[],
  { now }: Intake,
): Promise<RowOutcome[]> {
  const known = await findCappers(
    database,
    rows.map((row) => row.handle),
  );
  const outcomes: RowOutcome[] = [];
  for (const row of rows) {
    const name = row.handle.toLowerCase();
    const before = known.get(name);
    const values = {
      tier: row.tier,
      verified: row.verified,
      displayName: row.displayName ?? before?.displayName ?? null,
    };
    if (before === undefined) {
      const inserted: Capper[] = await database('cappers')
        .insert({ handle: name, ...stored(values), created_at: new Date(now) })
        .onConflict('handle')
        .merge(['tier', 'verified', 'display_name'])
        .returning(Object.entries(columns).map(([as, column]) => `${column} as ${as}`));
      known.set(name, inserted[0]!);
      outcomes.push(added);
    } else if (
      before.tier === values.tier &&
      before.verified === values.verified &&
      before.displayName === values.displayName
    ) {
      outcomes.push(unchanged);
    } else {
      await database('cappers').where('id', before.id).update(stored(values));
      known.set(name, { ...before, ...values });
      outcomes.push(updated);
    }
  }
  return outcomes;
}

function stored({ tier, verified, displayName }: Pick<Capper, 'tier' | 'verified' | 'displayName'>) {
  return { tier, verified, display_name: displayName };
}
