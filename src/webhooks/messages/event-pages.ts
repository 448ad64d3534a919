import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database.ts';
import { type AnnouncedEvent, readEvents, type Wanted } from './events.ts';

/** Announced events, read once for all subscriptions that want the same ones at about the same time: they never change. */
export interface EventPages {
  read(wanted: Wanted): Promise<readonly AnnouncedEvent[]>;
}

/** Pages that are kept, each of at most 50 events. */
const kept = 100;

export function createEventPages(database: Database): EventPages {
  const pages = new LRUCache<string, Promise<readonly AnnouncedEvent[]>>({ max: kept });
  return {
    read(wanted) {
      const { capperId, sport, fromSeq, toSeq, limit } = wanted;
      const key = [capperId, sport, fromSeq, toSeq, limit].join('/');
      const known = pages.get(key);
      if (known !== undefined) return known;
      const page = readEvents(database, wanted);
      pages.set(key, page);
      page.catch(() => pages.delete(key));
      return page;
    },
  };
}
