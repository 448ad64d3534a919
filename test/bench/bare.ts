// The baseline of `reading.ts`: bare `node:http` that answers each path with recorded bytes and headers. Start it with `fork('bare.ts')`
// and a message of {@link Recorded}; it answers with its port.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers by path. Headers are in the flat form of `writeHead`, the body in base64. */
export type Recorded = Record<string, { status: number; headers: string[]; body: string }>;

process.once('message', (recorded: Recorded) => {
  const answers = new Map(
    Object.entries(recorded).map(([path, { body, ...rest }]) => [
      path,
      { ...rest, body: Buffer.from(body, 'base64') },
    ]),
  );
  const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    const answer = answers.get(req.url as string);
    if (answer === undefined) {
      res.writeHead(404).end();
      return;
    }
    res.writeHead(answer.status, answer.headers);
    res.end(answer.status === 304 ? undefined : answer.body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
