import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createHead } from '../../src/http/head.ts';

describe('a head that is used again', () => {
  const body = Buffer.from('{"a":"ü"}');
  const large = Buffer.alloc(50_000, 'x');
  let server: Server;
  let written = 0;

  before(async () => {
    const headers = (length: number) => () => {
      written += 1;
      return ['Content-Type', 'text/plain', 'Content-Length', String(length)];
    };
    const transport = ['Strict-Transport-Security', 'max-age=31536000'];
    const heads = {
      '/small': [createHead(200, headers(body.length), transport), body],
      '/large': [createHead(200, headers(large.length), transport), large],
      '/unchanged': [createHead(304, () => ['ETag', '"a"'], transport), undefined],
    } as const;
    let n = 0;
    server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
      const [head, bytes] = heads[req.url as '/small'];
      head.send(req, res, `request-${++n}`, bytes);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** What a connection receives for requests sent at once, without what differs; the last one ends it. */
  async function sent(...requests: string[]): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.setEncoding('latin1');
    socket.end(requests.map((line) => `${line}\r\nHost: a\r\n\r\n`).join(''));
    return (await text(socket))
      .replace(/request-\d+/g, 'request-N')
      .replace(/Date: [^\r]{29}\r\n/g, 'Date: D\r\n');
  }

  for (const path of ['/small', '/large', '/unchanged'])
    for (const method of ['GET', 'HEAD'])
      it(`is the one that Node wrote first: ${method} ${path}`, async () => {
        const first = await sent(`${method} ${path} HTTP/1.1`);
        expect(first).to.match(/^HTTP\/1.1 (200 OK|304 Not Modified)\r\n/);
        expect(first).to.contain(
          'X-Request-Id: request-N\r\nStrict-Transport-Security: max-age=31536000\r\nDate: D\r\n',
        );
        expect(await sent(`${method} ${path} HTTP/1.1`)).to.equal(first);
      });

  it('keeps pipelined answers apart and in their order', async () => {
    const [small, large] = [await sent('GET /small HTTP/1.1'), await sent('GET /large HTTP/1.1')];
    const both = await sent('GET /large HTTP/1.1', 'GET /small HTTP/1.1', 'GET /large HTTP/1.1');
    expect(both).to.equal(large + small + large);
  });

  it('is written by Node where the connection ends with the answer', async () => {
    await sent('GET /small HTTP/1.1');
    const before = written;
    expect(await sent('GET /small HTTP/1.1\r\nConnection: close')).to.contain('\r\nConnection: close\r\n');
    const old = await sent('GET /small HTTP/1.0');
    expect(old).to.contain('\r\nConnection: close\r\n');
    expect(written).to.equal(before + 2);
  });

  it('has the present date', async () => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/small`);
    const date = Date.parse(String(response.headers.get('date')));
    expect(Date.now() - date).to.be.within(0, 2500);
    expect(Buffer.from(await response.arrayBuffer())).to.deep.equal(body);
  });
});
