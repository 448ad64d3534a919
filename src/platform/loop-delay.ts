/** Watches whether this process does what it is asked in time, while somebody wants to know. */
export interface LoopDelay {
  /** Whether the event loop has been late several times in a row. One long turn, such as a garbage collection, is not that. */
  isLate(): boolean;
}

/** How often it is looked at, by how much a look may be late, and how many late ones in a row count. Times in milliseconds. */
const everyMs = 20;
const lateMs = 25;
const inARow = 3;

/** How long after the last question it is looked at: each look wakes a process that has nothing to do. */
const watchedMs = 1000;

export function watchLoopDelay(): LoopDelay {
  let late = 0;
  let due = 0;
  let askedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function ask(now: number): void {
    askedAt = now;
    if (timer !== undefined) return;
    late = 0;
    due = now + everyMs;
    timer = setInterval(look, everyMs).unref();
  }

  function look(): void {
    const now = performance.now();
    late = now - due > lateMs ? late + 1 : 0;
    due = now + everyMs;
    if (now - askedAt < watchedMs) return;
    clearInterval(timer);
    timer = undefined;
  }

  ask(performance.now());
  return {
    isLate() {
      ask(performance.now());
      return late >= inARow;
    },
  };
}
