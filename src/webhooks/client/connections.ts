import type { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { AttemptFault } from './attempt.ts';

/** A connection; it is opened by its first request. */
export interface Connection {
  client: Client;
  /** Resets the count of received bytes before a request. */
  renew(): void;
}

/** The connections to one host: each carries one request at a time and is reused while it is open. */
export interface Connections {
  /** The free one that was used last, or a new one. */
  take(): Connection;
  /** Returns one; it is kept if it is still open. */
  give(connection: Connection): void;
  /** Whether one is open and free. */
  free(): boolean;
  /** Closes those that are free. */
  close(): void;
}

/**
 * Not undici's pool: that opens a second connection for a request that is made as soon as an answer has arrived, as deliveries do.
 * @param options `idleMs`: how long a free connection stays open, if the receiver does not ask for less; `receivedBytes`: how much may
 *   come in with one answer; `unused` is called when a free connection has closed
 */
export function createConnections(
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
      // An exchange has one limit for all of it.
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
 * Limits the bytes received on a connection: an HTTP parser counts neither chunk extensions nor trailers nor informational
 * responses. A connection that exceeds the limit is destroyed.
 * @returns a function that resets the count
 */
function limitReceived(socket: Socket, maxBytes: number): () => void {
  let left = maxBytes;
  const push = socket.push.bind(socket);
  // Node.js hands every chunk that it has read and decrypted to this method; a listener would take it from the parser.
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
