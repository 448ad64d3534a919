import { isUnreachable } from './database.ts';
import type { Logger } from './logger.ts';
import type { Probe } from './postgres-probe.ts';

/** The work needs PostgreSQL, and PostgreSQL is unavailable. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';

  constructor(cause?: unknown) {
    super('the database is unavailable', { cause });
  }
}

/** Whether PostgreSQL is available, so that work fails fast while it is not. */
export interface Availability {
  /**
   * Runs work that reads PostgreSQL. While PostgreSQL is unavailable the work is not started; work that gets no answer fails within two
   * seconds of PostgreSQL having stopped answering; where only the connection broke, the work is retried once.
   * @throws DatabaseUnavailable
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /**
   * As {@link Availability.run}, for work that changes something: it is never retried, since it may have been done. Work that got no answer
   * goes on in the background, and may still be done.
   * @throws DatabaseUnavailable
   */
  once<T>(work: () => Promise<T>): Promise<T>;
  /** Probes PostgreSQL now, twice if the first probe fails; concurrent calls share the probes. */
  check(): Promise<boolean>;
  /** Calls a function whenever PostgreSQL becomes unavailable. */
  onUnavailable(listener: () => void): void;
  /** Stops probing and closes the probe. */
  close(): void;
}

export interface AvailabilityOptions {
  /** Milliseconds without an answer after which PostgreSQL is probed; default 300. */
  suspectAfterMs?: number;
  /** Milliseconds between two probes while PostgreSQL is unavailable; default 1000. */
  probeEveryMs?: number;
}

/** PostgreSQL counts as unavailable after two failed probes in a row: one may have failed with its connection alone. */
export function createAvailability(
  probe: Probe,
  log: Logger,
  options: AvailabilityOptions = {},
): Availability {
  const { suspectAfterMs = 300, probeEveryMs = 1000 } = options;
  let probing: Promise<boolean> | undefined;
  let nextProbe: NodeJS.Timeout | undefined;
  let available = true;
  let closed = false;
  let lost = () => {};

  function check(): Promise<boolean> {
    probing ??= probe()
      .catch((error: unknown) => {
        if (!available) throw error;
        return probe();
      })
      .then(
        () => conclude(true),
        (error: Error) => conclude(false, error),
      );
    return probing;
  }

  function conclude(answered: boolean, error?: Error): boolean {
    probing = undefined;
    if (!available && answered) log.info('postgresql is available again');
    const isLost = available && !answered;
    if (isLost) log.warn({ err: error?.message }, 'postgresql is unavailable');
    available = answered;
    if (isLost) lost();
    clearTimeout(nextProbe);
    if (!available && !closed) nextProbe = setTimeout(check, probeEveryMs).unref();
    return answered;
  }

  function watched<T>(work: Promise<T>): Promise<T> {
    let suspicion: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      suspicion = setInterval(async () => {
        if (!available || !(await check())) reject(new DatabaseUnavailable());
      }, suspectAfterMs);
    });
    return Promise.race([work, silence]).finally(() => clearInterval(suspicion));
  }

  async function once<T>(work: () => Promise<T>): Promise<T> {
    if (!available) throw new DatabaseUnavailable();
    return watched(work());
  }

  // A server that stops closes its connections: that is known before anybody asks.
  probe.onBroken?.(() => void check());

  return {
    check,
    once,
    async run(work) {
      if (!available) throw new DatabaseUnavailable();
      try {
        return await watched(work());
      } catch (error) {
        if (error instanceof DatabaseUnavailable || !isUnreachable(error)) throw error;
        // Nothing broke: all connections of the pool were in use for too long.
        if ((error as Error).name === 'KnexTimeoutError') throw new DatabaseUnavailable(error);
        if (!(await check())) throw new DatabaseUnavailable(error);
      }
      try {
        return await watched(work());
      } catch (error) {
        throw isUnreachable(error) ? new DatabaseUnavailable(error) : error;
      }
    },
    onUnavailable(listener) {
      lost = listener;
    },
    close() {
      closed = true;
      clearTimeout(nextProbe);
      probe.close?.();
    },
  };
}

/**
 * {@link Availability.run} without a probe: for processes in which nobody waits for an answer.
 * @throws DatabaseUnavailable
 */
export async function runUnprobed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUnreachable(error) ? new DatabaseUnavailable(error) : error;
  }
}
