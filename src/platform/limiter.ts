/** Too much work is waiting for a slot already. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

export interface AcquireOptions {
  /** Milliseconds to wait for a slot at most; default: without end. */
  waitMs?: number;
  /** Whether {@link Limiter.cancel} ends the wait; default false. */
  cancellable?: boolean;
}

/** A counting semaphore: bounds how much runs at once. Waiters are served first come, first served. */
export interface Limiter {
  /** Slots in all. */
  readonly size: number;
  /** @returns true at once where a slot is free, else a promise of whether there was one in time */
  acquire(options?: AcquireOptions): true | Promise<boolean>;
  /** Gives a slot back; the longest waiter gets it. */
  release(): void;
  /** Changes the number of slots. Nothing that runs is interrupted when it shrinks. */
  resize(size: number): void;
  /** Ends the wait of all cancellable waiters, or of all waiters: they get no slot. */
  cancel(which?: 'cancellable' | 'all'): void;
  /**
   * Runs work in a slot.
   * @throws Overloaded when `maxWaiting` others wait already
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
      // A wait keeps no process alive.
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
        throw new Overloaded(`${waiters.size} wait for a slot already`);
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
