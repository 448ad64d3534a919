import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { allowedHosts } from '../../../src/platform/config/kinds.ts';
import type { Attempt } from '../../../src/webhooks/client/attempt.ts';
import { createDeliveryClient, type DeliveryClient } from '../../../src/webhooks/client/client.ts';
import type { Address } from '../../../src/webhooks/guard/resolve.ts';
import { parseTarget, type Target } from '../../../src/webhooks/guard/target.ts';
import { createAuthority } from '../../support/authority.ts';
import { codePoint } from '../../support/code-point.ts';
import { latencyMs } from '../../support/patience.ts';
import { startRawServer } from '../../support/raw-server.ts';
import {
  type Answer,
  type Receiver,
  receiversAuthority,
  startReceiver,
  status,
} from '../../support/receivers.ts';
import { until } from '../../support/until.ts';

type Options = Parameters<typeof createDeliveryClient>[0];

const headers = { 'Content-Type': 'application/json', 'X-Service-Event': 'pick.posted' };
const loopback: Address = { address: '127.0.0.1', family: 4 };

describe('the delivery client', () => {
  let ca = '';
  const open: { close(): Promise<void> }[] = [];

  const receiver = async (options: Parameters<typeof startReceiver>[0] = {}): Promise<Receiver> => {
    const started = await startReceiver(options);
    open.push(started);
    return started;
  };
  const answering = (answer: Answer) => receiver({ answer });
  const client = (options: Omit<Partial<Options>, 'allowed'> & { allowed: string }): DeliveryClient => {
    const created = createDeliveryClient({
      ca,
      resolve: async () => [loopback],
      ...options,
      allowed: allowedHosts(options.allowed),
    });
    open.push(created);
    return created;
  };
  const targetOf = (url: string): Target => {
    const { hostname, port } = new URL(url);
    const verdict = parseTarget(url, allowedHosts(`${hostname}:${port || 443}`));
    if (!verdict.ok) throw new Error(verdict.reason);
    return verdict.target;
  };
  /** Sends one POST to a receiver, with a new client. */
  const post = (to: Receiver, limits: Options['limits'] = {}): Promise<Attempt> =>
    client({ allowed: to.host, limits }).post(targetOf(to.url('/hook?k=s3cr3t')), '{}', headers);

  before(async () => {
    ca = (await receiversAuthority()).certificate;
  });
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  describe('sends', () => {
    it("the body unchanged with the given headers, to the path and query, under the target's name", async () => {
      const to = await receiver();
      const sender = client({ allowed: to.host });
      const body = '{"pick":"Łódź"}';
      const attempt = await sender.post(targetOf(to.url('/a%20b?token=1')), body, headers);
      expect(attempt).to.include({
        status: 204,
        error: null,
        retryAfterMs: null,
        rateLimitMs: null,
        ours: false,
      });
      const [received] = to.received;
      expect(received).to.include({ method: 'POST', path: '/a%20b?token=1', body, servername: 'localhost' });
      expect(received?.headers).to.deep.equal({
        host: to.host,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'x-service-event': 'pick.posted',
        'content-length': String(Buffer.byteLength(body)),
      });
    });

    it('bytes as well as text', async () => {
      const to = await receiver();
      await client({ allowed: to.host }).post(targetOf(to.url()), '{"a":"ü"}', headers);
      expect(to.received[0]?.body).to.equal('{"a":"ü"}');
    });

    it('to an address without a name, which the certificate contains', async () => {
      const to = await receiver();
      const host = `127.0.0.1:${to.port}`;
      expect(await client({ allowed: host }).post(targetOf(`https://${host}/`), '{}', headers)).to.include({
        status: 204,
      });
      expect(to.received[0]?.servername).to.equal(false);
    });
  });

  describe('reports of an answer', () => {
    it('its status, with success only for 2xx', async () => {
      for (const code of [200, 201, 202, 204, 299])
        expect(await post(await answering(status(code)))).to.include({ status: code, error: null });
      for (const code of [300, 304, 400, 401, 404, 410, 429, 500, 503, 599])
        expect(await post(await answering(status(code)))).to.include({
          status: code,
          error: 'http',
          ours: false,
        });
    });

    it('a redirect, without following it', async () => {
      const elsewhere = await receiver();
      for (const code of [301, 302, 303, 307, 308]) {
        const to = await answering(status(code, { Location: elsewhere.url() }));
        expect(await post(to)).to.include({ status: code, error: 'http' });
        expect(to.received).to.have.length(1);
      }
      expect(elsewhere.connections()).to.equal(0);
    });

    it('the delay in Retry-After, in seconds or as a date', async () => {
      const to = await answering(status(429, { 'Retry-After': '120' }));
      expect(await post(to)).to.include({ status: 429, error: 'http', retryAfterMs: 120_000 });
      to.answer = status(503, {
        Date: 'Fri, 02 Jan 2026 10:00:00 GMT',
        'Retry-After': 'Fri, 02 Jan 2026 10:00:30 GMT',
      });
      expect(await post(to)).to.include({ status: 503, retryAfterMs: 30_000 });
      to.answer = status(200, { 'Retry-After': '120' });
      expect(await post(to)).to.include({ status: 200, retryAfterMs: null });
    });

    it("the chat platform's limits when they are used up", async () => {
      const to = await receiver({ names: ['discord.com'] });
      const host = `discord.com:${to.port}`;
      const sender = client({ allowed: host });
      const target = targetOf(`https://${host}/api/webhooks/1/s3cr3t`);
      to.answer = status(204, { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '1.25' });
      expect(await sender.post(target, '{}', headers)).to.include({ error: null, rateLimitMs: 1250 });
      to.answer = status(204, { 'X-RateLimit-Remaining': '3', 'X-RateLimit-Reset-After': '1.25' });
      expect(await sender.post(target, '{}', headers)).to.include({ error: null, rateLimitMs: null });
    });

    it('the final status after informational ones', async () => {
      const to = await answering((response) => {
        response.writeProcessing();
        response.writeEarlyHints({ link: '</a>; rel=preload' });
        response.writeHead(204).end();
      });
      expect(await post(to)).to.include({ status: 204, error: null });
    });
  });

  describe('reports as error', () => {
    it('a refused connection', async () => {
      const to = await receiver();
      await to.close();
      expect(await post(to)).to.include({ status: null, error: 'connect', ours: false });
    });

    it('a name that is not found', async () => {
      const resolve = () => Promise.reject(new Error('ENOTFOUND'));
      const sender = client({ allowed: 'localhost:1', resolve });
      const attempt = await sender.post(targetOf('https://localhost:1/s3cr3t'), '{}', headers);
      expect(attempt).to.include({ status: null, error: 'dns', ours: false });
    });

    it('a name that is not resolved in time', async () => {
      const resolve = () => new Promise<never>(() => {});
      const sender = client({ allowed: 'localhost:1', resolve, limits: { connectMs: 40 } });
      const attempt = await sender.post(targetOf('https://localhost:1/'), '{}', headers);
      expect(attempt).to.include({ status: null, error: 'dns' });
    });

    it('a certificate of an unknown authority, whatever the environment allows', async () => {
      const to = await receiver({ authority: await createAuthority('Somebody') });
      const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env;
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      try {
        expect(await post(to)).to.include({ status: null, error: 'tls', ours: false });
      } finally {
        if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
        else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
      }
      expect(to.received).to.deep.equal([]);
    });

    it('a certificate for another name', async () => {
      const to = await receiver({ names: ['elsewhere.example.com'] });
      const { host, url } = { host: `localhost:${to.port}`, url: `https://localhost:${to.port}/` };
      const attempt = await client({ allowed: host }).post(targetOf(url), '{}', headers);
      expect(attempt).to.include({ status: null, error: 'tls' });
      expect(to.received).to.deep.equal([]);
    });

    it('a peer without TLS, or a silent one', async () => {
      const plain = await startRawServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
      const silent = await startRawServer(() => {});
      open.push(plain, silent);
      const to = ({ host }: { host: string }, limits: Options['limits'] = {}) =>
        client({ allowed: host, limits }).post(targetOf(`https://${host}/`), '{}', headers);
      expect(await to(plain)).to.include({ status: null, error: 'tls' });
      const silence = await to(silent, { connectMs: 60 });
      expect(silence).to.include({ status: null, error: 'connect-timeout', ours: false });
    });

    it('bytes other than HTTP, and endless headers', async () => {
      const raw =
        (text: string): Answer =>
        (response) =>
          response.socket?.end(text);
      for (const text of [
        'SSH-2.0-OpenSSH_9.0\r\n',
        'HTTP/1.1 99999 Hm\r\n\r\n',
        `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      ])
        expect(await post(await answering(raw(text))), text.slice(0, 30)).to.include({
          status: null,
          error: 'protocol',
        });
    });

    it('a connection that breaks before an answer', async () => {
      const to = await answering((response) => response.socket?.destroy());
      expect(await post(to)).to.include({ status: null, error: 'reset' });
      to.answer = (response) => {
        response.writeProcessing();
        setTimeout(() => response.socket?.destroy(), 10);
      };
      expect(await post(to)).to.include({ status: null, error: 'reset' });
    });

    it('an answer that is late', async () => {
      const attempt = await post(await answering(() => {}), { totalMs: 60 });
      expect(attempt).to.include({ status: null, error: 'timeout', ours: false });
      expect(attempt.durationMs).to.be.within(50, latencyMs(10_000));
    });

    it('headers that arrive byte by byte', async () => {
      const to = await answering((response) => drip(response.socket, 'HTTP/1.1 204 No Content\r\nX: 1\r\n'));
      expect(await post(to, { totalMs: 80 })).to.include({ status: null, error: 'timeout' });
      await until(() => to.open() === 0);
    });

    it('endless informational answers', async () => {
      const to = await answering((response) => {
        const timer = setInterval(() => response.writeProcessing(), 2);
        response.socket?.once('close', () => clearInterval(timer));
      });
      expect(await post(to, { totalMs: 80 })).to.include({ status: null, error: 'timeout' });
    });
  });

  describe('reads no more of an answer than it must:', () => {
    it('an endless body is cut off, and the status counts', async () => {
      const to = await answering((response) => {
        response.writeHead(200);
        const write = () => {
          while (!response.destroyed && response.write('x'.repeat(1000)));
        };
        response.on('drain', write);
        write();
      });
      expect(await post(to)).to.include({ status: 200, error: null });
      await until(() => to.open() === 0);
    });

    it('a body that arrives byte by byte counts as no answer after the time limit', async () => {
      const to = await answering((response) => {
        response.writeHead(200);
        response.flushHeaders();
        drip(response, 'a body that drips on and on');
      });
      const attempt = await post(to, { totalMs: 80 });
      expect(attempt).to.include({ status: null, error: 'timeout' });
      expect(attempt.durationMs).to.be.lessThan(latencyMs(10_000));
      await until(() => to.open() === 0);
    });

    it('of 100 MB, almost nothing leaves the receiver', async () => {
      const size = 100_000_000;
      let written = 0;
      const to = await answering((response) => {
        response.writeHead(200, { 'Content-Length': size });
        const chunk = Buffer.alloc(64 * 1024);
        const write = () => {
          while (!response.destroyed && written < size) {
            written += chunk.length;
            if (!response.write(chunk)) return;
          }
        };
        response.on('drain', write);
        write();
      });
      expect(await post(to)).to.include({ status: 200, error: null });
      await until(() => to.open() === 0);
      // The capacity of two sockets' buffers.
      expect(written).to.be.lessThan(size / 5);
    });

    it('a body announced as too long is not read', async () => {
      const to = await answering((response) => {
        response.writeHead(200, { 'Content-Length': 4097 });
        response.flushHeaders();
      });
      expect(await post(to)).to.include({ status: 200, error: null });
    });

    it('chunk extensions, trailers, and informational answers are bounded too', async () => {
      const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
      for (const [start, more, outcome] of [
        [`${chunked}1;`, 'x'.repeat(1000), { status: 200, error: null }],
        [`${chunked}0\r\n`, 'x: y\r\n'.repeat(200), { status: 200, error: null }],
        ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(30), { status: null, error: 'protocol' }],
      ] as const) {
        let written = 0;
        const to = await answering(({ socket }) => {
          socket?.write(start);
          const write = () => {
            while (!socket?.destroyed && written < 100_000_000) {
              written += more.length;
              if (!socket?.write(more)) return;
            }
          };
          socket?.on('drain', write);
          write();
        });
        expect(await post(to), start).to.include(outcome);
        await until(() => to.open() === 0);
        expect(written, start).to.be.lessThan(20_000_000);
      }
    });

    it('the limit applies to each answer on a connection', async () => {
      const to = await answering(status(204, { 'X-Long': 'x'.repeat(15_000) }));
      const sender = client({ allowed: to.host, limits: { receivedBytes: 40_000 } });
      for (let i = 0; i < 10; i++)
        expect(await sender.post(targetOf(to.url()), '{}', headers)).to.include({ status: 204 });
      expect(to.connections()).to.equal(1);
    });

    it('a gzip bomb is neither requested nor inflated', async () => {
      const bomb = gzipSync(Buffer.alloc(20_000_000));
      const to = await answering((response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': bomb.length }).end(bomb),
      );
      expect(await post(to)).to.include({ status: 200, error: null });
      expect(to.received[0]?.headers).not.to.have.property('accept-encoding');
      // Inflating it would be an error.
      to.answer = (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('no gzip');
      expect(await post(to)).to.include({ status: 200, error: null });
    });

    it('the status of a truncated answer counts', async () => {
      const to = await answering((response) => {
        response.writeHead(200, { 'Content-Length': 100 });
        response.write('half', () => response.socket?.destroy());
      });
      expect(await post(to)).to.include({ status: 200, error: null });
    });

    it('a short body is read to its end, and the connection kept', async () => {
      const to = await answering((response) => response.writeHead(200).end('x'.repeat(4096)));
      const sender = client({ allowed: to.host });
      for (let i = 0; i < 5; i++)
        expect(await sender.post(targetOf(to.url()), '{}', headers)).to.include({ status: 200 });
      expect(to.connections()).to.equal(1);
      to.answer = (response) => response.writeHead(200).end('x'.repeat(4097));
      await sender.post(targetOf(to.url()), '{}', headers);
      await until(() => to.open() === 0);
    });
  });

  describe('connects', () => {
    it('to the next address if one is dead', async () => {
      const to = await receiver();
      const resolve = async () => [{ address: '127.0.0.2', family: 4 } as const, loopback];
      const attempt = await client({ allowed: to.host, resolve }).post(targetOf(to.url()), '{}', headers);
      expect(attempt).to.include({ status: 204 });
    });

    it('once for many requests, and resolves once', async () => {
      const to = await receiver();
      let asked = 0;
      const resolve = async () => {
        asked += 1;
        return [loopback];
      };
      const sender = client({ allowed: to.host, resolve });
      for (let i = 0; i < 30; i++) await sender.post(targetOf(to.url()), '{}', headers);
      expect([to.connections(), asked]).to.deep.equal([1, 1]);
    });

    it('again if the receiver has closed the connection or says that it will', async () => {
      const to = await answering(status(204, { Connection: 'close' }));
      const sender = client({ allowed: to.host });
      for (let i = 0; i < 3; i++)
        expect(await sender.post(targetOf(to.url()), '{}', headers)).to.include({ status: 204 });
      expect(to.connections()).to.equal(3);
      to.answer = (response) => {
        const { socket } = response;
        response.writeHead(204).end(() => socket?.end());
      };
      for (let i = 0; i < 3; i++) {
        expect(await sender.post(targetOf(to.url()), '{}', headers)).to.include({ status: 204 });
        await until(() => to.open() === 0);
      }
    });

    it('and closes unused connections, and resolves again after a failure', async () => {
      const to = await receiver();
      let asked = 0;
      const resolve = async () => {
        asked += 1;
        return [loopback];
      };
      const sender = client({ allowed: to.host, resolve, limits: { idleMs: 30 } });
      await sender.post(targetOf(to.url()), '{}', headers);
      expect(to.connections()).to.equal(1);
      await until(() => to.open() === 0);
      expect(await sender.post(targetOf(to.url()), '{}', headers)).to.include({ status: 204 });
      expect(asked).to.equal(1);
      await to.close();
      for (let i = 0; i < 3; i++) await sender.post(targetOf(to.url()), '{}', headers);
      expect(asked).to.equal(3);
    });

    it('to few hosts at once, closing the oldest unused connection for a new one', async () => {
      const [one, two, three] = [await receiver(), await receiver(), await receiver()];
      const allowed = [one, two, three].map(({ host }) => host).join();
      const sender = client({ allowed, limits: { hosts: 2 } });
      for (const to of [one, two, three]) await sender.post(targetOf(to.url()), '{}', headers);
      await until(() => one.open() === 0);
      expect([two.open(), three.open()]).to.deep.equal([1, 1]);
    });
  });

  describe('resolves and checks the target', () => {
    // Public by every rule, but allocated to nobody: no packet to it arrives anywhere.
    const nowhere: Address = { address: '2d00::1', family: 6 };
    const hook = targetOf('https://hooks.public-picks.com/s3cr3t');

    it('without connecting to a private address, whatever was public a moment ago', async () => {
      const loopbacks = await startRawServer((socket) => socket.destroy());
      open.push(loopbacks);
      let asked = 0;
      const resolve = async () => {
        asked += 1;
        return asked === 1 ? [nowhere] : [nowhere, loopback];
      };
      const target = { ...hook, port: loopbacks.port };
      const sender = client({ allowed: '', resolve, limits: { connectMs: 60, checkedMs: 0 } });
      // The client connects to the first answer; by then, the name resolves differently.
      expect((await sender.post(target, '{}', headers)).error).to.match(/^connect(-timeout)?$/);
      for (let i = 0; i < 3; i++)
        expect(await sender.post(target, '{}', headers)).to.include({ error: 'refused', ours: false });
      expect(asked).to.equal(4);
      expect(loopbacks.connections()).to.equal(0);
    });

    it('once for concurrent requests', async () => {
      let asked = 0;
      const resolve = async () => {
        asked += 1;
        return [loopback];
      };
      const sender = client({ allowed: '', resolve });
      const attempts = await Promise.all(Array.from({ length: 5 }, () => sender.post(hook, '{}', headers)));
      expect(attempts.map(({ error }) => error)).to.deep.equal(Array(5).fill('refused'));
      expect(asked).to.equal(1);
    });

    it('again after a while, even over an open connection', async () => {
      const to = await receiver();
      const allowed = new Set(allowedHosts(to.host));
      const sender = createDeliveryClient({
        allowed,
        ca,
        resolve: async () => [loopback],
        limits: { checkedMs: 20 },
      });
      open.push(sender);
      expect(await sender.post(targetOf(to.url()), '{}', headers)).to.include({ status: 204 });
      allowed.clear();
      await new Promise((resolve) => setTimeout(resolve, 25));
      expect(to.open()).to.equal(1);
      expect(await sender.post(targetOf(to.url()), '{}', headers)).to.include({ error: 'refused' });
      expect(to.received).to.have.length(1);
    });
  });

  describe('bounds', () => {
    /** Answers after a moment, and records the highest number of concurrent requests. */
    const counting = async (state: { now: number; most: number }) =>
      answering((response) => {
        state.now += 1;
        state.most = Math.max(state.most, state.now);
        setTimeout(() => {
          state.now -= 1;
          response.writeHead(204).end();
        }, 5);
      });

    it('the concurrent requests in total', async () => {
      const state = { now: 0, most: 0 };
      const to = await Promise.all(Array.from({ length: 4 }, () => counting(state)));
      const sender = client({
        allowed: to.map(({ host }) => host).join(),
        limits: { total: 3 },
      });
      const attempts = await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          sender.post(targetOf((to[i % 4] as Receiver).url()), '{}', headers),
        ),
      );
      expect(state.most).to.equal(3);
      expect(attempts.filter(({ error, ours }) => error === 'busy' && ours)).to.have.length(21);
      expect(await sender.post(targetOf(to[0]!.url()), '{}', headers)).to.include({ status: 204 });
    });

    it('its work on close to the requests in progress', async () => {
      const to = await answering((response) => setTimeout(() => response.writeHead(204).end(), 20));
      const sender = createDeliveryClient({
        allowed: allowedHosts(to.host),
        ca,
        resolve: async () => [loopback],
      });
      const sent = sender.post(targetOf(to.url()), '{}', headers);
      await sender.close();
      expect(await sent).to.include({ status: 204 });
      await until(() => to.open() === 0);
      const refusal = await sender.post(targetOf(to.url()), '{}', headers).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(Error);
    });
  });

  it('survives any bytes that a receiver answers with', async () => {
    const pieces = fc.constantFrom(
      'HTTP/1.1 ',
      '200 OK\r\n',
      '103 Hints\r\n',
      '500 \r\n',
      'Content-Length: 5\r\n',
      'Content-Length: -1\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Connection: upgrade\r\nUpgrade: h2c\r\n',
      'Retry-After: ,\r\n',
      '\r\n',
      '5\r\nhello\r\n0\r\n\r\n',
      'FFFFFFFFFFFFFFFFF\r\n',
      '\0',
      'hello',
    );
    const answers = fc.oneof(
      fc.array(pieces, { maxLength: 8 }).map((texts) => texts.join('')),
      fc.array(pieces, { maxLength: 8 }).map((texts) => `HTTP/1.1 200 OK\r\n${texts.join('')}`),
      fc.string({ unit: codePoint, maxLength: 100 }),
    );
    let bytes = '';
    const to = await answering((response) => response.socket?.end(bytes, 'latin1'));
    const sender = client({ allowed: to.host });
    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        bytes = given;
        const { status, error, ours } = await sender.post(targetOf(to.url()), '{}', headers);
        expect(error === null, `${status} ${error}`).to.equal(
          status !== null && status >= 200 && status < 300,
        );
        expect(error === 'http').to.equal(status !== null && status >= 300);
        expect(ours).to.equal(false);
      }),
      { numRuns: 60 },
    );
  });

  it('never reveals a word of the URL, whatever happens', async () => {
    const to = await answering((response, { path }) => {
      if (path.includes('reset')) response.socket?.destroy();
      else if (path.includes('garbage')) response.socket?.end('s3cr3t s3cr3t\r\n');
      else if (!path.includes('hang')) response.writeHead(500, { 'X-Echo': 's3cr3t' }).end('s3cr3t');
    });
    const warnings: unknown[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const sender = client({ allowed: `${to.host},localhost:1`, limits: { totalMs: 50 } });
    for (const path of ['/reset', '/garbage', '/hang', '/500'])
      warnings.push(await sender.post(targetOf(to.url(`${path}/s3cr3t?s3cr3t`)), 's3cr3t', headers));
    warnings.push(await sender.post(targetOf('https://localhost:1/s3cr3t'), 's3cr3t', headers));
    warnings.push(await client({ allowed: '' }).post(targetOf('https://10.0.0.1/s3cr3t'), 's3cr3t', headers));
    const wrong = sender.post(targetOf(to.url('/s3cr3t')), 's3cr3t', { 'not a header': 'x' });
    warnings.push(await wrong.catch((error: unknown) => error));
    process.off('warning', listen);
    expect(warnings).to.have.length(7);
    expect(warnings[6]).to.be.instanceOf(Error);
    expect(inspect(warnings, { depth: 9 })).not.to.contain('s3cr3t');
  });
});

/** Writes a byte every few milliseconds, endlessly. */
function drip(to: { write(text: string): unknown; destroyed: boolean } | null, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (to === null || to.destroyed) return clearInterval(timer);
    to.write(text[at++ % text.length] as string);
  }, 3);
}
