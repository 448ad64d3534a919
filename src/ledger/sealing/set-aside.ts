import type { Database, Transaction } from '../../platform/database.ts';
import type { EventName, StoredEvent } from './stored-events.ts';

export interface UnsealedEvent extends EventName {
  /** Ascending in the order of storing. */
  id: number;
}

export interface EventSetAside extends UnsealedEvent {
  reason: string;
}

export function eventsSetAside(database: Database): Promise<(EventSetAside & { setAsideAt: number })[]> {
  return database('events_set_aside').orderBy('id').select({
    id: 'id',
    kind: 'kind',
    subjectId: 'subject_id',
    reason: 'reason',
    setAsideAt: 'set_aside_at',
  });
}

/** A row outside the ledger that the service did not store. The service ignored or rebuilt it. */
export interface RowSetAside {
  table: string;
  row: string;
  reason: string;
}

/** Records ignored rows with the reason, for the status page. Repeating a row changes nothing. */
export async function recordRowsSetAside(database: Database, rows: readonly RowSetAside[]): Promise<void> {
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

export function rowsSetAside(database: Database): Promise<(RowSetAside & { setAsideAt: number })[]> {
  return database('rows_set_aside')
    .orderBy(['set_aside_at', 'table_name', 'row'])
    .select({ table: 'table_name', row: 'row', reason: 'reason', setAsideAt: 'set_aside_at' });
}

/**
 * Returns all events that are set aside to `unsealed_events`, in the order of storing. Events that still cannot be sealed are set aside
 * again. Deletes the list of ignored rows.
 * @param owner a pool whose role owns the tables
 * @returns the number of events
 */
export function requeueSetAside(owner: Database): Promise<number> {
  return owner.transaction(async (transaction) => {
    const { rowCount }: { rowCount: number } = await transaction.raw(
      `with forgotten as (delete from rows_set_aside), back as (delete from events_set_aside returning id, kind, subject_id)
       insert into unsealed_events (kind, subject_id) select kind, subject_id from back order by id`,
    );
    return rowCount;
  });
}

const maxReasonLength = 1000;

export async function setAside(transaction: Transaction, events: readonly EventSetAside[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ id, kind, subjectId, reason }) => ({
    id,
    kind,
    subject_id: subjectId,
    reason: plain(reason),
  }));
  // A foreign row with the same id must not keep the event in the queue.
  await transaction('events_set_aside').insert(rows).onConflict('id').ignore();
  await removeUnsealed(transaction, events);
}

export async function removeUnsealed(
  transaction: Transaction,
  events: readonly UnsealedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await transaction('unsealed_events')
    .whereRaw('id = any(?::bigint[])', [events.map(({ id }) => id)])
    .delete();
}

/** Returns the picks, among those of the given events, that have an event set aside. Their later events must wait for it. */
export async function picksSetAside(
  database: Database,
  events: readonly (StoredEvent | undefined)[],
): Promise<Set<number>> {
  const picks = events.flatMap((event) => (event !== undefined && 'pickId' in event ? [event.pickId] : []));
  if (picks.length === 0) return new Set();
  const ids: number[] = await database('events_set_aside')
    .whereRaw('subject_id = any(?::bigint[])', [picks])
    .whereIn('kind', ['posted', 'closed', 'settled'])
    .pluck('subject_id');
  return new Set(ids);
}

function plain(reason: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced.
  const text = reason.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, maxReasonLength);
  return text.trim() === '' ? 'unknown' : text;
}
