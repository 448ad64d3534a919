import { breakable, isUnreachable } from './database.ts';
import type { Logger } from './logger.ts';
import type { Probe } from './postgres-probe.ts';
import { withActiveTimeout } from './timeout.ts';

export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';

  constructor(cause?: unknown) {
    super('the database is unavailable', { cause });
  }
}

/** Tracks whether PostgreSQL is available, so that work fails fast during an outage. */
export type Availability = ReturnType<typeof createAvailability>;

export interface AvailabilityOptions {
  /** Time without an answer before PostgreSQL is probed, in ms; default 300. */
  suspectAfterMs?: number;
  /** Interval between probes while PostgreSQL is unavailable, in ms; default 1000. */
  probeEveryMs?: number;
}

/** Considers PostgreSQL unavailable after two failed probes in a row, because one may fail with only its connection. */
export function createAvailability(probe: Probe, log: Logger, options: AvailabilityOptions = {}) {
  const { suspectAfterMs = 300, probeEveryMs = 1000 } = options;
  let probing: Promise<boolean> | undefined;
  let nextProbe: NodeJS.Timeout | undefined;
  let available = true;
  let closed = false;
  let lost = () => {};

  /** Probes PostgreSQL now, twice if the first probe fails; concurrent calls share the probes. */
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

  async function watched<T>(work: () => Promise<T>, withinMs: number): Promise<T> {
    if (!available) throw new DatabaseUnavailable();
    let suspicion: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      suspicion = setInterval(async () => {
        if (!available || !(await check())) reject(new DatabaseUnavailable());
      }, suspectAfterMs);
    });
    return answeredWithin(work, withinMs, silence).finally(() => clearInterval(suspicion));
  }

  /** Runs work, and once more if its connection broke. */
  async function twice<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DatabaseUnavailable || !isUnreachable(error)) throw error;
      // Nothing broke: the pool had no free connection in time.
      if ((error as Error).name === 'KnexTimeoutError') throw new DatabaseUnavailable(error);
      if (!(await check())) throw new DatabaseUnavailable(error);
    }
    return runUnprobed(work);
  }

  // A server that stops closes its connections: probe now instead of with the next query.
  probe.onBroken?.(() => void check());

  return {
    check,
    /**
     * Never retried, because a write without an answer may have been committed.
     * @param withinMs longest wait, in ms: writers are refused rather than kept waiting
     * @throws DatabaseUnavailable
     */
    once: <T>(work: () => Promise<T>, withinMs = 5_000): Promise<T> => watched(work, withinMs),
    /**
     * Runs work that reads PostgreSQL. Work is not started while PostgreSQL is unavailable, fails within 2 s after PostgreSQL stops
     * answering, and is retried once if only its connection broke.
     * @param withinMs longest wait for the work, in ms
     * @throws DatabaseUnavailable
     */
    run: <T>(work: () => Promise<T>, withinMs = 15_000): Promise<T> => watched(() => twice(work), withinMs),
    /** Called whenever PostgreSQL becomes unavailable. */
    onUnavailable(listener: () => void): void {
      lost = listener;
    },
    close(): void {
      closed = true;
      clearTimeout(nextProbe);
      probe.close?.();
    },
  };
}

/**
 * Waits for work that needs PostgreSQL. A session can hang although the probe's answers: one that owes the work an answer then leaves its
 * pool.
 * @param silence rejects once PostgreSQL is known to be silent
 * @throws DatabaseUnavailable
 */
export function answeredWithin<T>(work: () => Promise<T>, ms: number, silence?: Promise<never>): Promise<T> {
  const { done, giveUp } = breakable(work);
  return withActiveTimeout(silence === undefined ? done : Promise.race([done, silence]), ms, () => {
    giveUp();
    throw new DatabaseUnavailable();
  });
}

/** Longest wait for storing rows, in ms. A client that gets no answer in time repeats its request. */
export const storingMs = (rows: number): number => 5_000 + 5 * rows;

/** Runs work as {@link Availability.run}, but without a probe: for processes without waiting clients. @throws DatabaseUnavailable */
export async function runUnprobed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUnreachable(error) ? new DatabaseUnavailable(error) : error;
  }
}
