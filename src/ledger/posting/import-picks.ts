import { v5 } from 'uuid';
import { added, type Intake, leftOut, type RowOutcome, refused, unchanged } from '../../games/row-outcome.ts';
import { instant } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { givenText } from '../pick-forms.ts';
import type { ImportedPickRow } from './pick-row.ts';
import { postAll } from './post-picks.ts';

/** The namespace of imported picks' uuids (RFC 9562, section 5.5). Changing it would import every pick a second time. */
export const importNamespace = 'b2f6d6a4-3c0e-4d43-9d0c-5f2f5a3d7c11';

/** The uuid of an imported pick, derived from all of its fields: the same row again is the same pick. */
export function importedUuid(row: ImportedPickRow): string {
  // Of a text, the library makes bytes one character at a time.
  return v5(Buffer.from(givenText(row)), importNamespace);
}

/** Imports picks of the past. The same row again changes nothing; one posted after the service's clock is left out. */
export async function importPicks(
  database: Database,
  rows: readonly ImportedPickRow[],
  { now }: Intake,
): Promise<RowOutcome[]> {
  const posts = rows.map((row) => ({ row, uuid: importedUuid(row), postedAt: instant(row.postedAt) }));
  const isPast = ({ postedAt }: { postedAt: number }) => postedAt <= now;
  const ended = await postAll(database, posts.filter(isPast), 'imported', now, async (_, all) => all);
  const outcomes = ended.values();
  return posts.map((post): RowOutcome => {
    if (!isPast(post)) return leftOut(`posted after ${new Date(now).toISOString()}`);
    const one = outcomes.next().value!;
    if (one.state === 'refused') return refused(one.reason);
    return one.isNew ? added : unchanged;
  });
}
