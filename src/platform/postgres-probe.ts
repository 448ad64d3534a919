import pg from 'pg';
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
