import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a provider or receiver answers. */
export type Manner = 'well' | 'error' | 'hang' | 'garbage' | 'reset';
export const bad: readonly Manner[] = ['error', 'hang', 'garbage', 'reset'];

/** A provider of scores that knows no games. */
export interface Provider {
  url: string;
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
    switch (provider.manner) {
      case 'well':
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"leagues":[],"events":[]}');
      case 'error':
        return response.writeHead(500).end();
      case 'garbage':
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"events": [{"id": 3, "x');
      case 'reset':
        return request.socket.resetAndDestroy();
      case 'hang':
        return response.flushHeaders();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const provider: Provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
