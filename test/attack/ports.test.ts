import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { v4 } from 'uuid';
import { type Enqueue, openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { createOperator } from '../../src/operator/app.ts';
import { runUnprobed } from '../../src/platform/availability.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { testConfig } from '../support/config.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { ingest } from '../support/whole-way.ts';
import { buildWorld, type World } from './world.ts';

const token = 'the-token-of-these-tests';
const day = 86_400_000;

describe('attacks on a live log through its ports and files', () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const folder = withFolder();
  let world: World;
  let enqueue: Enqueue;
  let operator: Server;
  let site: RunningApi;

  before(async () => {
    world = await buildWorld(stores.database, folder);
    enqueue = openQueues(redis.redis, quiet);
    const { database } = stores;
    const config = testConfig({ OPERATOR_TOKEN: token });
    const clock = { now: () => Date.now() };
    const app = createOperator({
      config,
      database,
      redis: redis.redis,
      clock,
      enqueue,
      log: quiet,
      availability: { once: runUnprobed },
    });
    operator = createServer(app.callback());
    await new Promise<void>((resolve) => operator.listen(0, '127.0.0.1', resolve));
    site = await startApi({ database: stores, redis }, { clock });
  });
  after(async () => {
    operator.closeAllConnections();
    await new Promise((resolve) => operator.close(resolve));
    await enqueue.close();
    await site.close();
  });

  const pick = () => ({
    capperHandle: 'capper-0',
    ...world.upcoming,
    market: 'moneyline',
    side: 'home',
    line: null,
    pick: `Bears ${v4()}`,
    oddsAmerican: -110,
    stakeUnits: 1,
  });

  async function counts(): Promise<Record<string, number>> {
    const { rows } = await stores.owner.raw(
      `select (select count(*) from picks)::int as picks, (select count(*) from settlements)::int as settlements,
         (select count(*) from closings)::int as closings, (select count(*) from ledger_entries)::int as entries,
         (select count(*) from checkpoints)::int as checkpoints`,
    );
    return rows[0];
  }

  function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const { port } = operator.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}/picks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify(body),
    });
  }

  /** Returns the pick named in an answer of the operator's port. */
  function uuidOf(answer: unknown): string {
    const [row] = (answer as { rows: { pickUuid: string }[] }).rows;
    expect(row?.pickUuid, JSON.stringify(answer)).to.be.a('string');
    return row!.pickUuid;
  }

  it("cannot make up any field of a pick, even with the operator's token", async () => {
    const before = await counts();
    const settled = await stores.owner('games').where('status', 'final').first();
    const lies: [what: string, fields: object][] = [
      ['an unknown capper', { capperHandle: 'nobody' }],
      [
        'a finished game',
        {
          sport: settled.sport,
          game: settled.name,
          startsAt: new Date(settled.announced_start).toISOString(),
        },
      ],
      [
        "another start than the game's",
        { startsAt: new Date(Date.parse(world.upcoming.startsAt) + day).toISOString() },
      ],
      ['a side that the market lacks', { side: 'over' }],
      ['a line in a market without lines', { line: 1.5 }],
      ['impossible odds', { oddsAmerican: 50 }],
      ['a stake of zero', { stakeUnits: 0 }],
      ['an unbounded stake', { stakeUnits: 1e9 }],
      ['a negative stake', { stakeUnits: -1 }],
      ...['operator', 'live', 'import', 'demo', 'l1ve', '0perator', 'd-e-m-o', 'imports'].map(
        (source): [string, object] => [`the reserved source ${source}`, { source }],
      ),
    ];
    for (const [what, fields] of lies) {
      const answer = await post({ ...pick(), ...fields });
      expect(answer.status, `${what}: ${await answer.text()}`).to.be.within(400, 499);
    }
    expect(await counts()).to.deep.equal(before);
  });

  it("cannot set a pick's time, id, tier, or provenance", async () => {
    for (const fields of [
      { postedAt: '1990-01-01T00:00:00Z' },
      { provenance: 'imported' },
      { uuid: v4() },
      { tier: 'elite' },
      { result: 'win' },
    ]) {
      const answer = await post({ ...pick(), ...fields });
      const text = await answer.text();
      if (answer.status >= 400) continue;
      const pickUuid = uuidOf(JSON.parse(text));
      const row = await stores.owner('picks').where({ uuid: pickUuid }).first();
      expect(row.provenance).to.equal('live');
      expect(Math.abs(row.posted_at - Date.now())).to.be.lessThan(60_000);
    }
  });

  it('cannot post a pick twice by replaying its Idempotency-Key', async () => {
    const row = { ...pick(), market: 'question', subject: v4() };
    const key = { 'Idempotency-Key': v4() };
    const first = uuidOf(await (await post(row, key)).json());
    const before = await counts();
    const replays = await Promise.all(
      Array.from({ length: 20 }, () => post(row, key).then((answer) => answer.json())),
    );
    for (const replay of replays) expect(uuidOf(replay)).to.equal(first);
    expect((await post({ ...row, side: 'away' }, key)).status).to.be.within(400, 499);
    expect(await counts()).to.deep.equal(before);
  });

  it('are refused without the token', async () => {
    const before = await counts();
    for (const authorization of ['', 'Bearer wrong', `Bearer ${token}x`, `Basic ${btoa(`x:wrong`)}`])
      expect((await post(pick(), { Authorization: authorization })).status).to.be.oneOf([401, 429]);
    expect(await counts()).to.deep.equal(before);
  });

  it('change nothing through the public port', async () => {
    const before = await counts();
    const paths = [
      '/picks',
      '/api/picks',
      '/ledger/checkpoint',
      '/ledger/tile/0/000',
      '/api/status',
      '/queues',
      '/metrics',
      '/record/export.json',
    ];
    for (const path of paths)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await fetch(site.address + path, {
          method,
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
          body: JSON.stringify(pick()),
        });
        expect(answer.status, `${method} ${path}`).to.be.within(400, 499);
      }
    expect(await counts()).to.deep.equal(before);
  });

  it("import from files only rows with an imported pick's label and time", async () => {
    const before = await counts();
    const [over] = await stores.owner('games').where('status', 'final').orderBy('id').limit(1);
    const past = {
      sport: over.sport,
      game: over.name,
      startsAt: new Date(over.announced_start).toISOString(),
    };
    const claim = { ...pick(), ...past, postedAt: new Date(over.announced_start - 3_600_000).toISOString() };
    const lies = [
      ...['operator', 'live', 'import', 'demo', 'OPERATOR', '0perator', 'live-2'].map((source) => ({
        ...claim,
        source,
      })),
      { ...claim, postedAt: new Date(over.announced_start + 1).toISOString() },
      { ...claim, startsAt: new Date(over.announced_start + day).toISOString() },
      { ...claim, capperHandle: 'nobody' },
      { ...claim, oddsAmerican: 1 },
      { ...claim, ...world.upcoming, postedAt: new Date(Date.now() + day / 2).toISOString() },
    ];
    const { refusals, counts: taken } = await ingest(
      stores.database,
      [folder.write('lies-picks.ndjson', lies)],
      Date.now(),
    );
    expect(taken.picks.added).to.equal(0);
    expect(refusals.length).to.be.at.least(lies.length - 1);
    expect(await counts()).to.deep.equal(before);

    const dressed = { ...claim, provenance: 'live', pick: 'A winner of yesterday' };
    await ingest(stores.database, [folder.write('dressed-picks.ndjson', [dressed])], Date.now());
    const rows = await stores.owner('picks').where({ pick: 'A winner of yesterday' });
    for (const row of rows) expect(row.provenance).to.equal('imported');
  });
});
