import type { Database } from '../platform/database.ts';
import type { Sport } from './board.ts';

/** Milliseconds that the sports are kept before they are read again. */
const keptFor = 60_000;

/** The valid sports. */
export interface Catalog {
  /**
   * By key, in their order; at most a minute old, or older while the table cannot be read.
   * @throws whatever reading throws, as long as it has never succeeded
   */
  sports(): Promise<ReadonlyMap<string, Sport>>;
}

/**
 * Keeps the table of sports in memory.
 * @param read runs a read of the database; the place to fail fast while that is away
 */
export function createCatalog(
  database: Database,
  read: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): Catalog {
  let kept: ReadonlyMap<string, Sport> | undefined;
  let readAt = 0;
  let reading: Promise<ReadonlyMap<string, Sport>> | undefined;

  async function refresh(): Promise<ReadonlyMap<string, Sport>> {
    try {
      const rows = await read(() => sportsIn(database));
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
      if (kept !== undefined && performance.now() - readAt < keptFor) return Promise.resolve(kept);
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
