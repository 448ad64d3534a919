import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that came in. */
export interface Heard {
  method: string;
  path: string;
  body: string;
}

/** What stands where a chat's incoming webhook would. A GET, as of a heartbeat, it always answers. */
export interface ChatReceiver {
  /** Such as `http://127.0.0.1:40123`, without a path. */
  address: string;
  /** Everything that came in, also what was refused. */
  heard: Heard[];
  /** Texts of the messages that it took. */
  messages: string[];
  /** Answers the next request so, and each one after it as ever. */
  answerNext(status: number, headers?: Record<string, string>, body?: string): void;
  /** Answers in a way of the test's own from now on; `undefined` goes back. */
  answerWith(answer: ((req: IncomingMessage, res: ServerResponse) => void) | undefined): void;
  close(): Promise<void>;
}

export async function chatReceiver(): Promise<ChatReceiver> {
  const heard: Heard[] = [];
  const messages: string[] = [];
  const queued: { status: number; headers: Record<string, string>; body: string }[] = [];
  let own: ((req: IncomingMessage, res: ServerResponse) => void) | undefined;
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    heard.push({ method: req.method ?? '', path: req.url ?? '', body });
    if (req.method === 'GET') return res.end('OK');
    if (own !== undefined) return own(req, res);
    const answer = queued.shift() ?? { status: 200, headers: {}, body: '{}' };
    if (answer.status < 300 && body !== '') {
      const { content, text } = JSON.parse(body) as { content?: string; text?: string };
      messages.push(content ?? text ?? '');
    }
    res.writeHead(answer.status, answer.headers).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    messages,
    answerNext: (status, headers = {}, body = '{}') => queued.push({ status, headers, body }),
    answerWith(answer) {
      own = answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
