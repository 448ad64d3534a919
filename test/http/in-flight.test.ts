import { expect } from 'chai';
import { exportPaths } from '../../src/http/api/record-export.ts';
import { maxInFlight, maxWhileLate } from '../../src/http/transport/in-flight.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

describe('requests in flight', () => {
  const database = withDatabase();
  const redis = withRedis();
  let api: RunningApi;
  let late = false;
  /** Functions that end the pending requests for /held. */
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

  it('are bounded: further ones are refused at once, except probes and the status, until others complete', async () => {
    const waiting = Array.from({ length: maxInFlight }, () => ask('/held'));
    await until(() => held.length === maxInFlight);
    const refused = await ask('/held');
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect(refused.headers.get('content-type')).to.match(/^application\/problem\+json/);
    for (const path of ['/readyz', '/api/status']) expect((await ask(path)).status, path).to.equal(200);
    for (const path of [...exportPaths, '/record/%65xport.json']) {
      const export_ = await ask(path);
      expect(export_.status, path).to.equal(200);
      expect(export_.headers.get('retry-after')).to.equal('10');
      expect(export_.headers.get('cache-control')).to.equal('no-store');
      const text = await export_.text();
      expect(text).to.match(
        /"db_reachable":false|^[^\n]+\n# |cannot be read right now|^PAR1.*db_reachable.*false/s,
      );
    }
    for (const end of held.splice(0)) end();
    for (const response of await Promise.all(waiting)) expect(response.status).to.equal(200);
    expect((await ask('/api/version')).status).to.equal(200);
  });

  it('have a smaller limit while the event loop is late, and browsers get a page', async () => {
    late = true;
    const waiting = Array.from({ length: maxWhileLate }, () => ask('/held'));
    await until(() => held.length === maxWhileLate);
    const refused = await ask('/api/version?x=1');
    expect(refused.status).to.equal(503);
    expect(await refused.json()).to.include({ status: 503, instance: '/api/version' });
    const browse = (path: string) => fetch(api.address + path, { headers: { Accept: 'text/html,*/*' } });
    for (const path of ['/picks.rss', '/c/ada/rss.xml', '/ledger/proof/1', '/oembed?url=x', '/%61pi/pod']) {
      const { status, headers } = await browse(path);
      expect([status, headers.get('content-type')], path).to.deep.equal([503, 'application/problem+json']);
    }
    const page = await browse('/how');
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([503, 'text/html; charset=utf-8']);
    expect(await page.text()).to.contain(page.headers.get('x-request-id'));
    expect((await ask('/livez')).status).to.equal(200);
    for (const end of held.splice(0)) end();
    await Promise.all(waiting);
    expect((await ask('/api/version?x=2')).status, 'a few are answered').to.equal(200);
    late = false;
  });
});
