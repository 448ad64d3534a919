/** So many may be at work at once; others wait in line. */
export interface Slots {
  /** @returns true at once where a slot is free, or a promise of one: of false when there was none within `limitMs` */
  take(limitMs: number): true | Promise<boolean>;
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
