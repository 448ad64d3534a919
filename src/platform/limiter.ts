export class Overloaded extends Error {
  override name = 'Overloaded';
}

/** Limits concurrency. Waiters get slots in the order of their arrival. */
export type Limiter = ReturnType<typeof createLimiter>;

export function createLimiter(size: number) {
  let running = 0;
  const waiters: (() => void)[] = [];

  async function acquire(): Promise<void> {
    if (running >= size) await new Promise<void>((resolve) => waiters.push(resolve));
    else running += 1;
  }

  function release(): void {
    const next = waiters.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    acquire,
    release,
    /** @throws Overloaded if `maxWaiting` others are waiting */
    async run<T>(work: () => Promise<T>, maxWaiting = Number.POSITIVE_INFINITY): Promise<T> {
      if (running >= size && waiters.length >= maxWaiting)
        throw new Overloaded(`${waiters.length} are already waiting for a slot`);
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
