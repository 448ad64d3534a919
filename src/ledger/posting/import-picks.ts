import { v5 } from 'uuid';
import { added, type Intake, leftOut, type RowOutcome, refused, unchanged } from '../../games/row-outcome.ts';
import { instant } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { givenText } from '../pick-forms.ts';
import type { ImportedPickRow } from './pick-row.ts';
import { postAll } from './post-picks.ts';

/** Namespace of imported picks' UUIDs (RFC 9562, section 5.5). A change would import every pick a second time. */
export const importNamespace = 'b2f6d6a4-3c0e-4d43-9d0c-5f2f5a3d7c11';

/** Returns the UUID of an imported pick. It is derived from all fields, so importing the same row again finds the same pick. */
export function importedUuid(row: ImportedPickRow): string {
  // `v5` converts a string to bytes one character at a time, which is slow; a buffer avoids that.
  return v5(Buffer.from(givenText(row)), importNamespace);
}

/** Imports past picks. A row that was imported before changes nothing; a row posted after `now` is left out. */
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
