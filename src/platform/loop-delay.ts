/** Reports whether the event loop is late. It measures only for a second after each call. */
export type LoopDelay = ReturnType<typeof watchLoopDelay>;

/** Interval between measurements, and the delay that counts as late, in ms. */
const everyMs = 20;
const lateMs = 1000;

/** How long the loop counts as late after a late measurement, and how long it is measured after the last call, in ms. */
const lastsMs = 1000;
const watchedMs = 1000;

export function watchLoopDelay() {
  let inARow = 0;
  let lateAt = Number.NEGATIVE_INFINITY;
  let due = 0;
  let askedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function ask(now: number): void {
    askedAt = now;
    if (timer !== undefined) return;
    due = now + everyMs;
    timer = setInterval(measure, everyMs).unref();
  }

  function measure(): void {
    const now = performance.now();
    if (now - due > lateMs) {
      inARow = due - lateAt < lastsMs ? inARow + 1 : 1;
      lateAt = now;
    }
    due = now + everyMs;
    if (Math.min(now - askedAt, now - lateAt) < watchedMs) return;
    clearInterval(timer);
    timer = undefined;
  }

  ask(performance.now());
  return {
    /** A second late twice in short succession. A single long turn, such as a suspended machine, does not count. */
    isLate(): boolean {
      const now = performance.now();
      ask(now);
      return inARow >= 2 && now - lateAt < lastsMs;
    },
  };
}
