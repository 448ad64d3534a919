import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A TCP server on loopback for behavior that no HTTP server has. */
export interface RawServer {
  /** `localhost:<port>`. */
  host: string;
  port: number;
  /** Connections accepted so far. */
  connections(): number;
  /** Open connections. */
  open(): number;
  /** Bytes received. */
  bytes(): number;
  close(): Promise<void>;
}

export async function startRawServer(onConnection: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let bytes = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => {
      bytes += data.length;
    });
    socket.once('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    host: `localhost:${port}`,
    port,
    connections: () => connections,
    open: () => sockets.size,
    bytes: () => bytes,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
