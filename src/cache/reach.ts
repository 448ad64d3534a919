import pg from 'pg';
import { isUnreachable } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';

/** The ledger is needed and PostgreSQL is out of reach. */
export class LedgerAway extends Error {
  override name = 'LedgerAway';

  constructor(cause?: unknown) {
    super('the ledger is out of reach', { cause });
  }
}

/** Knows whether PostgreSQL is within reach, so that nobody waits for it who need not. */
export interface Reach {
  /**
   * Does work that reads PostgreSQL. While it is away the work is not begun; work that gets no answer is given up about a second
   * after PostgreSQL stopped answering; where only the connection broke, the work is done once more.
   * @throws LedgerAway
   */
  use<T>(work: () => Promise<T>): Promise<T>;
  /** Whether PostgreSQL answers now; asks it, once for all who want to know. */
  answers(): Promise<boolean>;
  close(): void;
}

export interface ReachOptions {
  /** Milliseconds of silence after which doubt begins; default 300. */
  patienceMs?: number;
  /** Milliseconds between two probes while PostgreSQL is away; default 1000. */
  probeEveryMs?: number;
}

/** @param probe resolves when PostgreSQL answers, rejects when it does not; see {@link postgresProbe} */
export function createReach(probe: () => Promise<void>, log: Logger, options: ReachOptions = {}): Reach {
  const { patienceMs = 300, probeEveryMs = 1000 } = options;
  let probing: Promise<boolean> | undefined;
  let again: NodeJS.Timeout | undefined;
  let away = false;
  let closed = false;

  function answers(): Promise<boolean> {
    probing ??= probe().then(
      () => conclude(true),
      (error: Error) => conclude(false, error),
    );
    return probing;
  }

  function conclude(answered: boolean, error?: Error): boolean {
    probing = undefined;
    if (away && answered) log.info('postgresql is back');
    if (!away && !answered) log.warn({ err: error?.message }, 'postgresql is out of reach');
    away = !answered;
    clearTimeout(again);
    if (away && !closed) again = setTimeout(answers, probeEveryMs).unref();
    return answered;
  }

  function watched<T>(work: Promise<T>): Promise<T> {
    let doubt: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      doubt = setInterval(async () => {
        if (away || !(await answers())) reject(new LedgerAway());
      }, patienceMs);
    });
    return Promise.race([work, silence]).finally(() => clearInterval(doubt));
  }

  return {
    answers,
    async use(work) {
      if (away) throw new LedgerAway();
      try {
        return await watched(work());
      } catch (error) {
        if (error instanceof LedgerAway || !isUnreachable(error)) throw error;
        // Nothing broke there: all connections were in use for too long.
        if ((error as Error).name === 'KnexTimeoutError') throw new LedgerAway(error);
        if (!(await answers())) throw new LedgerAway(error);
      }
      try {
        return await watched(work());
      } catch (error) {
        throw isUnreachable(error) ? new LedgerAway(error) : error;
      }
    },
    close() {
      closed = true;
      clearTimeout(again);
    },
  };
}

/** Asks PostgreSQL for an answer over a connection made for that: those of a pool may be dead, or all in use. */
export function postgresProbe(url: string, timeoutMs = 1000): () => Promise<void> {
  return async () => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'public-picks probe',
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
    // It may break at any moment from now on: what counts is whether the query is answered.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
    } catch (error) {
      // Too many connections: a refusal, but an answer.
      if ((error as { code?: string }).code !== '53300') throw error;
    } finally {
      client.end().catch(() => {});
    }
  };
}
