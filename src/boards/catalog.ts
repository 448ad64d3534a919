import type { Database } from '../platform/database.ts';

export interface Sport {
  key: string;
  label: string;
  moneylineWays: 2 | 3;
  eventMinutes: number;
}

/** Milliseconds after which the sports are read again. */
const maxAgeMs = 60_000;

/** The valid sports. */
export interface Catalog {
  /**
   * By key, in their order; at most a minute old, older while the table cannot be read.
   * @throws what reading throws, until it has succeeded once
   */
  sports(): Promise<ReadonlyMap<string, Sport>>;
}

/**
 * Keeps the table of sports in memory.
 * @param run runs a read of the database, and may fail fast while that is unavailable
 */
export function createCatalog(database: Database, run: <T>(work: () => Promise<T>) => Promise<T>): Catalog {
  let kept: ReadonlyMap<string, Sport> | undefined;
  let readAt = 0;
  let reading: Promise<ReadonlyMap<string, Sport>> | undefined;

  async function refresh(): Promise<ReadonlyMap<string, Sport>> {
    try {
      const rows = await run(() => sportsIn(database));
      kept = new Map(rows.map((sport) => [sport.key, sport]));
      readAt = performance.now();
      return kept;
    } catch (error) {
      if (kept === undefined) throw error;
      return kept;
    } finally {
      reading = undefined;
    }
  }

  return {
    sports() {
      if (kept !== undefined && performance.now() - readAt < maxAgeMs) return Promise.resolve(kept);
      reading ??= refresh();
      return reading;
    },
  };
}

async function sportsIn(database: Database): Promise<Sport[]> {
  return database<Sport>('sports')
    .select({ key: 'key', label: 'label', moneylineWays: 'moneyline_ways', eventMinutes: 'event_minutes' })
    .orderBy('position')
    .orderBy('key');
}
