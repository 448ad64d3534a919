import type { Database } from '../../platform/database.ts';
import { Difference } from '../difference.ts';
import { closedFields, copiedFields, settledFields } from '../events.ts';
import { columnName, type Field } from '../field.ts';
import { pickFields } from '../pick.ts';
import { copiedColumns } from '../pick-forms.ts';
import type { LogEntry } from '../sealing/log-entry.ts';
import { type StoredEvent, subjects } from '../sealing/stored-events.ts';

const copiesOf = (event: keyof typeof copiedFields) =>
  Object.fromEntries(copiedFields[event].map(({ field, column }) => [columnName(field), column]));

/** Columns that boards copy. No proof depends on the copies. The hash shows that a column changed, and the copies help to name it. */
const copies = {
  posted: {
    table: 'picks',
    key: 'id',
    columns: Object.fromEntries(
      copiedColumns
        .filter((column) => column !== 'starts_at' && column !== 'book')
        .map((column) => [column, column]),
    ),
  },
  closed: { table: 'closings', key: 'pick_id', columns: copiesOf('closed') },
  settled: { table: 'settlements', key: 'pick_id', columns: copiesOf('settled') },
} as const;

const fieldsOf = { posted: pickFields, closed: closedFields, settled: settledFields };

/**
 * Names the change in the row behind an entry. The row's body does not match the entry's hash.
 * @param fault why the body cannot be hashed
 */
export async function bodyDifference(
  database: Database,
  entry: LogEntry,
  event: StoredEvent,
  fault: string | undefined,
): Promise<Difference> {
  const sentence = `it does not have the hash ${entry.hash} that was sealed as entry ${entry.seq}`;
  if (!('pickId' in event))
    return new Difference(subjects[event.kind].table, `id ${event.subjectId}`, null, sentence);
  const { table, key, columns } = copies[event.kind];
  const row = `${key} ${event.pickId}`;
  // A fault begins with the path of the field: `pick/v1.odds_american`.
  const path = /^[a-z]+\/v1\.([a-z_0-9.]+)/.exec(fault ?? '')?.[1];
  if (path !== undefined) {
    // If only some parts of an object are null, any of them could have been changed.
    const field = Object.values<Field>(fieldsOf[event.kind]).find(({ hashed }) => hashed === path);
    const named = path.includes('.') || field === undefined ? null : columnName(field);
    return new Difference(table, row, named, fault!);
  }
  if (event.kind === 'posted' && entry.capper !== event.capper)
    return new Difference(table, row, 'capper_id', `${sentence}; it was posted by ${entry.capper}`);
  const pairs = Object.entries(columns);
  const { rows }: { rows: Record<string, boolean>[] } = await database.raw(
    `select ${pairs.map(([ours, theirs]) => `t.${ours} is distinct from b.${theirs} as ${ours}`).join(', ')}
     from ${table} t join board_picks b on b.pick_id = t.${key} where t.${key} = ?`,
    [event.pickId],
  );
  const column = pairs.map(([ours]) => ours).find((ours) => rows[0]?.[ours] === true) ?? null;
  return new Difference(table, row, column, sentence);
}
