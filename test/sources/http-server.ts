import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A test's own server, which answers on demand and records its requests. */
export interface TestServer {
  /** For example `http://127.0.0.1:40123`. */
  url: string;
  /** Path and query of each request, in order. */
  asked: string[];
  requests: IncomingMessage[];
  answer(with_: (req: IncomingMessage, res: ServerResponse) => void): void;
}

/** Runs a server for the tests of the surrounding `describe`. */
export function withServer(): TestServer {
  let answer: (req: IncomingMessage, res: ServerResponse) => void = (_, res) => res.writeHead(404).end();
  const server = createServer((req, res) => {
    it.asked.push(req.url ?? '');
    it.requests.push(req);
    answer(req, res);
  });
  const it: TestServer = {
    url: '',
    asked: [],
    requests: [],
    answer(with_) {
      answer = with_;
      it.asked.length = 0;
      it.requests.length = 0;
    },
  };
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return it;
}
