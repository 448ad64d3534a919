import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { get, Unanswered } from '../../src/sources/http.ts';
import { withServer } from './http-server.ts';

describe('a request to a provider', () => {
  const server = withServer();

  async function failure(path: string, options: Parameters<typeof get>[1] = {}): Promise<string> {
    try {
      await get(new URL(`${server.url}${path}?apiKey=secret`), options);
    } catch (error) {
      expect(error).to.be.instanceOf(Unanswered);
      expect((error as Error).message).to.not.contain('secret');
      return (error as Error).message;
    }
    throw new Error('it was answered');
  }

  it('returns status, headers, and text', async () => {
    server.answer((_, res) => res.writeHead(201, { 'x-requests-used': '3' }).end('grüße'));
    const { status, headers, text } = await get(new URL(server.url));
    expect([status, headers['x-requests-used'], text]).to.deep.equal([201, '3', 'grüße']);
  });

  it('decodes a compressed answer, up to its limit', async () => {
    server.answer((_, res) =>
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000))),
    );
    expect((await get(new URL(server.url))).text).to.have.length(100_000);
    expect(await failure('/', { maxBytes: 50_000 })).to.equal('the answer is larger than 50000 bytes');
    server.answer((_, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end('not compressed'));
    expect(await failure('/')).to.equal('unreachable (Z_DATA_ERROR)');
  });

  it('times out without an answer or with half of one', async () => {
    server.answer(() => {});
    expect(await failure('/', { timeoutMs: 50 })).to.equal('no answer within 0.05 s');
    server.answer((_, res) => res.writeHead(200).write('half'));
    expect(await failure('/', { timeoutMs: 50 })).to.equal('no answer within 0.05 s');
  });

  it('reads no more than its limit', async () => {
    server.answer((_, res) => res.writeHead(200).end('x'.repeat(100_000)));
    expect(await failure('/', { maxBytes: 1000 })).to.equal('the answer is larger than 1000 bytes');
  });

  it('reports a refused and a broken connection', async () => {
    const closed = await get(new URL('http://127.0.0.1:9/')).catch((error: Error) => error.message);
    expect(closed).to.equal('unreachable (ECONNREFUSED)');
    server.answer((req) => req.socket.destroy());
    expect(await failure('/')).to.match(/^unreachable/);
  });

  it('follows redirects only on the same host, and only if allowed', async () => {
    server.answer((req, res) =>
      req.url?.startsWith('/old') === true ? res.writeHead(301, { location: '/new' }).end() : res.end('here'),
    );
    expect(await failure('/old')).to.equal('a redirect (301), which is not followed');
    expect((await get(new URL(`${server.url}/old`), { redirects: 1 })).text).to.equal('here');
    server.answer((_, res) => res.writeHead(302, { location: 'http://localhost:1/' }).end());
    expect(await failure('/', { redirects: 3 })).to.equal(
      'a redirect (302) to another host, which is not followed',
    );
    server.answer((_, res) => res.writeHead(302).end());
    expect(await failure('/', { redirects: 3 })).to.equal('a redirect (302) without a valid location');
    server.answer((_, res) => res.writeHead(302, { location: '/' }).end());
    expect(await failure('/', { redirects: 3 })).to.equal('a redirect (302), which is not followed');
    expect(server.asked).to.have.length(4);
  });

  it('stops at once at shutdown', async () => {
    server.answer(() => {});
    expect(await failure('/', { signal: AbortSignal.timeout(20) })).to.equal('shutting down');
  });
});
