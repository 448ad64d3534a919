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

const unknownCapper = 'no capper is named ';

/** Returns a clause which says that no capper has this handle. */
export function noCapper(handle: string): string {
  return `${unknownCapper}${handle}`;
}

/** Returns the handle in a clause of {@link noCapper}; undefined for any other text. */
export function unknownHandle(reason: string): string | undefined {
  return reason.startsWith(unknownCapper) ? reason.slice(unknownCapper.length) : undefined;
}

/** Finds cappers by handle, ignoring case. The keys of the result are in lower case. */
export async function findCappers(
  database: Database,
  handles: Iterable<string>,
): Promise<Map<string, Capper>> {
  const wanted = [...new Set([...handles].map((text) => text.toLowerCase()))];
  const rows: Capper[] = await database('cappers').whereIn('handle', wanted).select(columns);
  return new Map(rows.map((row) => [row.handle, row]));
}

/** Lists cappers by handle. @param limit maximum number */
export function listCappers(database: Database, limit: number): Promise<Capper[]> {
  return database('cappers').orderBy('handle').limit(limit).select(columns);
}

/** Maximum number of cappers that {@link cappersNamed} finds. */
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
    .select(columns);
  if (whole.length > 0) return { exact: true, cappers: whole };
  const pattern = `%${name.replace(/[\\%_]/g, '\\$&')}%`;
  const cappers: Capper[] = await database('cappers')
    .whereRaw('handle like ? or lower(display_name) like ?', [pattern, pattern])
    .orderBy('handle')
    .limit(maxNamed)
    .select(columns);
  return { exact: false, cappers };
}

/** Outcomes of rows, in order, and a sentence for each change of a tier or verification. */
interface AppliedCappers {
  outcomes: RowOutcome[];
  changes: string[];
}

/**
 * Inserts cappers, or updates tier, verification, and display name of existing ones, identified by handle. Posted picks keep their tier.
 * Callers record the changes as notices (docs/rules/cappers.md).
 */
export async function applyCappers(
  database: Database,
  rows: readonly CapperRow[],
  { now }: Intake,
): Promise<AppliedCappers> {
  const known = await findCappers(
    database,
    rows.map((row) => row.handle),
  );
  const outcomes: RowOutcome[] = [];
  const changes: string[] = [];
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
      changes.push(...changesOf(name, before, values));
    }
  }
  return { outcomes, changes };
}

type Standing = Pick<Capper, 'tier' | 'verified'>;

function changesOf(handle: string, before: Standing, after: Standing): string[] {
  const changes: string[] = [];
  if (before.tier !== after.tier)
    changes.push(`The tier of ${handle} was changed from ${before.tier} to ${after.tier}.`);
  if (before.verified !== after.verified)
    changes.push(after.verified ? `${handle} was verified.` : `The verification of ${handle} was withdrawn.`);
  return changes;
}

function stored({ tier, verified, displayName }: Pick<Capper, 'tier' | 'verified' | 'displayName'>) {
  return { tier, verified, display_name: displayName };
}
