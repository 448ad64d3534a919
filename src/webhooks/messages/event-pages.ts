import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database.ts';
import { type AnnouncedEvent, readEvents, type Wanted } from './events.ts';

/*
 * An optimization. Subscriptions to the same events share one read. In `npm run bench -- fanout`, where all of them do, workers and
 * PostgreSQL spend 0.7 ms of CPU per delivery, and 2.1 ms with one read each. Alternative: `readEvents`.
 */

/** Reads announced events. Only the provisional price check of an event changes; a cached page keeps the one it was read with. */
export interface EventPages {
  read(wanted: Wanted): Promise<readonly AnnouncedEvent[]>;
}

/** Number of cached pages. */
const max = 100;

export function createEventPages(database: Database): EventPages {
  const pages = new LRUCache<string, readonly AnnouncedEvent[], Wanted>({
    max,
    fetchMethod: (_key, _stale, { context }) => readEvents(database, context),
  });
  return {
    read: (wanted) => pages.forceFetch(JSON.stringify(wanted), { context: wanted }),
  };
}
