import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { clientKey } from '../../platform/fair-queue.ts';
import { attachFastPath, InnerSocket } from '../fast-path/connections.ts';
import type { FastPath } from '../fast-path/fast-path.ts';

/** What a port bears. Times are in milliseconds. */
export interface ServerLimits {
  /** Maximum number of connections. Beyond it the one that has been idle longest is closed; where each has a request, the new one. */
  connections: number;
  /** Maximum number of connections of one client address (IPv6: of one /64). Default: no limit, as behind a proxy. */
  perAddress?: number;
  /** Time for a request's headers, from the opening of the connection or the first byte; then 408. Default 15 s. */
  headersMs?: number;
  /** Time for a whole request with its body; then 408. Default 30 s. */
  requestMs?: number;
  /** Time without any progress in either direction, such as of a reader that stopped reading; then the connection is closed. Default 60 s. */
  stallMs?: number;
  /** How long an idle connection is kept for the next request. Default 65 s. */
  keepAliveMs?: number;
}

/**
 * An HTTP server on which no client can keep connections from others, however slowly it sends or reads. Does not listen.
 * @param answer answers what it can before the listener. Default: nothing
 */
export function createBoundedServer(
  listener: RequestListener,
  limits: ServerLimits,
  answer?: FastPath['answer'],
): Server {
  const { connections, perAddress, headersMs = 15_000, requestMs = 30_000, stallMs = 60_000 } = limits;
  // Longer than a proxy in front keeps its connections, so that it is never us who closes one that is about to be used.
  const { keepAliveMs = 65_000 } = limits;
  const options: ServerOptions = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    // How often the first two are looked at.
    connectionsCheckingInterval: Math.min(5_000, headersMs),
  };
  const server = createServer(options, listener);
  server.timeout = stallMs;
  const inUse = limitConnections(server, connections);
  if (perAddress !== undefined) limitPerAddress(server, perAddress);
  if (answer !== undefined) attachFastPath(server, { answer, onAnswer: inUse, headersMs });
  return server;
}

/** @returns notes that a connection is in use without a request that the server knows of */
function limitConnections(server: Server, limit: number): (socket: Socket) => void {
  /** What each connection was asked last; that whose last request is longest ago comes first. */
  const open = new Map<Socket, ServerResponse | undefined>();
  /** The connection without a request that has been so longest. Looked for when it is needed: each request would pay for keeping it. */
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
