import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import type { Changes } from './changes.ts';
import { isInTime, type Rendered, sizeOf } from './rendered.ts';

/** Rendered answers in this process, the least recently used dropped beyond a number of bytes. */
export interface Memory {
  /** An answer that is certainly fresh: none of its tags changed, as far as a live channel says, and its time is not over. */
  fresh(key: string): Rendered | undefined;
  /** An answer that may be stale, for when nothing better is to be had. */
  any(key: string): Rendered | undefined;
  /**
   * @param position of {@link Changes}, from before the answer's data was read; undefined where there is none
   * @param freshMs milliseconds for which the answer counts as fresh whatever changes; default 0
   */
  put(rendered: Rendered, position: number | undefined, freshMs?: number): void;
}

interface Entry {
  rendered: Rendered;
  position: number;
  freshUntil: number;
}

/** @param changes without it only answers with `freshMs` are kept */
export function createMemory(clock: Clock, changes: Changes | undefined, maxBytes: number): Memory {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ rendered }) => sizeOf(rendered),
  });
  return {
    fresh(key) {
      const found = entries.get(key);
      if (found === undefined || !isInTime(found.rendered, clock.now())) return undefined;
      const { rendered, position, freshUntil } = found;
      if (changes !== undefined && !changes.changedSince(position, rendered.tags)) return rendered;
      return performance.now() < freshUntil ? rendered : undefined;
    },
    any: (key) => entries.get(key)?.rendered,
    put(rendered, position = -1, freshMs = 0) {
      if (changes === undefined && freshMs === 0) return;
      entries.set(rendered.key, { rendered, position, freshUntil: performance.now() + freshMs });
    },
  };
}
