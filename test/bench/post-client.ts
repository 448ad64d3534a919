import { connect, type Socket } from 'node:net';

/** Sends POST requests over persistent connections: one request at a time on each, the others wait. */
export interface PostClient {
  /** @returns the status and the body */
  post(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<[number, string]>;
  close(): void;
}

interface Connection {
  socket: Socket;
  /** The callbacks of the pending answer. */
  answered?: { resolve(answer: [number, string]): void; reject(error: Error): void };
}

/**
 * Creates a client that parses only what a bench needs, since a complete HTTP client costs as much as half of the request. Answers must
 * have a `Content-Length`.
 */
export function createPostClient(address: string, connections: number): PostClient {
  const { hostname, port } = new URL(address);
  const free: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  const open: Connection[] = [];
  // Opened on demand: the server closes a connection that sends no request.
  const another = () => {
    const connection = connected(hostname, Number(port));
    open.push(connection);
    return connection;
  };
  const take = () =>
    free.pop() ??
    (open.length < connections ? another() : new Promise<Connection>((resolve) => waiting.push(resolve)));
  return {
    async post(path, headers, body) {
      const connection = await take();
      const lines = Object.entries({ Host: hostname, 'Content-Length': Buffer.byteLength(body), ...headers });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      try {
        return await new Promise((resolve, reject) => {
          connection.answered = { resolve, reject };
          connection.socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
        });
      } finally {
        const next = waiting.shift();
        if (next === undefined) free.push(connection);
        else next(connection);
      }
    },
    close() {
      for (const { socket } of open) socket.destroy();
    },
  };
}

function connected(host: string, port: number): Connection {
  const socket = connect({ host, port }).setNoDelay(true);
  const connection: Connection = { socket };
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = received.toString('latin1', 0, end);
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
    if (length === undefined) throw new Error(`no Content-Length: ${head}`);
    if (received.length < end + 4 + Number(length)) return;
    const body = received.toString('utf8', end + 4);
    received = Buffer.alloc(0);
    connection.answered?.resolve([Number(head.slice(9, 12)), body]);
  });
  socket.on('error', (error) => connection.answered?.reject(error));
  socket.on('close', () => connection.answered?.reject(new Error('the connection was closed')));
  return connection;
}
