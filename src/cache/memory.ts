import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import type { Changes } from './changes.ts';
import { isInTime, type Rendered, sizeOf } from './rendered.ts';

/** Rendered answers in this process, bounded by their bytes. */
export interface Memory {
  /** One that certainly holds: nothing that it rests on has changed, as far as a live channel tells, and its time is not over. */
  fresh(key: string): Rendered | undefined;
  /** One that may not hold any more, for when nothing better is to be had. */
  any(key: string): Rendered | undefined;
  /**
   * @param mark taken before what the answer rests on was read; undefined where that could not be followed
   * @param holdMs for so long it counts as fresh whatever is heard
   */
  put(rendered: Rendered, mark: number | undefined, holdMs?: number): void;
}

interface Kept {
  rendered: Rendered;
  mark: number;
  heldUntil: number;
}

/** @param changes without it only what is to be held for a time is kept */
export function createMemory(clock: Clock, changes: Changes | undefined, maxBytes: number): Memory {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ rendered }) => sizeOf(rendered),
  });
  return {
    fresh(key) {
      const found = kept.get(key);
      if (found === undefined || !isInTime(found.rendered, clock.now())) return undefined;
      const { rendered, mark, heldUntil } = found;
      if (changes !== undefined && !changes.since(mark, rendered.tags)) return rendered;
      return performance.now() < heldUntil ? rendered : undefined;
    },
    any: (key) => kept.get(key)?.rendered,
    put(rendered, mark = -1, holdMs = 0) {
      if (changes === undefined && holdMs === 0) return;
      kept.set(rendered.key, { rendered, mark, heldUntil: performance.now() + holdMs });
    },
  };
}
