/**
 * Waits for work at most `ms` milliseconds. Work that takes longer goes on: its result and its error are dropped.
 * @param onTimeout gives the result in its place; default: it throws an Error
 */
export async function withTimeout<T, L = never>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => L = noAnswer,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<L>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error);
      }
    }, ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds of a step in which {@link withActiveTimeout} measures. */
const stepMs = 50;

/**
 * As {@link withTimeout}, but counts only time in which this process's event loop turned: while it stands still no answer can be read,
 * however long it has been there.
 */
export async function withActiveTimeout<T, L = never>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => L = noAnswer,
): Promise<T | L> {
  const step = Math.min(stepMs, ms);
  let left = ms;
  let last = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setInterval(() => {
      const now = performance.now();
      left -= Math.min(now - last, 2 * step);
      last = now;
      // Timers run before sockets are read: what has arrived comes first.
      if (left <= 0) setImmediate(resolve);
    }, step);
  });
  try {
    return await Promise.race([work, timeout.then(onTimeout)]);
  } finally {
    clearInterval(timer);
  }
}

function noAnswer(): never {
  throw new Error('no answer in time');
}
