import pg from 'pg';
import { singleFlight } from './once.ts';
import { connectToServer } from './postgres-hosts.ts';
import { withActiveTimeout } from './timeout.ts';

/** Resolves when PostgreSQL answers, rejects when it does not. */
export interface Probe {
  (): Promise<void>;
  /** Calls a function whenever the connection that the probe keeps breaks. */
  onBroken?(listener: () => void): void;
  /** Closes the connection that the probe keeps, if it keeps one. */
  close?(): void;
}

export interface KeptProbeOptions {
  /** Milliseconds to wait for an answer; default 400. */
  answerMs?: number;
  /** Milliseconds to wait for a new connection, where the kept one is gone; default 750. */
  connectMs?: number;
}

/**
 * A probe over one connection of its own, which it keeps: those of a pool may be dead or all in use, and a new one may be slow while
 * PostgreSQL is fine. Time in which this process's event loop stands still does not count.
 */
export function keptProbe(url: string, options: KeptProbeOptions = {}): Probe {
  const { answerMs = 400, connectMs = 750 } = options;
  let kept: pg.Client | undefined;
  let closed = false;
  let broken = () => {};

  function drop(client: pg.Client): void {
    if (kept === client) kept = undefined;
    // Not ended: a dead connection would never say goodbye.
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  async function connect(): Promise<pg.Client> {
    const client = await connectToServer(url, connectMs, async (address, timeoutMs) => {
      const each = clientFor(address);
      each.on('end', () => {
        const wasKept = kept === each;
        drop(each);
        if (wasKept && !closed) broken();
      });
      try {
        await withActiveTimeout(each.connect(), timeoutMs);
      } catch (error) {
        drop(each);
        throw error;
      }
      return each;
    });
    if (closed) drop(client);
    else kept = client;
    return client;
  }

  async function probe(): Promise<void> {
    let client = kept;
    try {
      client ??= await connect();
      await withActiveTimeout(client.query('select 1'), answerMs);
    } catch (error) {
      if (client !== undefined) drop(client);
      if (!isRefusal(error)) throw error;
    }
  }

  return Object.assign(probe, {
    onBroken(listener: () => void) {
      broken = listener;
    },
    close() {
      closed = true;
      kept?.end().catch(() => {});
      kept = undefined;
    },
  });
}

/** A probe over a new connection each time, for a check of how long PostgreSQL takes to accept one. */
export function connectionProbe(url: string, timeoutMs: number): Probe {
  return async () => {
    let client: pg.Client | undefined;
    try {
      await connectToServer(url, timeoutMs, async (address, timeout) => {
        client = clientFor(address, { connectionTimeoutMillis: timeout, query_timeout: timeoutMs });
        await client.connect();
        return client;
      });
      await client!.query('select 1');
    } catch (error) {
      if (!isRefusal(error)) throw error;
    } finally {
      client?.end().catch(() => {});
    }
  };
}

function clientFor(url: string, config: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'public-picks probe',
    keepAlive: true,
    ...config,
  });
  // The connection may break at any moment: only whether the query is answered counts.
  client.on('error', () => {});
  return client;
}

/** Too many connections: a refusal, but an answer. */
function isRefusal(error: unknown): boolean {
  return (error as { code?: string }).code === '53300';
}

const doubting = singleFlight<boolean>();

/**
 * Breaks a connection whose server is silent: a host that vanished or a frozen server resets nothing, and TCP would wait for a quarter of
 * an hour. A statement may take its time while its server answers others.
 * @param address of the server
 * @param answer to the statement that was sent last
 * @param doubtMs milliseconds without it after which the server is doubted; it then has half as many to answer a new connection
 */
export function watchSilence(
  connection: pg.Client,
  address: string,
  answer: Promise<unknown>,
  doubtMs: number,
): void {
  let waiting = true;
  let timer: NodeJS.Timeout;
  const doubt = async () => {
    const answers = await doubting(address, () =>
      connectionProbe(address, doubtMs / 2)().then(
        () => true,
        () => false,
      ),
    );
    if (!waiting) return;
    if (answers) timer = setTimeout(doubt, doubtMs).unref();
    else
      socketOf(connection).destroy(Object.assign(new Error('PostgreSQL is silent'), { code: 'ETIMEDOUT' }));
  };
  timer = setTimeout(doubt, doubtMs).unref();
  const done = () => {
    waiting = false;
    clearTimeout(timer);
  };
  answer.then(done, done);
}

function socketOf(connection: pg.Client): { destroy(error: Error): void } {
  return (connection as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection
    .stream;
}
