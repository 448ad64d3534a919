import pg from 'pg';
import { singleFlight } from './once.ts';
import { connectToServer } from './postgres-hosts.ts';
import { withActiveTimeout } from './timeout.ts';

/** Resolves if PostgreSQL answers and rejects if it does not. */
export interface Probe {
  (): Promise<void>;
  /** Registers a listener that is called whenever the probe's own connection breaks. */
  onBroken?(listener: () => void): void;
  /** Closes the probe's own connection, if any. */
  close?(): void;
}

/** Options of {@link keptProbe}. */
export interface KeptProbeOptions {
  /** Timeout for an answer, in ms; default 400. */
  answerMs?: number;
  /** Timeout for a new connection if the old one is gone, in ms; default 750. */
  connectMs?: number;
}

/**
 * Returns a probe with its own connection, which it keeps. A pool's connections may be dead or all in use, and a new one may be slow
 * although PostgreSQL is healthy. Time in which the event loop is blocked does not count.
 */
export function keptProbe(url: string, options: KeptProbeOptions = {}): Probe {
  const { answerMs = 400, connectMs = 750 } = options;
  let kept: pg.Client | undefined;
  let closed = false;
  let broken = () => {};

  function drop(client: pg.Client): void {
    if (kept === client) kept = undefined;
    // Destroyed instead of ended: a dead connection never confirms the end.
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

/** Returns a probe that opens a connection each time, to check how long PostgreSQL takes to accept one. */
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
  // The connection may break at any time; only the answer to the query counts.
  client.on('error', () => {});
  return client;
}

/** Reports whether PostgreSQL refused a connection because it has too many: still an answer. */
function isRefusal(error: unknown): boolean {
  return (error as { code?: string }).code === '53300';
}

const doubting = singleFlight<boolean>();

/**
 * Breaks a connection whose server is silent. A vanished host or a frozen server sends no reset, and TCP would wait for a quarter of an
 * hour. A slow statement is fine if its server answers a new connection.
 * @param address of the server
 * @param answer to the last statement
 * @param doubtMs time without an answer before the server is probed, in ms; it gets half as long to answer a new connection
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
