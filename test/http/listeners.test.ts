import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Server as Listener } from 'node:net';
import { expect } from 'chai';
import { listen } from '../../src/http/transport/bounded-server.ts';
import { closeServer } from '../../src/platform/shutdown.ts';
import { until } from '../support/until.ts';

describe('the listeners of a port', () => {
  const open: [Server, Listener[]][] = [];
  afterEach(async () => {
    for (const [server, further] of open.splice(0)) await closeServer(server, further);
  });

  /** Starts a server that holds its answers until the test sends them. */
  async function start(port = 0) {
    const held: ServerResponse[] = [];
    const server = createServer((_req, res) => held.push(res));
    const further = await listen(server, port, '127.0.0.1');
    open.push([server, further]);
    const { port: taken } = server.address() as AddressInfo;
    return { held, server, further, port: taken };
  }

  it('accept for one server, and end once all their requests are answered', async () => {
    const { held, server, further, port } = await start();
    const asked = Array.from({ length: 40 }, () => fetch(`http://127.0.0.1:${port}/`));
    await until(() => held.length === 40);
    const closing = closeServer(server, further);
    open.pop();
    let isClosed = false;
    const closed = closing.then(() => {
      isClosed = true;
    });
    for (const res of held.slice(1)) res.end('ok');
    const answered = asked.map(async (response) => (await response).text());
    await Promise.race([Promise.all(answered), once(held[1]!, 'close')]);
    expect(isClosed).to.equal(false);
    held[0]!.end('ok');
    expect(await Promise.all(answered)).to.deep.equal(asked.map(() => 'ok'));
    await closed;
  });

  it('accept several connections in each turn of the event loop', async () => {
    const { server, port } = await start();
    let accepted = 0;
    server.on('connection', () => {
      accepted += 1;
    });
    const sockets = Array.from({ length: 96 }, () => connect(port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    let turns = 0;
    while (accepted < 96) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    for (const socket of sockets) socket.destroy();
    // The kernel made all connections before the first turn. One listener takes 96 turns.
    expect(turns).to.be.below(48);
  });

  it('refuse a port that is in use, even by listeners of the same kind', async () => {
    const { port } = await start();
    const error = await listen(createServer(), port, '127.0.0.1').catch((thrown: unknown) => thrown);
    expect((error as NodeJS.ErrnoException).code).to.equal('EADDRINUSE');
  });
});
