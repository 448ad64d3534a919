import { type Clock, instant } from '../../src/platform/clock.ts';

/** Returns a clock that stands still until it is set. */
export function fixedClock(at: number | string): Clock & { set(at: number | string): void } {
  let now = typeof at === 'number' ? at : instant(at);
  return {
    now: () => now,
    set(next) {
      now = typeof next === 'number' ? next : instant(next);
    },
  };
}
