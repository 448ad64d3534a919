import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database.ts';
import { type AnnouncedEvent, readEvents, type Wanted } from './events.ts';

/*
 * An optimization: subscriptions that want the same events share one read. In `npm run bench -- fanout`, where all of them do, the workers and
 * PostgreSQL spend 0.7 ms of CPU on a delivery; with a read for each it is 2.1 ms. The plain alternative is `readEvents`.
 */

/** Reads announced events. All that changes of them is the provisional check of a price: a page keeps the one that it was read with. */
export interface EventPages {
  read(wanted: Wanted): Promise<readonly AnnouncedEvent[]>;
}

/** Number of pages that are kept. */
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
