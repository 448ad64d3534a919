import { rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { runMonitor } from '../../packages/client/src/commands/monitor.ts';
import { withServer } from '../sources/http-server.ts';
import { withFolder } from '../support/folders.ts';
import { until } from '../support/until.ts';
import { createMemoryLog, follow, type MemoryLog, post, trusted } from './memory-log.ts';
import { serveLog } from './served-log.ts';

type Refusal = (res: ServerResponse) => void;

const refuse =
  (status: number, headers: Record<string, string> = {}): Refusal =>
  (res) =>
    res.writeHead(status, headers).end();
const cut: Refusal = (res) => res.destroy();

describe('a monitor of an overloaded log', () => {
  const server = withServer();
  const folder = withFolder();
  let log: MemoryLog;
  let printed: string[];

  const state = () => join(folder.path(), 'state.json');

  /** Serves a log after refusals of one path. */
  function refusing(path: string, refusals: readonly Refusal[]): void {
    const left = [...refusals];
    const serve = serveLog(() => log.client());
    server.answer((req, res) => {
      const refusal = req.url?.startsWith(path) ? left.shift() : undefined;
      if (refusal === undefined) serve(req, res);
      else refusal(res);
    });
  }

  function run({
    backoffMs = [1, 2, 3, 4, 5],
    once = true,
    signal = new AbortController().signal,
  } = {}): Promise<number> {
    const options = { key: [trusted], state: state(), every: 1, once, history: true, backoffMs };
    return runMonitor(server.url, options, (line) => printed.push(line.replace(/^\S+Z /, '')), signal);
  }

  beforeEach(() => {
    printed = [];
    rmSync(state(), { force: true });
    log = createMemoryLog();
    for (let n = 1; n <= 12; n += 1) follow(log, post(log, 'ada', n, n), 'settled');
  });

  it('repeats refused requests, and says what it waits for', async () => {
    refusing('/ledger/checkpoint', [refuse(503), refuse(429), cut, refuse(502), refuse(504)]);
    const status = await run();
    const waits = printed.slice(0, -1);
    expect(waits).to.have.length(5);
    expect(waits[0]).to.equal(`${server.url}/ledger/checkpoint answers 503. Trying again in 1 s.`);
    expect(waits[1]).to.include('answers 429');
    expect(waits[2]).to.include('cannot be read');
    expect(printed.at(-1)).to.include('24 entries, 24 new.');
    expect(status, printed.join('\n')).to.equal(0);
  });

  it('waits as long as the log asks, in one pause for all concurrent requests', async () => {
    refusing('/ledger/body/', Array(4).fill(refuse(503, { 'Retry-After': '1' })));
    const began = performance.now();
    expect(await run(), printed.join('\n')).to.equal(0);
    expect(performance.now() - began).to.be.greaterThan(990);
    expect(printed).to.have.length(2);
    expect(printed[0]).to.match(/body\/\d+ answers 503\. Trying again in 1 s, as the log asks\.$/);
  });

  it('judges nothing after the last repeat, and exits with status 2', async () => {
    refusing('/ledger/tile/entries', Array(6).fill(refuse(503)));
    expect(await run()).to.equal(2);
    expect(printed.at(-1)).to.match(
      /^The log could not be read: \S+ answers 503, 6 times in 1 s\. Nothing was judged\.$/,
    );
  });

  it('gives up at once if repeating cannot help, or if the log asks for more than 2 minutes', async () => {
    refusing('/ledger/checkpoint', [refuse(404)]);
    expect(await run()).to.equal(2);
    expect(printed).to.deep.equal([
      `The log could not be read: ${server.url}/ledger/checkpoint answers 404. Nothing was judged.`,
    ]);
    printed = [];
    refusing('/ledger/checkpoint', [refuse(503, { 'Retry-After': '600' })]);
    expect(await run()).to.equal(2);
    expect(printed[0]).to.match(/answers 503, and asks for no requests for 600 s\. Nothing was judged\.$/);
  });

  it('resumes from the same entry after a failed poll', async () => {
    const stop = new AbortController();
    refusing('/ledger/checkpoint', [refuse(500)]);
    const ended = run({ once: false, signal: stop.signal });
    await until(() => printed.some((line) => line.includes('24 new')));
    stop.abort();
    expect(await ended).to.equal(0);
    expect(printed[0]).to.match(/Nothing was judged\. The next poll is in 1 s\.$/);
  });

  it('stops during a wait, with status 2 for an unreadable log', async () => {
    const stop = new AbortController();
    refusing('/ledger/checkpoint', Array(6).fill(refuse(503, { 'Retry-After': '100' })));
    const ended = run({ once: false, signal: stop.signal });
    await until(() => printed.length > 0);
    stop.abort();
    expect(await ended).to.equal(2);
  });
});
