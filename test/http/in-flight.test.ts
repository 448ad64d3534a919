import { expect } from 'chai';
import { maxInFlight } from '../../src/http/transport/in-flight.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

describe('requests in flight', () => {
  const database = withDatabase();
  const redis = withRedis();
  let api: RunningApi;
  let late = false;
  /** Ends the requests for /held that are being answered. */
  const held: (() => void)[] = [];

  before(async () => {
    const hold = {
      method: 'GET' as const,
      path: '/held',
      handle: () => new Promise<{ body: string }>((resolve) => held.push(() => resolve({ body: 'ok' }))),
    };
    api = await startApi({ database, redis }, { boards: [], routes: [hold], loop: { isLate: () => late } });
  });
  after(async () => {
    for (const end of held.splice(0)) end();
    await api.close();
  });

  const ask = (path: string) => fetch(api.address + path);

  it('are bounded: one more is refused at once, probes are answered, and others once there is room', async () => {
    const waiting = Array.from({ length: maxInFlight }, () => ask('/held'));
    await until(() => held.length === maxInFlight);
    const refused = await ask('/held');
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect(refused.headers.get('content-type')).to.match(/^application\/problem\+json/);
    expect((await ask('/readyz')).status).to.equal(200);
    for (const end of held.splice(0)) end();
    for (const response of await Promise.all(waiting)) expect(response.status).to.equal(200);
    expect((await ask('/api/version')).status).to.equal(200);
  });

  it('are fewer while the event loop is late, and a browser gets a page', async () => {
    const waiting = Array.from({ length: 10 }, () => ask('/held'));
    await until(() => held.length === 10);
    expect((await ask('/api/version')).status).to.equal(200);
    late = true;
    const refused = await ask('/api/version?x=1');
    expect(refused.status).to.equal(503);
    expect(await refused.json()).to.include({ status: 503, instance: '/api/version' });
    const page = await fetch(`${api.address}/how`, { headers: { Accept: 'text/html,*/*' } });
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([503, 'text/html; charset=utf-8']);
    expect(await page.text()).to.contain(page.headers.get('x-request-id'));
    expect((await ask('/livez')).status).to.equal(200);
    for (const end of held.splice(0)) end();
    await Promise.all(waiting);
    expect((await ask('/api/version?x=2')).status, 'a few are answered').to.equal(200);
    late = false;
  });
});
