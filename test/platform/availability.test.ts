import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type Availability, createAvailability, LedgerUnavailable } from '../../src/platform/availability.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { withDatabase } from '../support/database.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';
import { standStill } from '../support/stand-still.ts';

describe('the availability of PostgreSQL', () => {
  const store = withDatabase();
  let outage: Outage;
  let database: Database;
  let availability: Availability;

  beforeEach(async () => {
    outage = await withOutage(store.url);
    database = openDatabase(outage.url, { connections: 2 });
    availability = createAvailability(keptProbe(outage.url), quiet, { probeEveryMs: 50 });
    expect(await ask()).to.equal(1);
  });
  afterEach(async () => {
    availability.close();
    await outage.close();
    await database.destroy();
  });

  const ask = () => availability.run(async () => (await database.raw('select 1 as one')).rows[0].one);
  const askFailing = async () => {
    const began = performance.now();
    const error = await ask().catch((thrown: unknown) => thrown);
    return { error, ms: performance.now() - began };
  };

  it('does the work once more when only the connection broke', async () => {
    await outage.cut();
    await outage.restore();
    expect(await ask()).to.equal(1);
  });

  it('says at once that PostgreSQL is away when connections are refused', async () => {
    await outage.cut();
    const { error, ms } = await askFailing();
    expect(error).to.be.instanceOf(LedgerUnavailable);
    expect(ms).to.be.below(500);
  });

  it('learns from a closed connection that PostgreSQL is away, before anybody asks', async () => {
    await availability.check();
    const lost = new Promise<void>((resolve) => availability.onUnavailable(resolve));
    await outage.cut();
    await lost;
    const { error, ms } = await askFailing();
    expect(error).to.be.instanceOf(LedgerUnavailable);
    expect(ms).to.be.below(50);
  });

  it('gives up within two seconds when PostgreSQL falls silent, then fails at once', async () => {
    outage.freeze();
    const first = await askFailing();
    expect(first.error).to.be.instanceOf(LedgerUnavailable);
    expect(first.ms).to.be.below(2500);
    const second = await askFailing();
    expect(second.error).to.be.instanceOf(LedgerUnavailable);
    expect(second.ms).to.be.below(50);
  });

  it('finds by itself that PostgreSQL is back', async () => {
    await outage.cut();
    await askFailing();
    await outage.restore();
    const deadline = Date.now() + 5000;
    while (Date.now() < deadline && (await askFailing()).error instanceof LedgerUnavailable) await pause(20);
    expect(await ask()).to.equal(1);
  });

  it('waits for a long query as long as PostgreSQL answers', async () => {
    await availability.run(() => database.raw('select pg_sleep(0.8)'));
  });

  it('passes on what is wrong with the work itself', async () => {
    const error = await availability
      .run(() => database.raw('select nonsense'))
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: '42703' });
  });

  it('asks again before it believes one failed probe', async () => {
    let probes = 0;
    const once = createAvailability(async () => {
      probes += 1;
      if (probes === 1) throw new Error('this connection broke');
    }, quiet);
    expect(await once.check()).to.equal(true);
    expect(probes).to.equal(2);
    once.close();
  });

  it('needs no new connection to see that PostgreSQL answers', async () => {
    expect(await availability.check()).to.equal(true);
    outage.refuseNew();
    expect(await availability.check()).to.equal(true);
  });

  it('connects again when the connection that it kept was closed', async () => {
    expect(await availability.check()).to.equal(true);
    await store.owner.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'public-picks probe' and datname = current_database()`,
    );
    expect(await availability.check()).to.equal(true);
  });

  it('does not take its own standstill for silence of PostgreSQL', async () => {
    expect(await availability.check()).to.equal(true);
    const asked = Array.from({ length: 20 }, ask);
    const checked = availability.check();
    standStill(2000);
    expect(await checked).to.equal(true);
    expect(await Promise.all(asked)).to.deep.equal(asked.map(() => 1));
  });
});
