import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { createPurger, type Purger, type PurgerOptions } from '../../src/answers/purger.ts';
import { tagHeaders } from '../../src/answers/rendered.ts';
import { withServer } from '../sources/http-server.ts';
import { quiet } from '../support/quiet.ts';
import { until } from '../support/until.ts';

describe('the purger of downstream caches', () => {
  const server = withServer();
  const calls: { key: string; tags: string[]; token: string | undefined; at: number }[] = [];
  let statuses: number[] = [];
  let purger: Purger;

  beforeEach(() => {
    calls.length = 0;
    statuses = [];
    server.answer(async (req, res) => {
      const { tags } = JSON.parse(await textOf(req));
      const { 'surrogate-key': key = '', authorization } = req.headers;
      calls.push({ key: String(key), tags, token: authorization, at: performance.now() });
      res.writeHead(statuses.shift() ?? 200, { 'Retry-After': '0' }).end();
    });
  });
  afterEach(() => purger.close());

  function open(options: Partial<PurgerOptions> = {}): void {
    purger = createPurger({
      urls: [new URL(server.url)],
      log: quiet,
      collectMs: 10,
      repeatMs: 400,
      retryMs: 5,
      ...options,
    });
  }
  const sent = () => new Set(calls.flatMap(({ tags }) => tags));

  it('sends tags that change together in one call, in the form used in response headers', async () => {
    open({ header: ['Authorization', 'Bearer abc'] });
    purger.purge(['settled', 'game:nba:Hawks @ Otters']);
    purger.purge(['settled']);
    await until(() => calls.length > 0);
    const [first] = calls;
    expect(first?.tags).to.deep.equal(['settled', 'game:nba:Hawks%20%40%20Otters']);
    expect(first).to.include({ key: first?.tags.join(' '), token: 'Bearer abc' });
    expect(tagHeaders(['game:nba:Hawks @ Otters'])).to.deep.equal({
      'Surrogate-Key': 'everything game:nba:Hawks%20%40%20Otters',
      'Cache-Tag': 'everything,game:nba:Hawks%20%40%20Otters',
    });
  });

  it('repeats a purge after processes have stopped serving the old answer, and again for slow answers', async () => {
    open({ collectMs: 50, repeatMs: 700 });
    const from = performance.now();
    purger.purge(['settled']);
    // A timer may fire a few milliseconds early.
    await until(() => calls.some(({ at }) => at > from + 290));
    await until(() => calls.some(({ at }) => at > from + 690));
    // A call that started earlier may arrive later: the last one has no successor for four times `collectMs`.
    await until(() => {
      const last = calls.at(-1)?.at ?? 0;
      return performance.now() > last + 200;
    });
    const { length } = calls;
    await purger.close();
    expect(calls, 'nothing is left').to.have.lengthOf(length);
  });

  it('retries a refused purge, and reports the refusal until it is accepted', async () => {
    statuses = [500, 429, ...Array.from({ length: 20 }, () => 503)];
    open();
    const host = new URL(server.url).host;
    purger.purge(['posted']);
    await until(() => purger.refusals(0)[0] === `${host} has refused purges for 0 min: status 503.`);
    expect(purger.refusals(60_000), 'not that long').to.deep.equal([]);
    statuses = [];
    await until(() => purger.refusals(0).length === 0);
    expect(calls.at(-1)?.tags).to.deep.equal(['posted']);
  });

  it('does not let an unavailable cache delay another', async () => {
    open({ urls: [new URL('http://127.0.0.1:2/'), new URL(server.url)] });
    purger.purge(['posted']);
    await until(() => calls.length > 0 && purger.refusals(0).length > 0);
    expect(purger.refusals(0)).to.deep.equal(['127.0.0.1:2 has refused purges for 0 min: ECONNREFUSED.']);
  });

  it('sends at most 100 tags per call, and purges everything when over a thousand changed', async () => {
    open({ collectMs: 1 });
    const names = (count: number) => Array.from({ length: count }, (_, number) => `pick:${number}`);
    purger.purge(names(250));
    await until(() => sent().size === 250);
    expect(Math.max(...calls.map(({ tags }) => tags.length))).to.equal(100);
    purger.purge(names(1001));
    await until(() => sent().has('everything'));
  });

  it('sends the remaining tags on close', async () => {
    open({ collectMs: 60_000 });
    purger.purge(['closed']);
    await purger.close();
    expect(calls.map(({ tags }) => tags)).to.deep.equal([['closed']]);
  });
});

async function textOf(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part);
  return Buffer.concat(parts).toString();
}
