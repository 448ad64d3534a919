import { expect } from 'chai';
import {
  type Availability,
  createAvailability,
  DatabaseUnavailable,
} from '../../src/platform/availability.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { withDatabase } from '../support/database.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { latencyMs, patienceMs } from '../support/patience.ts';
import { quiet } from '../support/quiet.ts';
import { standStill } from '../support/stand-still.ts';
import { until } from '../support/until.ts';

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
  const failure = (asked = ask()) => asked.catch((thrown: unknown) => thrown);
  /** While PostgreSQL counts as unavailable, work is not even begun. */
  const beginsNothing = async () => {
    let begun = 0;
    const error = await failure(availability.run(async () => (begun += 1)));
    expect(error).to.be.instanceOf(DatabaseUnavailable);
    expect(begun).to.equal(0);
  };

  it('does the work once more when only the connection broke', async () => {
    await outage.cut();
    await outage.restore();
    expect(await ask()).to.equal(1);
  });

  it('says at once that PostgreSQL is away when connections are refused, however patient it is', async () => {
    const patient = { answerMs: 2 * patienceMs, connectMs: 2 * patienceMs };
    const other = createAvailability(keptProbe(outage.url, patient), quiet, {
      suspectAfterMs: 2 * patienceMs,
    });
    try {
      await outage.cut();
      expect(await failure(other.run(() => database.raw('select 1')))).to.be.instanceOf(DatabaseUnavailable);
    } finally {
      other.close();
    }
  });

  it('learns from a closed connection that PostgreSQL is away, before anybody asks', async () => {
    await availability.check();
    const lost = new Promise<void>((resolve) => availability.onUnavailable(resolve));
    await outage.cut();
    await lost;
    await beginsNothing();
  });

  it('gives up within seconds when PostgreSQL falls silent, then fails at once', async () => {
    outage.freeze();
    const began = performance.now();
    expect(await failure()).to.be.instanceOf(DatabaseUnavailable);
    expect(performance.now() - began).to.be.below(latencyMs(10_000));
    await beginsNothing();
  });

  it('finds by itself that PostgreSQL is back', async () => {
    await outage.cut();
    await failure();
    await outage.restore();
    await until(async () => !((await failure()) instanceof DatabaseUnavailable));
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
