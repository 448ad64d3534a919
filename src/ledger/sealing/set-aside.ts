import type { Database, Transaction } from '../../platform/database.ts';
import type { EventName, StoredEvent } from './stored-events.ts';

/** An event that waits to be sealed. */
export interface UnsealedEvent extends EventName {
  /** Its place in the order of storing. */
  id: number;
}

/** An event that was set aside, and why. */
export interface EventSetAside extends UnsealedEvent {
  /** For the operator. */
  reason: string;
}

/** A listed one, with the instant in epoch milliseconds. */
export type ListedEvent = EventSetAside & { setAsideAt: number };

/** The events that are set aside, in the order of storing. */
export function eventsSetAside(database: Database): Promise<ListedEvent[]> {
  return database('events_set_aside').orderBy('id').select({
    id: 'id',
    kind: 'kind',
    subjectId: 'subject_id',
    reason: 'reason',
    setAsideAt: 'set_aside_at',
  });
}

/** A row outside the ledger that nobody honest stored: it was left out, or made again. */
export interface RowSetAside {
  table: string;
  /** Names the row. */
  row: string;
  reason: string;
}

/** Keeps rows with the reason, for the status to name. The same one again changes nothing. */
export async function noteRows(database: Database, rows: readonly RowSetAside[]): Promise<void> {
  if (rows.length === 0) return;
  await database('rows_set_aside')
    .insert(
      rows.map(({ table, row, reason }) => ({
        table_name: table,
        row: plain(row).slice(0, 200),
        reason: plain(reason),
      })),
    )
    .onConflict()
    .ignore();
}

/** The rows that are set aside, with the instants in epoch milliseconds. */
export function rowsSetAside(database: Database): Promise<(RowSetAside & { setAsideAt: number })[]> {
  return database('rows_set_aside')
    .orderBy(['set_aside_at', 'table_name', 'row'])
    .select({ table: 'table_name', row: 'row', reason: 'reason', setAsideAt: 'set_aside_at' });
}

/**
 * Puts all events that are set aside back on the list of unsealed ones, in the order of storing. One that still cannot be sealed is set
 * aside again. Forgets the rows that are set aside.
 * @param owner under the role that owns the tables
 * @returns how many there were
 */
export function putBack(owner: Database): Promise<number> {
  return owner.transaction(async (transaction) => {
    const { rowCount }: { rowCount: number } = await transaction.raw(
      `with forgotten as (delete from rows_set_aside), back as (delete from events_set_aside returning id, kind, subject_id)
       insert into unsealed_events (kind, subject_id) select kind, subject_id from back order by id`,
    );
    return rowCount;
  });
}

const maxReasonLength = 1000;

/** Takes events that cannot be sealed off the list of unsealed ones and keeps them with the reason. */
export async function setAside(transaction: Transaction, events: readonly EventSetAside[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ id, kind, subjectId, reason }) => ({
    id,
    kind,
    subject_id: subjectId,
    reason: plain(reason),
  }));
  // A row of that id that somebody else has stored must not keep the event on the list.
  await transaction('events_set_aside').insert(rows).onConflict('id').ignore();
  await removeUnsealed(transaction, events);
}

/** Takes events off the list of unsealed ones: sealed or set aside. */
export async function removeUnsealed(
  transaction: Transaction,
  events: readonly UnsealedEvent[],
): Promise<void> {
  await transaction('unsealed_events')
    .whereRaw('id = any(?::bigint[])', [events.map(({ id }) => id)])
    .delete();
}

/** The picks of events that have an event set aside: their later events have to wait for it. */
export async function picksSetAside(
  database: Database,
  events: readonly (StoredEvent | undefined)[],
): Promise<Set<number>> {
  const picks = events.flatMap((event) => (event !== undefined && 'pickId' in event ? [event.pickId] : []));
  const ids: number[] = await database('events_set_aside')
    .whereRaw('subject_id = any(?::bigint[])', [picks])
    .whereIn('kind', ['posted', 'closed', 'settled'])
    .pluck('subject_id');
  return new Set(ids);
}

/** Without control characters, and no longer than the column. */
function plain(reason: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
  const text = reason.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, maxReasonLength);
  return text.trim() === '' ? 'unknown' : text;
}
