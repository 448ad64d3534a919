import type { Database } from '../../platform/database.ts';
import type { EventName } from './stored-events.ts';

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

/**
 * Puts all events that are set aside back on the list of unsealed ones, in the order of storing. One that still cannot be sealed is set
 * aside again.
 * @param owner under the role that owns the tables
 * @returns how many there were
 */
export function putBack(owner: Database): Promise<number> {
  return owner.transaction(async (transaction) => {
    const { rowCount }: { rowCount: number } = await transaction.raw(
      `with back as (delete from events_set_aside returning id, kind, subject_id)
       insert into unsealed_events (kind, subject_id) select kind, subject_id from back order by id`,
    );
    return rowCount;
  });
}
