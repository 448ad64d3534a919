import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Heard {
  method: string;
  path: string;
  body: string;
}

/** A stand-in for a chat's incoming webhook. It always accepts a GET, such as a heartbeat. */
export interface ChatReceiver {
  /** For example `http://127.0.0.1:40123`, without a path. */
  address: string;
  /** All received requests, including refused ones. */
  heard: Heard[];
  /** Texts of the accepted messages. */
  messages: string[];
  /** Sets the answer to the next request only. */
  answerNext(status: number, headers?: Record<string, string>, body?: string): void;
  /** Sets a custom answer from now on; `undefined` restores the default. */
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
