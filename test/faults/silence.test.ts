import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { type Availability, createAvailability } from '../../src/platform/availability.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { latencyMs } from '../support/patience.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

/** How long a post may wait for its answer, in milliseconds: docs/operations.md#postgresql. */
const limitMs = latencyMs(5_000);
const hour = 3_600_000;

describe('posting is answered within five seconds', () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  let link: Outage;
  let database: Database;
  let availability: Availability;
  let operator: RunningOperator;

  before(async () => {
    link = await withOutage(asLogin(stores.url, 'operator'));
    database = openDatabase(link.url);
    availability = createAvailability(keptProbe(link.url), quiet);
    const through = { database: { ...stores, database, url: link.url }, redis };
    operator = await startOperator(through, { now: () => Date.now() }, {}, availability);
    await post('cappers', { handle: 'ada', tier: 'elite', verified: true });
    await post('games', { ...game, status: 'scheduled' });
  });
  after(async () => {
    await operator.close();
    availability.close();
    await link.close();
    await database.destroy();
  });

  const startsAt = new Date(Math.floor(Date.now() / hour) * hour + 3 * hour).toISOString();
  const game = { sport: 'soccer', game: 'Gulls @ Foxes', startsAt };

  async function post(path: string, row: object, key: string = randomUUID()) {
    const began = performance.now();
    const response = await fetch(`${operator.address}/${path}`, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer the-token-of-these-tests',
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify(row),
    });
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body, ms: performance.now() - began };
  }

  const pick = (key?: string) =>
    post(
      'picks',
      {
        capperHandle: 'ada',
        ...game,
        market: 'prop',
        subject: key ?? randomUUID(),
        side: 'yes',
        pick: 'Yes',
        oddsAmerican: -110,
        stakeUnits: 1,
      },
      key,
    );
  const score = () => post('games', { ...game, status: 'postponed' });

  /** Expects all answers to be refusals for now, in time and machine-readable. */
  async function expectUnavailable(answers: Promise<Awaited<ReturnType<typeof post>>>[]): Promise<void> {
    for (const { status, headers, body, ms } of await Promise.all(answers)) {
      expect(ms, JSON.stringify(body)).to.be.below(limitMs);
      expect(status, JSON.stringify(body)).to.equal(503);
      expect(headers.get('content-type')).to.match(/^application\/problem\+json/);
      expect(Number(headers.get('retry-after'))).to.be.above(0);
    }
  }

  /** Repeats a request that got 503, as a client does. */
  const untilPosted = (key: string) => until(async () => (await pick(key)).status === 200);

  it('while PostgreSQL is silent, and the pick is stored once', async () => {
    expect((await pick()).status).to.equal(200);
    link.freeze();
    // More than the pool has connections.
    const keys = Array.from({ length: 12 }, () => randomUUID());
    await expectUnavailable([...keys.map(pick), score()]);
    await expectUnavailable([pick(keys[0])]);
    await link.restore();
    await Promise.all(keys.map(untilPosted));
    const stored = await stores.database('picks').whereIn('subject', keys).pluck('subject');
    expect(stored.sort()).to.deep.equal(keys.sort());
  });

  it("while another frozen process of the operator holds a game's lock", async () => {
    const frozen = new pg.Client({ connectionString: asLogin(stores.url, 'operator') });
    frozen.on('error', () => {});
    await frozen.connect();
    try {
      await frozen.query('begin');
      await frozen.query('select from games for update');
      const keys = Array.from({ length: 12 }, () => randomUUID());
      await expectUnavailable([...keys.map(pick), score()]);
      await untilPosted(keys[0]!);
    } finally {
      await frozen.end();
    }
  });

  it("while PostgreSQL's disk is full", async () => {
    await stores.owner.raw(`
      create function full_disk() returns trigger language plpgsql as $$
        begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      create trigger full_disk before insert on picks execute function full_disk()`);
    await expectUnavailable([pick()]);
    await stores.owner.raw('drop trigger full_disk on picks; drop function full_disk()');
    expect((await pick()).status).to.equal(200);
  });
});
