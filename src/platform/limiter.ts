/** Thrown if too much work is already waiting. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

/** Options of {@link Limiter.acquire}. */
export interface AcquireOptions {
  /** Longest wait for a slot, in ms; default: unlimited. */
  waitMs?: number;
  /** Whether {@link Limiter.cancel} may end the wait; default false. */
  cancellable?: boolean;
}

/** A counting semaphore that limits concurrency. Waiters get slots in the order of their arrival. */
export interface Limiter {
  readonly size: number;
  /** @returns true if a slot is free now; otherwise a promise that tells whether one became free in time */
  acquire(options?: AcquireOptions): true | Promise<boolean>;
  /** Releases a slot to the longest waiter. */
  release(): void;
  /** Changes the number of slots. Shrinking interrupts nothing that runs. */
  resize(size: number): void;
  /** Ends the wait of cancellable waiters, or of all. They get no slot. */
  cancel(which?: 'cancellable' | 'all'): void;
  /**
   * Runs work in a slot.
   * @throws Overloaded if `maxWaiting` others are waiting
   */
  run<T>(work: () => Promise<T>, maxWaiting: number): Promise<T>;
}

interface Waiter {
  cancellable: boolean;
  end(acquired: boolean): void;
}

export function createLimiter(initial: number): Limiter {
  let size = initial;
  let running = 0;
  const waiters = new Set<Waiter>();

  const admit = () => {
    for (const waiter of waiters) {
      if (running >= size) return;
      running += 1;
      waiter.end(true);
    }
  };

  const wait = ({ waitMs, cancellable = false }: AcquireOptions) =>
    new Promise<boolean>((resolve) => {
      // A wait must not keep the process alive.
      const timer =
        waitMs === undefined
          ? undefined
          : setTimeout(() => waiter.end(false), Math.max(0, Math.ceil(waitMs))).unref();
      const waiter: Waiter = {
        cancellable,
        end(acquired) {
          clearTimeout(timer);
          waiters.delete(waiter);
          resolve(acquired);
        },
      };
      waiters.add(waiter);
    });

  const limiter: Limiter = {
    get size() {
      return size;
    },
    acquire(options = {}) {
      if (running >= size || waiters.size > 0) return wait(options);
      running += 1;
      return true;
    },
    release() {
      running -= 1;
      admit();
    },
    resize(next) {
      size = next;
      admit();
    },
    cancel(which = 'cancellable') {
      for (const waiter of [...waiters]) if (which === 'all' || waiter.cancellable) waiter.end(false);
    },
    async run(work, maxWaiting) {
      if (running >= size && waiters.size >= maxWaiting)
        throw new Overloaded(`${waiters.size} are already waiting for a slot`);
      await limiter.acquire();
      try {
        return await work();
      } finally {
        limiter.release();
      }
    },
  };
  return limiter;
}
