import cluster from 'node:cluster';
import { once } from 'node:events';
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import {
  type AddressInfo,
  createServer as createListener,
  type Server as Listener,
  type ListenOptions,
  type Socket,
} from 'node:net';
import { clientKey } from '../../platform/fair-queue.ts';
import { attachFastPath, InnerSocket } from '../fast-path/connections.ts';
import type { FastPath } from '../fast-path/fast-path.ts';

/** Port limits. Times are in milliseconds. */
export interface ServerLimits {
  /** Limit on connections. Beyond it the server closes the one idle for longest, or the new one if all are busy. */
  connections: number;
  /** Limit on connections per client address (IPv6: per /64). Default: none, as behind a proxy. */
  perAddress?: number;
  /** Timeout of a request's headers, from the start of the connection or the first byte; then 408. Default 15 s. */
  headersMs?: number;
  /** Timeout of a whole request with its body; then 408. Default 30 s. */
  requestMs?: number;
  /** Time without progress in either direction before a connection is closed. Default 60 s. */
  stallMs?: number;
  /** How long an idle connection stays open. Default 65 s. */
  keepAliveMs?: number;
}

/**
 * Creates an HTTP server on which slow clients cannot use up the connections of others. It does not listen yet. The listener sees
 * equivalent spellings of a path as one URL, see {@link plainUrl}.
 * @param answer answers plain requests before the listener. Default: no fast path
 */
export function createBoundedServer(
  listener: RequestListener,
  limits: ServerLimits,
  answer?: FastPath['answer'],
): Server {
  const { connections, perAddress, headersMs = 15_000, requestMs = 30_000, stallMs = 60_000 } = limits;
  // Longer than proxies keep idle connections, so that this server never closes one that a proxy is about to use.
  const { keepAliveMs = 65_000 } = limits;
  const options: ServerOptions = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    // Interval at which Node checks the first two.
    connectionsCheckingInterval: Math.min(5_000, headersMs),
  };
  const server = createServer(options, (req, res) => {
    req.url = plainUrl(req.url ?? '');
    listener(req, res);
  });
  server.timeout = stallMs;
  const inUse = limitConnections(server, connections);
  if (perAddress !== undefined) limitPerAddress(server, perAddress);
  if (answer !== undefined) attachFastPath(server, { answer, onAnswer: inUse, headersMs });
  return server;
}

/** Returns a URL whose path encodes only characters that need it: both spellings are equivalent (RFC 3986, section 6.2.2.2). */
export function plainUrl(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (!path.includes('%')) return url;
  const plain = path.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded;
  });
  return query === -1 ? plain : plain + url.slice(query);
}

/** @returns a function that marks a connection as used, for a request that the server did not see */
function limitConnections(server: Server, limit: number): (socket: Socket) => void {
  /** Last response on each connection, least recently used first. */
  const open = new Map<Socket, ServerResponse | undefined>();
  function longestIdle(): Socket | undefined {
    for (const [socket, response] of open)
      if ((response === undefined || response.closed) && socket.writableLength === 0) return socket;
    return undefined;
  }
  server.on('connection', (socket: Socket) => {
    if (open.size >= limit) {
      const longest = longestIdle();
      if (longest === undefined) {
        socket.destroy();
        return;
      }
      open.delete(longest);
      longest.destroy();
    }
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
  });
  function note(socket: Socket, response?: ServerResponse): void {
    open.delete(socket);
    open.set(socket, response);
  }
  server.on('request', ({ socket }, response) => {
    note(socket instanceof InnerSocket ? socket.outer : socket, response);
  });
  return note;
}

function limitPerAddress(server: Server, limit: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const key = clientKey(socket.remoteAddress ?? '');
    const count = (open.get(key) ?? 0) + 1;
    if (count > limit) {
      socket.destroy();
      return;
    }
    open.set(key, count);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}

// Several listeners on one port.
//
// Why: a Node listener accepts one connection per turn of the event loop. With turns of 15 ms, the last of 200 simultaneous readers gets
// its answer after 4.8 s with one listener, and after 0.7 s with 16.
// Measure: `npm test -- test/http/listeners.test.ts` counts the turns.
// Alternative: `server.listen(port, host)`.

const listeners = 16;

/**
 * Listens on a port, with several listeners if the system supports `SO_REUSEPORT`.
 * @returns the additional listeners, which pass their connections to the server and must be closed with it
 * @throws Error with code `EADDRINUSE`, even if the other program would share its port
 */
export async function listen(server: Server, port: number, host: string): Promise<Listener[]> {
  const listenOn = async (listener: Listener, options: ListenOptions) => {
    listener.listen({ host, port, ...options });
    await once(listener, 'listening');
  };
  // In a cluster, the primary process accepts all connections and does nothing else.
  if (cluster.isWorker) {
    await listenOn(server, {});
    return [];
  }
  const alone = createListener();
  await listenOn(alone, {});
  alone.close();
  await once(alone, 'close');
  try {
    await listenOn(server, { reusePort: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error;
    await listenOn(server, {});
    return [];
  }
  const further = Array.from({ length: listeners - 1 }, () =>
    createListener({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
  );
  const { port: taken } = server.address() as AddressInfo;
  await Promise.all(further.map((listener) => listenOn(listener, { port: taken, reusePort: true })));
  return further;
}
