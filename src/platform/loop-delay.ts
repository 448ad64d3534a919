/** Watches whether this process does what it is asked in time. */
export interface LoopDelay {
  /** Whether the event loop has been late several times in a row. One long turn, such as a garbage collection, is not that. */
  isLate(): boolean;
}

/** How often it is looked at, by how much a look may be late, and how many late ones in a row count. Times in milliseconds. */
const everyMs = 20;
const lateMs = 25;
const inARow = 3;

export function watchLoopDelay(): LoopDelay {
  let late = 0;
  let due = performance.now() + everyMs;
  setInterval(() => {
    const now = performance.now();
    late = now - due > lateMs ? late + 1 : 0;
    due = now + everyMs;
  }, everyMs).unref();
  return { isLate: () => late >= inARow };
}
