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
  /** While PostgreSQL counts as unavailable, work does not start. */
  const beginsNothing = async () => {
    let begun = 0;
    const error = await failure(availability.run(async () => (begun += 1)));
    expect(error).to.be.instanceOf(DatabaseUnavailable);
    expect(begun).to.equal(0);
  };

  it('repeats the work once if only the connection broke', async () => {
    await outage.cut();
    await outage.restore();
    expect(await ask()).to.equal(1);
  });

  it('is lost at once when connections are refused, however long the timeout', async () => {
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

  it('is lost when a connection closes, before the next request', async () => {
    await availability.check();
    const lost = new Promise<void>((resolve) => availability.onUnavailable(resolve));
    await outage.cut();
    await lost;
    await beginsNothing();
  });

  it('is lost within seconds when PostgreSQL falls silent, and then refuses work at once', async () => {
    outage.freeze();
    const began = performance.now();
    expect(await failure()).to.be.instanceOf(DatabaseUnavailable);
    expect(performance.now() - began).to.be.below(latencyMs(10_000));
    await beginsNothing();
  });

  it('returns without a request when PostgreSQL is back', async () => {
    await outage.cut();
    await failure();
    await outage.restore();
    await until(async () => !((await failure()) instanceof DatabaseUnavailable));
    expect(await ask()).to.equal(1);
  });

  it('lasts through a long query while PostgreSQL answers', async () => {
    await availability.run(() => database.raw('select pg_sleep(0.8)'));
  });

  it('passes on errors of the work itself', async () => {
    const error = await availability
      .run(() => database.raw('select nonsense'))
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: '42703' });
  });

  it('survives one failed probe', async () => {
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

  it("reconnects when the probe's connection was closed", async () => {
    expect(await availability.check()).to.equal(true);
    await store.owner.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'public-picks probe' and datname = current_database()`,
    );
    expect(await availability.check()).to.equal(true);
  });

  it('does not mistake a stalled event loop for a silent PostgreSQL', async () => {
    expect(await availability.check()).to.equal(true);
    const asked = Array.from({ length: 20 }, ask);
    const checked = availability.check();
    standStill(2000);
    expect(await checked).to.equal(true);
    expect(await Promise.all(asked)).to.deep.equal(asked.map(() => 1));
  });
});
