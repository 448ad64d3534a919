import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a provider or receiver answers: `silent` is no answer at all, `stall` one that stops within its body. */
export type Manner = 'well' | 'error' | 'silent' | 'stall' | 'garbage' | 'reset';
export const bad: readonly Manner[] = ['error', 'silent', 'stall', 'garbage', 'reset'];

/** A provider of scores and prices that knows no games. */
export interface Provider {
  port: number;
  manner: Manner;
  asked(): number;
  close(): Promise<void>;
}

export async function startProvider(): Promise<Provider> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    request.on('error', () => {});
    response.on('error', () => {});
    const begin = () => response.writeHead(200, { 'content-type': 'application/json' });
    switch (provider.manner) {
      case 'well':
        return begin().end(request.url!.startsWith('/v4/') ? '[]' : '{"leagues":[],"events":[]}');
      case 'error':
        return response.writeHead(500).end();
      case 'garbage':
        return begin().end('{"events": [{"id": 3, "x');
      case 'stall':
        return begin().write('{"events": [{"id": 3, "x');
      case 'reset':
        return request.socket.resetAndDestroy();
      case 'silent':
        return;
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const provider: Provider = {
    port: (server.address() as AddressInfo).port,
    manner: 'well',
    asked: () => asked,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return provider;
}
