/** Too much of this work is waiting already. */
export class Busy extends Error {
  override name = 'Busy';
}

/**
 * Lets so many pieces of work run at the same time, and so many more wait for their turn, first come first served.
 * @returns a function that does a piece of work in its turn; it throws Busy where too many wait
 */
export function turns(atOnce: number, mostWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw new Busy('too many are waiting');
      // Whoever finishes hands its place on, so that nobody slips in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
