import type { Socket } from 'node:net';
import pg from 'pg';
import { singleFlight } from './once.ts';
import { connectToServer } from './postgres-hosts.ts';
import { withActiveTimeout, withTimeout } from './timeout.ts';

export interface Probe {
  (): Promise<void>;
  /** Registers a listener that is called whenever the probe's own connection breaks. */
  onBroken?(listener: () => void): void;
  close?(): void;
}

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
    (client as unknown as Session).connection.stream.destroy();
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
export const connectionProbe = (url: string, timeoutMs: number) => () => askAnew(url, timeoutMs, 'select 1');

/** On a new connection. @returns no rows if PostgreSQL has too many connections */
async function askAnew<Row>(url: string, timeoutMs: number, statement: string): Promise<Row[]> {
  let client: pg.Client | undefined;
  try {
    await connectToServer(url, timeoutMs, async (address, timeout) => {
      client = clientFor(address, { connectionTimeoutMillis: timeout, query_timeout: timeoutMs });
      await client.connect();
      return client;
    });
    return (await client!.query(statement)).rows as Row[];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return [];
  } finally {
    client?.end().catch(() => {});
  }
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

/** Time for a new connection to a doubted server, in ms. A busy server is slow to accept one. */
const reachMs = 4000;

/** Processes of a server whose sessions wait for a statement. */
interface Idle {
  pids: ReadonlySet<number>;
  askedAt: number;
}

/** By server; undefined if it is silent. */
const doubting = singleFlight<Idle | undefined>();

/**
 * Breaks a connection without an answer whose server is silent, or has no statement of it: a vanished host, a frozen session, or a lost
 * path sends no reset, and TCP would wait for a quarter of an hour. A slow statement is fine while its session works on it.
 * @param address of the server
 * @param answer to the last statement
 * @param doubtMs time without an answer before the server is probed, in ms
 * @param mostMs time after which even a session at work is given up, in ms
 */
export function watchSilence(
  connection: pg.Client,
  address: string,
  answer: Promise<unknown>,
  { silentMs: doubtMs, statementMs: mostMs }: Readonly<Record<'silentMs' | 'statementMs', number>>,
): void {
  const session = connection as unknown as Session;
  const sentAt = performance.now();
  let waiting = true;
  let timer: NodeJS.Timeout;
  const doubt = async () => {
    const { bytesRead } = session.connection.stream;
    const idle = await doubting(address, () => idleSessions(address).catch(() => undefined));
    if (!waiting) return;
    // Behind a pooler, ids are its own: no session has them. A received part of an answer may still be unread.
    const isLost =
      idle === undefined ||
      (idle.askedAt > sentAt &&
        idle.pids.has(session.processID) &&
        bytesRead === session.connection.stream.bytesRead) ||
      performance.now() - sentAt > mostMs;
    if (isLost) breakConnection(connection);
    else timer = setTimeout(doubt, doubtMs).unref();
  };
  timer = setTimeout(doubt, doubtMs).unref();
  const done = () => {
    waiting = false;
    clearTimeout(timer);
  };
  answer.then(done, done);
}

/** Fails the statements of a connection without waiting for PostgreSQL, so that its pool drops it. */
export function breakConnection(connection: pg.Client): void {
  (connection as unknown as Session).connection.stream.destroy(
    Object.assign(new Error('PostgreSQL is silent'), { code: 'ETIMEDOUT' }),
  );
}

async function idleSessions(address: string): Promise<Idle> {
  const askedAt = performance.now();
  const rows = await withTimeout(
    askAnew<{ pid: number }>(
      address,
      reachMs,
      `select pid from pg_stat_activity where usename = current_user and state like 'idle%'`,
    ),
    reachMs,
  );
  return { pids: new Set(rows.map(({ pid }) => pid)), askedAt };
}

/** The parts of a connection that `pg` does not declare. */
interface Session {
  /** Of the server's process. */
  processID: number;
  connection: { stream: Socket };
}
