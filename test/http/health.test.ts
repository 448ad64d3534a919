import { expect } from 'chai';
import { createAvailability } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';
import { ready, withRedis } from '../support/redis.ts';

describe('/livez and /readyz', () => {
  const ownDatabase = withDatabase();
  const ownRedis = withRedis();
  let postgres: Outage;
  let redisOutage: Outage;
  let api: RunningApi;
  let close: () => Promise<void>;

  beforeEach(async () => {
    [postgres, redisOutage] = [await withOutage(ownDatabase.url), await withOutage(ownRedis.url)];
    const database = openDatabase(postgres.url);
    const redis = openRedis(redisOutage.url, quiet);
    await ready(redis);
    const availability = createAvailability(keptProbe(postgres.url), quiet);
    api = await startApi(
      { database: ownDatabase, redis: ownRedis },
      { database, redis, availability, memory: false },
    );
    close = async () => {
      await api.close();
      redis.disconnect();
      await Promise.all([postgres.close(), redisOutage.close()]);
      await database.destroy();
    };
  });
  afterEach(() => close());

  const get = async (path: string) => {
    const response = await fetch(api.address + path);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    return { code: response.status, ...((await response.json()) as object) };
  };

  it('report ready when PostgreSQL answers and has the schema', async () => {
    expect(await get('/readyz')).to.deep.equal({ code: 200, status: 'ready', postgres: 'ok', redis: 'ok' });
  });

  it('report ready without Redis, and name the outage', async () => {
    await redisOutage.cut();
    expect(await get('/readyz')).to.deep.equal({
      code: 200,
      status: 'degraded',
      postgres: 'ok',
      redis: 'away',
    });
  });

  it('report not ready without PostgreSQL, and name the outage; a load balancer may accept cached answers', async () => {
    await postgres.cut();
    const seen = { status: 'degraded', postgres: 'away', redis: 'ok' };
    expect(await get('/readyz')).to.deep.equal({ code: 503, ...seen });
    expect(await get('/readyz?degraded')).to.deep.equal({ code: 200, ...seen });
  });

  it('report live but not ready without both', async () => {
    await Promise.all([postgres.cut(), redisOutage.cut()]);
    expect(await get('/readyz')).to.deep.equal({
      code: 503,
      status: 'not ready',
      postgres: 'away',
      redis: 'away',
    });
    expect(await get('/livez')).to.deep.equal({ code: 200, status: 'live' });
  });

  it('report live but not ready during shutdown', async () => {
    api.api.startShutdown();
    expect(await get('/readyz')).to.include({ code: 503, status: 'shutting down' });
    expect(await get('/livez')).to.include({ code: 200 });
  });
});

describe('/readyz on a database without the schema', () => {
  const ownDatabase = withDatabase();
  const ownRedis = withRedis();

  it('reports not ready while a migration of this version is missing', async () => {
    await ownDatabase.owner.raw(
      'delete from knex_migrations where id = (select id from knex_migrations order by name limit 1)',
    );
    await expectNotMigrated();
  });

  it('reports not ready', async () => {
    await ownDatabase.owner.raw('drop table knex_migrations');
    await expectNotMigrated();
  });

  async function expectNotMigrated(): Promise<void> {
    const api = await startApi({ database: ownDatabase, redis: ownRedis }, { memory: false });
    try {
      const response = await fetch(`${api.address}/readyz`);
      expect(response.status).to.equal(503);
      expect(await response.json()).to.include({ postgres: 'not migrated' });
    } finally {
      await api.close();
    }
  }
});
