import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import type { Changes } from './changes.ts';
import { isInTime, type Rendered, sizeOf } from './rendered.ts';

/**
 * Rendered answers in this process, the least recently used dropped beyond a number of bytes. An eighth of the bytes is for answers that
 * were asked for once: readers may choose any number of parameters, and those do not displace what others ask for.
 */
export interface Memory {
  /** An answer that is certainly fresh: none of its tags changed, as far as a live channel says, and its time is not over. */
  fresh(key: string): Rendered | undefined;
  /** An answer that may be stale, for when nothing better is to be had. */
  any(key: string): Rendered | undefined;
  /** Whether an answer is kept, fresh or not. It does not count as asking for it. */
  has(key: string): boolean;
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
  const once = entriesOf(maxBytes / 8);
  const again = entriesOf((maxBytes / 8) * 7);

  function get(key: string): Entry | undefined {
    const known = again.get(key);
    if (known !== undefined) return known;
    const found = once.get(key);
    if (found === undefined) return undefined;
    once.delete(key);
    again.set(key, found);
    return found;
  }

  return {
    fresh(key) {
      const found = get(key);
      if (found === undefined || !isInTime(found.rendered, clock.now())) return undefined;
      const { rendered, position, freshUntil } = found;
      if (changes !== undefined && !changes.changedSince(position, rendered.tags)) return rendered;
      return performance.now() < freshUntil ? rendered : undefined;
    },
    any: (key) => get(key)?.rendered,
    has: (key) => again.has(key) || once.has(key),
    put(rendered, position = -1, freshMs = 0) {
      if (changes === undefined && freshMs === 0) return;
      const entry = { rendered, position, freshUntil: performance.now() + freshMs };
      (again.has(rendered.key) ? again : once).set(rendered.key, entry);
    },
  };
}

function entriesOf(maxSize: number): LRUCache<string, Entry> {
  return new LRUCache({ maxSize, sizeCalculation: ({ rendered }) => sizeOf(rendered) });
}
