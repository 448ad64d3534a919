import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createBoundedServer, type ServerLimits } from '../../src/http/transport/bounded-server.ts';
import { until } from '../support/until.ts';

describe('a bounded server', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  /** Unanswered requests for /held, and answers to /large. */
  const held: ServerResponse[] = [];
  const large: ServerResponse[] = [];

  /** Starts a server that answers with the request's body, or with 8 MiB at /large. */
  async function start(limits: Partial<ServerLimits>): Promise<number> {
    const server = createBoundedServer(
      async (req, res) => {
        if (req.url === '/held') return void held.push(res);
        if (req.url === '/large') return void large.push(res.end(Buffer.alloc(8 << 20)));
        req.on('error', () => {});
        const parts: Buffer[] = [];
        for await (const part of req) parts.push(part as Buffer);
        res.end(Buffer.concat(parts));
      },
      { connections: 100, ...limits },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
  }

  async function open(
    port: number,
  ): Promise<{ socket: Socket; received: () => string; closed: () => boolean }> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    cleanups.push(() => socket.destroy());
    let text = '';
    let isClosed = false;
    socket.on('data', (data) => {
      text += data.toString('latin1');
    });
    socket.on('close', () => {
      isClosed = true;
    });
    await once(socket, 'connect');
    return { socket, received: () => text, closed: () => isClosed };
  }

  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  it('closes connections beyond its maximum, and accepts new ones when others have closed', async () => {
    const port = await start({ connections: 2 });
    const [first, second] = [await open(port), await open(port)];
    for (const { socket } of [first, second]) socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => held.length === 2);
    await until((await open(port)).closed);
    first.socket.destroy();
    await until(async () => {
      const next = await open(port);
      next.socket.write(request);
      await until(() => next.received() !== '' || next.closed());
      return next.received().startsWith('HTTP/1.1 200');
    });
  });

  it('closes the longest idle connection to make room for a new one', async () => {
    const port = await start({ connections: 2 });
    const [asking, longest] = [await open(port), await open(port)];
    asking.socket.write(request);
    await until(() => asking.received() !== '');
    const next = await open(port);
    await until(longest.closed);
    for (const { socket } of [asking, next]) socket.write(request);
    await until(() => next.received().startsWith('HTTP/1.1 200'));
    await until(() => asking.received().split('HTTP/1.1 200').length === 3);
  });

  it('closes connections of one address beyond its share', async () => {
    const port = await start({ perAddress: 2 });
    const kept = [await open(port), await open(port)];
    await until((await open(port)).closed);
    for (const { socket } of kept) socket.write(request);
    await until(() => kept.every(({ received }) => received().startsWith('HTTP/1.1 200')));
  });

  it('answers slow headers and slow bodies with 408, and closes', async () => {
    const port = await start({ headersMs: 100, requestMs: 300 });
    const silent = await open(port);
    const headers = await open(port);
    headers.socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const body = await open(port);
    body.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n1');
    await until(() => [silent, headers, body].every(({ closed }) => closed()));
    expect(headers.received()).to.match(/^HTTP\/1\.1 408 /);
    expect(body.received()).to.match(/^HTTP\/1\.1 408 /);
  });

  it('closes a connection whose client has stopped reading', async () => {
    const port = await start({ stallMs: 150 });
    const reader = await open(port);
    reader.socket.pause();
    reader.socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => large[0]?.closed === true);
    reader.socket.resume();
    await until(reader.closed);
    expect(reader.received().length).to.be.below(8 << 20);
  });
});
