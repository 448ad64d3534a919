/**
 * Waits for work at most `ms` milliseconds. Work that takes longer continues, but its result and its error are dropped.
 * @param onTimeout returns the result to use instead; default: throws an Error
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

/** Step in which {@link withActiveTimeout} measures, in ms. */
const stepMs = 50;

/** Like {@link withTimeout}, but counts only time in which the event loop runs: a blocked loop cannot read an answer that has arrived. */
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
      // Timers run before sockets are read: let an answer that has arrived win.
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
