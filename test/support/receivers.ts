import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Authority, createAuthority } from './authority.ts';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** Names and values in the order and case received. */
  rawHeaders: string[];
  body: string;
  bytes: Buffer;
  /** The server name in the client's TLS handshake, or false. */
  servername: string | false | null;
}

/** Answers a request. It may do anything with the response, or destroy the connection. */
export type Answer = (response: ServerResponse, received: Received) => void;

/** A real HTTPS receiver of webhooks on loopback. */
export interface Receiver {
  /** `https://localhost:<port>/hook`, with the first of its names, or with another path. */
  url(path?: string): string;
  /** `localhost:<port>`, in the format of WEBHOOK_ALLOW_HOSTS. */
  host: string;
  port: number;
  /** The received requests, in order. */
  received: Received[];
  /** TLS connections accepted so far. */
  connections(): number;
  /** Open connections. */
  open(): number;
  /** The answer from now on. */
  answer: Answer;
  close(): Promise<void>;
}

/** Answers with a status and headers, without a body. */
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers).end();
  };

let shared: Promise<Authority> | undefined;

/** Returns the authority of the receivers' certificates. Its PEM is the `ca` of a delivery client. */
export function receiversAuthority(): Promise<Authority> {
  shared ??= createAuthority("Public Picks' test receivers");
  return shared;
}

/**
 * Starts a receiver that answers 204 by default.
 * @param options `names`: the names in its certificate; `authority`: its issuer; `address`: the loopback address to listen on
 */
export async function startReceiver(
  options: { names?: string[]; authority?: Authority; address?: string; answer?: Answer } = {},
): Promise<Receiver> {
  const { names = ['localhost', '127.0.0.1'], address = '127.0.0.1', answer = status(204) } = options;
  const authority = options.authority ?? (await receiversAuthority());
  const sockets = new Set<TLSSocket>();
  let connections = 0;
  const server = createServer(await authority.issue(...names), async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const { method = '', url = '', headers, rawHeaders } = request;
    const { servername } = request.socket as TLSSocket & { servername: string | false | null };
    const bytes = Buffer.concat(chunks);
    const received = { method, path: url, headers, rawHeaders, body: bytes.toString(), bytes, servername };
    receiver.received.push(received);
    receiver.answer(response, received);
  });
  server.on('secureConnection', (socket) => {
    connections += 1;
    sockets.add(socket);
    // Tests let clients give up.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listen(server, address);
  const receiver: Receiver = {
    url: (path = '/hook') => `https://${names[0]}:${port}${path}`,
    host: `${names[0]}:${port}`,
    port,
    received: [],
    connections: () => connections,
    open: () => sockets.size,
    answer,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return receiver;
}

function listen(server: Server, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, address, () => resolve((server.address() as AddressInfo).port));
  });
}
