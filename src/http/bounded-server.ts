import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { clientKey } from '../platform/fair-queue.ts';

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

/** An HTTP server on which no client can keep connections from others, however slowly it sends or reads. Does not listen. */
export function createBoundedServer(listener: RequestListener, limits: ServerLimits): Server {
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
  limitConnections(server, connections);
  if (perAddress !== undefined) limitPerAddress(server, perAddress);
  return server;
}

function limitConnections(server: Server, limit: number): void {
  let open = 0;
  /** Connections without a whole request, the one that has been so longest first. */
  const idle = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    if (open >= limit) {
      const [longest = socket] = idle;
      idle.delete(longest);
      longest.destroy();
      if (longest === socket) return;
    }
    open += 1;
    idle.add(socket);
    socket.once('close', () => {
      open -= 1;
      idle.delete(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
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
