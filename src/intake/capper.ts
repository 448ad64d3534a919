import { type Capper, capperColumns, findCappers, handle } from '../cappers/cappers.ts';
import { added, type Intake, type RowOutcome, unchanged, updated } from '../games/row-outcome.ts';
import { followLogJob, seal } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import type { Database } from '../platform/database.ts';
import { orNull, plainText } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { tiers } from '../rules/vocabulary.ts';
import { booleanCell, handleCell, slugCell } from './cells.ts';
import { type Fields, type RowKind, type RowOf, schemaOf } from './kind.ts';

const fields = {
  handle: {
    schema: handle,
    about: 'Permanent name of the capper. Case is ignored.',
    hint: 'For a new capper: 2 to 32 letters, digits, hyphens, or underscores. It cannot be changed later.',
    cell: handleCell,
  },
  tier: {
    schema: Type.Enum(tiers),
    about: "Operator's opinion of the capper. It is part of the hash of later picks.",
    hint: 'Your opinion of the capper. Posted picks keep their tier.',
    cell: slugCell,
  },
  verified: {
    schema: Type.Boolean(),
    about: 'Only a verified capper can have picks.',
    hint: 'Only verified cappers can post.',
    cell: booleanCell,
  },
  displayName: {
    schema: orNull(plainText(1, 100)),
    about: 'Name that pages show. Default: the handle.',
  },
} satisfies Fields;

const schema = schemaOf(fields);

export type CapperRow = RowOf<typeof fields>;
export const checkCapper = checker(schema);

export const capper: RowKind<CapperRow> = {
  title: 'CapperRow',
  about:
    'Adds cappers, or changes their tier, verification, and display name. A change of tier or verification becomes a notice.',
  identity: 'handle; other values update it',
  example: { handle: 'zoe', tier: 'listed', verified: true, displayName: 'Zoe' },
  fields,
  schema,
  check: checkCapper,
  async apply(transaction, rows, intake) {
    const { outcomes, changes } = await applyCappers(transaction, rows, intake);
    await recordNotices(transaction, 'remark', changes, intake.now);
    return outcomes;
  },
  wakes: [seal as Job, followLogJob as Job],
};

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
        .returning(Object.entries(capperColumns).map(([as, column]) => `${column} as ${as}`));
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
