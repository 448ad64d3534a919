import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createAttempts } from '../../src/operator/auth.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';

const token = 'the-token-of-these-tests';
const bearer = { Authorization: `Bearer ${token}` };
const json = { 'Content-Type': 'application/json' };

describe("the edges of the operator's port", () => {
  const stores = withDatabase();
  const redis = withRedis();
  let operator: RunningOperator;
  let address: string;

  // A new server for each test, since wrong tokens are remembered.
  beforeEach(async () => {
    const settings = { OPERATOR_TOKEN: token };
    operator = await startOperator({ database: stores, redis }, fixedClock('2024-10-06T16:00:00Z'), settings);
    ({ address } = operator);
  });
  afterEach(() => operator?.close());

  const status = async (path: string, init: RequestInit) => (await fetch(address + path, init)).status;

  it("accept changes only from the same origin, and none with a form's content type", async () => {
    const post = (headers: Record<string, string>) =>
      status('/picks', { method: 'POST', headers: { ...bearer, ...json, ...headers }, body: '[]' });
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    ])
      expect(await post(headers), JSON.stringify(headers)).to.equal(403);
    expect(await post({ 'Content-Type': 'text/plain' })).to.equal(415);
    expect(await post({ 'Sec-Fetch-Site': 'same-origin', Origin: address })).to.equal(200);
  });

  it('send a Content-Security-Policy with every answer', async () => {
    for (const [path, policy] of [
      ['/queues', /script-src 'self';.*connect-src 'self';.*frame-ancestors 'none'/],
      ['/metrics', /^default-src 'none'; frame-ancestors 'none'$/],
      ['/nowhere', /^default-src 'none'; frame-ancestors 'none'$/],
    ] as const) {
      const response = await fetch(address + path, {
        headers: { Authorization: `Basic ${btoa(`x:${token}`)}` },
      });
      await response.arrayBuffer();
      expect(response.headers.get('content-security-policy'), path).to.match(policy);
      expect(response.headers.get('x-frame-options'), path).to.equal('DENY');
    }
  });

  it('decode a body by its Content-Encoding, and answer 400 if that fails', async () => {
    for (const coding of ['gzip', 'deflate', 'br'])
      for (const body of ['garbage', gzipSync('[]').subarray(0, 12)])
        expect(
          await status('/picks', {
            method: 'POST',
            headers: { ...bearer, ...json, 'Content-Encoding': coding },
            body,
          }),
          coding,
        ).to.equal(400);
    const headers = { ...bearer, ...json, 'Content-Encoding': 'gzip' };
    expect(await status('/picks', { method: 'POST', headers, body: gzipSync('[]') })).to.equal(200);
    expect(
      await status('/picks', {
        method: 'POST',
        headers: { ...headers, 'Content-Encoding': 'rot13' },
        body: '[]',
      }),
    ).to.equal(415);
  });

  it('read small bodies and large ones alike', async () => {
    const answerTo = async (type: string, body: string | Buffer) => {
      const headers = { ...bearer, 'Content-Type': type };
      const response = await fetch(`${address}/picks`, { method: 'POST', headers, body });
      return [response.status, await response.json()];
    };
    for (const [body, expected] of [
      ['[]', 200],
      [' \n[]', 200],
      ['\ufeff[]', 200],
      ['{}', 422],
      ['', 422],
      ['[{"pick": "caf\\u00e9", "capperHandle": "é"}]', 200],
      [Buffer.from('[{"pick": "\xff"}]', 'latin1'), 200],
      ['[{"__proto__": {}}]', 400],
      ['[{"a": [{"\\u005f_proto__": 1}]}]', 400],
      ['["__proto__"]', 200],
      [' ', 400],
      ['[', 400],
      ['1', 400],
      ['null', 400],
      ['"text"', 400],
    ] as const) {
      const small = await answerTo('application/json', body);
      expect(small[0], String(body)).to.equal(expected);
      expect(small, String(body)).to.deep.equal(await answerTo('application/json; charset=utf-8', body));
    }
  });

  it('delay attempts after wrong tokens, and refuse even the right one meanwhile', async () => {
    const wrong = { headers: { Authorization: 'Bearer wrong' } };
    const seen = [];
    for (let at = 0; at < 5; at += 1) seen.push(await status('/metrics', wrong));
    expect(seen).to.deep.equal([401, 401, 401, 401, 429]);
    const refused = await fetch(`${address}/metrics`, { headers: bearer });
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '1']);
  });

  it('do not count requests without a token', async () => {
    for (let at = 0; at < 10; at += 1) expect(await status('/queues', {})).to.equal(401);
    expect(await status('/metrics', { headers: bearer })).to.equal(200);
  });
});

describe('attempts with a wrong token', () => {
  it('cost a delay that doubles from a second to a minute, until the right token or an hour later', () => {
    let now = 1;
    const attempts = createAttempts(() => now);
    const delays = Array.from({ length: 12 }, () => {
      attempts.wrong('a');
      return attempts.delayOf('a') / 1000;
    });
    expect(delays).to.deep.equal([0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(attempts.delayOf('b')).to.equal(0);
    attempts.right('a');
    expect(attempts.delayOf('a')).to.equal(0);
    for (let at = 0; at < 12; at += 1) attempts.wrong('a');
    now += 3_600_001;
    attempts.wrong('a');
    expect(attempts.delayOf('a')).to.equal(0);
  });

  it('are remembered for a bounded number of addresses', () => {
    const attempts = createAttempts();
    for (let at = 0; at < 4; at += 1) attempts.wrong('first');
    for (let at = 0; at < 10_000; at += 1) attempts.wrong(`address ${at}`);
    expect(attempts.delayOf('first')).to.equal(0);
  });
});
