// Puts load on one address: `fork('hammer.ts')`, then messages of {@link Load}. Each is answered with a {@link Shot}. The client reads a
// response only by its length, so that it costs far less than the server.

import { connect, type Socket } from 'node:net';

export interface Load {
  port: number;
  path: string;
  headers: Readonly<Record<string, string>>;
  connections: number;
  ms: number;
  /** Whether to read the length of every response. Default: all are as long as the first. */
  uneven?: boolean;
}

export interface Shot {
  perSecond: number;
  /** Milliseconds within which half and 99% of the answers arrived. */
  median: number;
  p99: number;
}

process.on('message', async (load: Load) => {
  const lines = Object.entries({ Host: 'bench.example', ...load.headers }).map(([k, v]) => `${k}: ${v}\r\n`);
  const request = `GET ${load.path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const first = lengthOf(await firstOf(load.port, request));
  const times: number[] = [];
  const began = performance.now();
  const until = began + load.ms;
  await Promise.all(
    Array.from({ length: load.connections }, () =>
      ask(load.port, request, load.uneven === true ? undefined : first, until, times),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  const quantile = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN;
  process.send?.({
    perSecond: times.length / seconds,
    median: quantile(0.5),
    p99: quantile(0.99),
  } satisfies Shot);
});

/** Returns the start of an answer, at least up to its body. */
function firstOf(port: number, request: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
    socket.on('error', reject).on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (!received.includes('\r\n\r\n')) return;
      socket.destroy();
      resolve(received);
    });
  });
}

/** Returns the bytes of an answer: its head, and the body that the head declares. */
function lengthOf(begin: Buffer): number {
  const head = begin.toString('latin1', 0, begin.indexOf('\r\n\r\n') + 4);
  const [, status] = /^HTTP\/1.1 (200|304) /.exec(head) ?? [];
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? (status === '304' ? ['', '0'] : []);
  if (status === undefined || length === undefined) throw new Error(`answered ${head}`);
  return head.length + Number(length);
}

function ask(
  port: number,
  request: string,
  length: number | undefined,
  until: number,
  times: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = length ?? 0;
    let sent = 0;
    const next = (socket: Socket) => {
      sent = performance.now();
      socket.write(request);
    };
    const read = (bytes: number, chunk: Uint8Array): boolean => {
      // A head arrives in one chunk: it is far shorter than what the kernel delivers at a time.
      if (length === undefined && left === 0) left = lengthOf(Buffer.from(chunk.buffer, 0, bytes));
      left -= bytes;
      if (left > 0) return true;
      if (left < 0) reject(new Error('the answers vary in length'));
      const now = performance.now();
      times.push(now - sent);
      left = length ?? 0;
      if (now < until) next(socket);
      else {
        socket.destroy();
        resolve();
      }
      return true;
    };
    // One buffer per connection: a new one for each part of a large answer costs the client more than the server.
    const onread = { buffer: Buffer.allocUnsafeSlow(2 ** 18), callback: read };
    const socket = connect({ port, host: '127.0.0.1', onread }, () => next(socket)).setNoDelay(true);
    socket.on('error', reject);
  });
}
