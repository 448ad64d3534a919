/** Work that takes longer continues, but its result and error are dropped. @param onTimeout returns the result instead; default: throws */
export function withTimeout<T, L = never>(work: Promise<T>, ms: number, onTimeout?: () => L): Promise<T | L> {
  return raced(work, onTimeout, (expire) => setTimeout(expire, ms));
}

/** Step in which {@link withActiveTimeout} measures, in ms. */
const stepMs = 50;

/** Like {@link withTimeout}, but counts only time in which the event loop runs: a blocked loop cannot read an answer that has arrived. */
export function withActiveTimeout<T, L = never>(
  work: Promise<T>,
  ms: number,
  onTimeout?: () => L,
): Promise<T | L> {
  const step = Math.min(stepMs, ms);
  let left = ms;
  let last = performance.now();
  return raced(work, onTimeout, (expire) =>
    setInterval(() => {
      const now = performance.now();
      left -= Math.min(now - last, 2 * step);
      last = now;
      if (left <= 0) expire();
    }, step),
  );
}

async function raced<T, L>(
  work: Promise<T>,
  onTimeout: () => L = noAnswer,
  timerOf: (expire: () => void) => NodeJS.Timeout,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  // Timers run before sockets are read: let an answer that has arrived win.
  const timeout = new Promise<void>((resolve) => {
    timer = timerOf(() => setImmediate(() => isDone || resolve()));
  });
  try {
    return await Promise.race([work, timeout.then(onTimeout)]);
  } finally {
    isDone = true;
    clearInterval(timer);
  }
}

function noAnswer(): never {
  throw new Error('no answer in time');
}
