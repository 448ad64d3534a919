/** So many may be at work at once; others wait in line. */
export interface Slots {
  /** @returns at once, true when there is a free slot, or a promise of one; false when there was none within `limitMs` */
  take(limitMs: number): boolean | Promise<boolean>;
  /** Gives a slot back: to whoever waits longest, if anyone does. */
  free(): void;
}

export function createSlots(most: number): Slots {
  let free = most;
  const waiting = new Set<() => void>();
  return {
    take(limitMs) {
      if (free > 0) {
        free -= 1;
        return true;
      }
      return new Promise((resolve) => {
        const next = () => {
          clearTimeout(timer);
          resolve(true);
        };
        const timer = setTimeout(() => {
          waiting.delete(next);
          resolve(false);
        }, limitMs);
        waiting.add(next);
      });
    },
    free() {
      const [next] = waiting;
      if (next === undefined) {
        free += 1;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}

/** Does `work` in a slot, or returns undefined when there was none within `limitMs`. */
export async function inSlot<T>(
  slots: Slots,
  limitMs: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (!(await slots.take(limitMs))) return undefined;
  try {
    return await work();
  } finally {
    slots.free();
  }
}
