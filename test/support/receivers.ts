import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Authority, createAuthority } from './authority.ts';

/** A request as a receiver got it. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** Names and values in the order and case they came in. */
  rawHeaders: string[];
  body: string;
  /** The name that the client asked for in TLS, or false. */
  servername: string | false | null;
}

/** How a receiver answers; it may do as it likes with the response, or throw the connection away. */
export type Answer = (response: ServerResponse, received: Received) => void;

/** A real HTTPS receiver of webhooks on loopback. */
export interface Receiver {
  /** `https://localhost:<port>/hook`, a path of its own in place of `/hook`. */
  url(path?: string): string;
  /** `localhost:<port>`, as WEBHOOK_ALLOW_HOSTS takes it. */
  host: string;
  port: number;
  /** What it got, in order. */
  received: Received[];
  /** TLS connections made to it so far. */
  connections(): number;
  /** Open ones. */
  open(): number;
  /** Answers otherwise from now on. */
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

/** The authority that the receivers' certificates come from: its PEM is what a delivery client needs as `ca`. */
export function receiversAuthority(): Promise<Authority> {
  shared ??= createAuthority("Public Picks' test receivers");
  return shared;
}

/**
 * Starts a receiver; it answers 204 until told otherwise.
 * @param options `names`: whom its certificate is for; `authority`: who issues it; `address`: of loopback, where it listens
 */
export async function startReceiver(
  options: { names?: string[]; authority?: Authority; address?: string; answer?: Answer } = {},
): Promise<Receiver> {
  const { names = ['localhost', '127.0.0.1'], address = '127.0.0.1', answer = status(204) } = options;
  const authority = options.authority ?? (await receiversAuthority());
  const sockets = new Set<TLSSocket>();
  let connections = 0;
  const server = createServer(await authority.issue(...names), async (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    try {
      for await (const chunk of request) body += chunk;
    } catch {
      return;
    }
    const { method = '', url = '', headers, rawHeaders } = request;
    const { servername } = request.socket as TLSSocket & { servername: string | false | null };
    const received = { method, path: url, headers, rawHeaders, body, servername };
    receiver.received.push(received);
    receiver.answer(response, received);
  });
  server.on('secureConnection', (socket) => {
    connections += 1;
    sockets.add(socket);
    // Clients that give up are what these tests are about.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listen(server, address);
  const receiver: Receiver = {
    url: (path = '/hook') => `https://localhost:${port}${path}`,
    host: `localhost:${port}`,
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
