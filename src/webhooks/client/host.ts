import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { type buildConnector, Client } from 'undici';
import { withTimeout } from '../../platform/timeout.ts';
import { type Address, checkTarget, type Resolve } from '../guard/resolve.ts';
import { type AllowedHosts, isAllowed, type Target } from '../guard/target.ts';
import { type Attempt, AttemptFault, failed } from './attempt.ts';
import { connector } from './connector.ts';
import { Exchange } from './exchange.ts';

export interface HostLimits {
  /** Time to resolve a name, and to connect including TLS. */
  connectMs: number;
  /** Time of one attempt, from resolving the name to the end of the answer's body. */
  totalMs: number;
  /** Bytes of an answer's body that are read. */
  bodyBytes: number;
  /** Bytes received per answer, including heads (up to 16 KiB) and framing. */
  receivedBytes: number;
  /** How long a check of the name is valid, even while connections are open. */
  checkedMs: number;
  /** How long an unused connection stays open. */
  idleMs: number;
}

/** A receiver's host: its checked addresses and connections. */
export interface Host {
  /** Running requests. */
  users: number;
  attempt(target: Target, body: string | Buffer, headers: Record<string, string>): Promise<Attempt>;
  /** Reports whether an idle connection is open. */
  connected(): boolean;
  close(): void;
}

/**
 * Creates a host without connections. Requests open them, to addresses checked at most `checkedMs` ago.
 * @param unused called when an idle connection has closed
 */
export function createHost(
  target: Target,
  options: {
    allowed: AllowedHosts;
    resolve: Resolve;
    trusted: SecureContext;
    limits: HostLimits;
    unused(): void;
  },
): Host {
  const { allowed, resolve, trusted, limits, unused } = options;
  const { connectMs, totalMs: limitMs, bodyBytes, receivedBytes, idleMs } = limits;
  let addresses: readonly Address[] = [];
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<AttemptFault | undefined> | undefined;

  const connect = connector(target, {
    addresses: () => addresses,
    anyAddress: isAllowed(target, allowed),
    trusted,
    limitMs: connectMs,
  });
  const { origin } = new URL(target.url);
  const connections = createConnections(origin, { connect, idleMs, receivedBytes, unused });

  const check = async () => {
    const verdict = await withTimeout(checkTarget(target, { allowed, resolve }), connectMs, () => undefined);
    if (verdict === undefined) return new AttemptFault('dns');
    if (!verdict.ok) return new AttemptFault(verdict.error, verdict.ours);
    addresses = verdict.addresses;
    checkedAt = performance.now();
    return undefined;
  };

  /** Returns the guard's refusal of the host, if any. Concurrent requests share one check. */
  const checked = () => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  };

  return {
    users: 0,
    async attempt({ url, platform }, body, headers) {
      const startedAt = performance.now();
      const fault = startedAt - checkedAt < limits.checkedMs ? undefined : await checked();
      if (fault !== undefined) return failed(fault, Math.round(performance.now() - startedAt));
      const connection = connections.take();
      connection.renew();
      const path = url.slice(url.indexOf('/', 'https://'.length));
      try {
        return await new Promise<Attempt>((done, fail) => {
          const exchange = new Exchange({ startedAt, limitMs, bodyBytes, platform, done, fail });
          connection.client.dispatch({ method: 'POST', path, headers, body }, exchange);
        });
      } finally {
        connections.give(connection);
      }
    },
    connected: connections.free,
    close: connections.close,
  };
}

/** A connection. Its first request opens it. */
interface Connection {
  client: Client;
  /** Resets the count of received bytes before a request. */
  renew(): void;
}

/** The connections to one host. Each carries one request at a time and is reused while open. */
interface Connections {
  /** Returns the idle connection used last, or a new one. */
  take(): Connection;
  /** Returns a connection to the pool, if it is still open. */
  give(connection: Connection): void;
  /** Reports whether an idle connection is open. */
  free(): boolean;
  close(): void;
}

/**
 * Creates the pool. undici's pool would open a second connection for a request made as soon as an answer has arrived, as deliveries do.
 * @param options `idleMs`: how long an idle connection stays open unless the receiver asks for less; `receivedBytes`: limit per answer;
 * `unused` is called when an idle connection has closed
 */
function createConnections(
  origin: string,
  options: { connect: buildConnector.connector; idleMs: number; receivedBytes: number; unused(): void },
): Connections {
  const { connect, idleMs, receivedBytes, unused } = options;
  const idle: Connection[] = [];

  const open = (): Connection => {
    let renew = () => {};
    const client = new Client(origin, {
      connect: (given, callback) =>
        connect(given, (...[fault, socket]) => {
          if (fault !== null) return callback(fault, null);
          renew = limitReceived(socket, receivedBytes);
          callback(null, socket);
        }),
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // An exchange has one limit for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection = { client, renew: () => renew() };
    client.on('disconnect', () => {
      const at = idle.indexOf(connection);
      if (at === -1) return;
      idle.splice(at, 1);
      void client.destroy();
      unused();
    });
    return connection;
  };

  return {
    take: () => idle.pop() ?? open(),
    give(connection) {
      if (connection.client.stats.connected) idle.push(connection);
      else void connection.client.destroy();
    },
    free: () => idle.length > 0,
    close() {
      for (const { client } of idle.splice(0)) void client.destroy();
    },
  };
}

/**
 * Limits the bytes received on a connection, because an HTTP parser counts neither chunk extensions nor trailers nor informational
 * responses. A connection beyond the limit is destroyed.
 * @returns a function that resets the count
 */
function limitReceived(socket: Socket, maxBytes: number): () => void {
  let left = maxBytes;
  const push = socket.push.bind(socket);
  // Node.js passes every decrypted chunk to this method; a listener would take chunks from the parser.
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    left -= chunk?.length ?? 0;
    if (left >= 0) return push(chunk, encoding);
    socket.destroy(new AttemptFault('protocol'));
    return false;
  };
  return () => {
    left = maxBytes;
  };
}
