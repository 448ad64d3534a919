import { expect } from 'chai';
import { keysOfCapper } from '../../src/cappers/keys.ts';
import { profileOf } from '../../src/cappers/profiles.ts';
import { advanceDemo, catchUp } from '../../src/demo/advance.ts';
import { beginDemo } from '../../src/demo/begin.ts';
import { demoCappers } from '../../src/demo/cappers.ts';
import { readProgress } from '../../src/demo/progress.ts';
import { worldRows } from '../../src/demo/world.ts';
import { gradeDueJob, publish, seal } from '../../src/jobs/declared.ts';
import { cancelled, failed, type Job, ok } from '../../src/jobs/job.ts';
import { audit } from '../../src/ledger/audit/audit.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { decisionTime } from '../../src/ledger/log-kind.ts';
import { fileStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { receiptOf } from '../../src/ledger/publishing/published.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { type DemoWitnesses, startDemoWitnesses } from '../../src/local/demo-witnesses.ts';
import { newState, poll } from '../../src/monitor/follow.ts';
import { openLog } from '../../src/monitor/log-client.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { activeGroups } from '../../src/projections/groups.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { parseWitnessList } from '../../src/proof/witness.ts';
import { startApi } from '../support/api.ts';
import { asLogin, expectedOfTests, withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { league, withFolder } from '../support/folders.ts';
import { busyDay } from '../support/ledgers.ts';
import { playDemo } from '../support/live-demo.ts';
import { withRedis } from '../support/redis.ts';
import { ingest } from '../support/whole-way.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-10T00:00:00Z');
const site = { baseUrl: 'https://picks.example', demo: true };

/** Returns the demo's picks and their outcomes, without what differs between ledgers. */
async function historyOf(database: Database): Promise<object[]> {
  const { rows } = await database.raw(
    `select c.handle, g.name, p.market, p.subject, p.side, p.line_e3, p.odds_american, p.posted_at, p.starts_at, p.provenance,
       l.closed_at, l.odds_american as closing_odds, s.result, s.settled_at, s.net_units_e4, s.price_verdict, s.price_odds, s.grader
     from picks p join cappers c on c.id = p.capper_id join games g on g.id = p.game_id
     left join closings l on l.pick_id = p.id left join settlements s on s.pick_id = p.id
     order by p.posted_at, c.handle, g.name, p.market, p.side`,
  );
  return rows;
}

describe("the demo under its worker's login", () => {
  const stores = withDatabase();

  it('posts picks of every kind, signed ones included', async () => {
    const player = openDatabase(asLogin(stores.url, 'ingest'), { connections: 2 });
    try {
      await playDemo(stores.database, start, 2 * day, undefined, player);
    } finally {
      await player.destroy();
    }
    const signed = await stores.database('picks').whereNotNull('author_key').select('id');
    expect(signed).to.not.deep.equal([]);
  });
});

describe('the demo after playing', () => {
  const stores = withDatabase({ filling: busyDay });
  const { now } = busyDay;

  it('has a history that fills every board', async () => {
    const [row] = await stores
      .database('board_picks')
      .select(
        stores.database.raw(
          'count(*)::int as picks, count(result)::int as settled, count(clv_bps)::int as closed',
        ),
        stores.database.raw("(max(posted_at) - min(posted_at)) > interval '15 days' as long"),
      );
    expect(row.picks).to.be.greaterThan(1500);
    expect(row.settled).to.be.greaterThan(row.picks * 0.94);
    expect(row.closed).to.be.greaterThan(row.picks * 0.9);
    expect(row.long).to.equal(true);
    expect(await activeGroups(stores.database, now)).to.not.deep.equal([]);
    const settled = await stores
      .database('board_picks')
      .whereNotNull('result')
      .countDistinct({ n: 'capper_id' });
    expect(settled).to.deep.equal([{ n: demoCappers.length }]);
  });

  it('has live picks with and without available odds, and props that box scores grade', async () => {
    const { rows } = await stores.database.raw(
      `select p.source, coalesce(s.price_verdict, '') as verdict, s.grader, count(*)::int as n
       from picks p join settlements s on s.pick_id = p.id where p.provenance = 'live' group by 1, 2, 3`,
    );
    const count = (of: (row: { verdict: string; grader: string }) => boolean): number =>
      rows.filter(of).reduce((sum: number, { n }: { n: number }) => sum + n, 0);
    const all = count(() => true);
    expect(new Set(rows.map(({ source }: { source: string }) => source))).to.deep.equal(
      new Set(['demo', 'author']),
    );
    expect(count(({ verdict }) => verdict === 'available') / all).to.be.within(0.9, 0.999);
    expect(count(({ verdict }) => verdict === 'above_market')).to.be.greaterThan(0);
    expect(count(({ grader }) => grader === 'stat') / all).to.be.greaterThan(0.03);
    expect(count(({ grader }) => grader === 'result')).to.be.greaterThan(0);
  });

  it('has cappers who sign every pick with a registered key, and a profile that says the key is public', async () => {
    const signing = demoCappers.filter(({ signs }) => signs).map(({ handle }) => handle);
    const signed = await stores
      .database('picks as p')
      .join('cappers as c', 'c.id', 'p.capper_id')
      .where('p.provenance', 'live')
      .groupBy('c.handle')
      .havingRaw('count(p.author_key) = count(*)')
      .pluck('c.handle');
    expect(signed).to.have.members(signing);
    const [some] = await stores.database('picks').whereNull('author_key').count({ n: '*' });
    expect(Number(some!.n)).to.be.greaterThan(1000);
    for (const handle of signing) {
      const { id } = await stores.database('cappers').where({ handle }).first('id');
      const keys = await keysOfCapper(stores.database, id);
      expect(keys.map(({ purpose, first, endorsedBy }) => [purpose, first, endorsedBy])).to.deep.equal([
        ['device', true, null],
        ['recovery', false, keys[0]!.keyId],
      ]);
      expect((await profileOf(stores.database, { id, handle }))?.profile.about).to.contain(
        'Made up for the demo',
      );
    }
  });

  it("has followers' prices 5 and 15 minutes later for most picks", async () => {
    const settled = await stores
      .database('board_picks')
      .where({ provenance: 'live' })
      .whereNotNull('result')
      .count({ n: '*' });
    const followed: { delay: number; n: string }[] = await stores
      .database('follower_prices')
      .groupBy('delay')
      .select('delay', stores.database.raw('count(*) as n'));
    for (const delay of [5, 15]) {
      const found = followed.find((row) => row.delay === delay);
      expect(Number(found?.n) / Number(settled[0]!.n), `${delay} minutes`).to.be.greaterThan(0.5);
    }
  });
});

describe('advancing the demo', () => {
  const one = withDatabase({ kind: 'demo' });
  const other = withDatabase({ kind: 'demo' });
  const real = withDatabase();
  const historyMs = 3 * day;
  const now = start + historyMs;

  const idle = { demo: true, clock: { now: () => now }, catchUp: async () => true };

  it('starts at the configured age, and stops after a whole step', async () => {
    const stop = new AbortController();
    expect(await beginDemo(one.database, start, site)).to.equal(true);
    const outcome = await advanceDemo({
      ...idle,
      database: one.database,
      closing: stop.signal,
      async catchUp() {
        if ((await readProgress(one.database))! > start) stop.abort();
        return true;
      },
    });
    const until = (await readProgress(one.database))!;
    expect(until).to.be.within(start + 1, start + day);
    expect(outcome).to.deep.equal(
      ok({ from: new Date(start).toISOString(), to: new Date(until).toISOString(), refused: 0 }),
    );
    expect(await one.database('picks').pluck('posted_at')).to.deep.equal(
      worldRows(start, until).picks.map(({ at }) => at),
    );
  });

  it('ends in the same demo with and without crashes in the middle of steps', async () => {
    for (let done = false, crashes = 0; !done; ) {
      const step = playDemo(one.database, now, historyMs, () => {
        crashes += 1;
        if (crashes % 3 === 2) throw new Error('crash');
        return 2;
      });
      done = await step.then(
        () => true,
        ({ message }) => {
          if (message !== 'crash') throw new Error(message);
          return false;
        },
      );
    }
    await playDemo(other.database, now, historyMs, () => 2);
    const expected = await historyOf(other.database);
    expect(expected.length).to.be.greaterThan(200);
    expect(await historyOf(one.database)).to.deep.equal(expected);
  });

  it('covers every pick with a checkpoint before its game starts', async () => {
    await updateProjections(other.database);
    const kinds = await other
      .database('board_picks')
      .distinct('provenance', 'sealed_in_time')
      .orderBy('sealed_in_time');
    expect(kinds).to.deep.equal([{ provenance: 'live', sealed_in_time: 'witnessed' }]);
  });

  it('posts each pick of a step at its own instant, also in the running service', async () => {
    const next = worldRows(now, now + day).picks[0]!;
    await playDemo(other.database, next.at + 3_000, historyMs, () => 2);
    const [latest] = await other.database('picks').orderBy('id', 'desc').limit(1);
    expect(latest).to.include({ posted_at: next.at, source: 'demo', provenance: 'live' });
  });

  it('advances the clock that closes picks', async () => {
    expect(await decisionTime(one.database, { now: () => now + day })).to.equal(now);
    expect(await decisionTime(real.database, { now: () => now + day })).to.equal(now + day);
  });

  it('never enters a ledger with real picks', async () => {
    await ingest(real.database, league, start);
    expect(await beginDemo(real.database, start, site)).to.equal(false);
    expect(await advanceDemo({ ...idle, database: real.database })).to.deep.equal(
      failed('the demo has not begun: `npm start` begins it'),
    );
    expect(await real.database('picks').where('source', 'demo')).to.deep.equal([]);
  });

  it('does nothing unless it is enabled', async () => {
    expect(await advanceDemo({ ...idle, demo: false, database: real.database })).to.deep.equal(
      cancelled('DEMO is off'),
    );
  });
});

describe('a demo with witnesses', () => {
  const stores = withDatabase({ kind: 'demo' });
  const redis = withRedis();
  const folder = withFolder();
  const key = Buffer.alloc(32, 7).toString('base64');
  const historyMs = day;
  const now = start + historyMs;
  let witnesses: DemoWitnesses;

  before(async () => {
    const settings = { site, ledger: { key }, process: { dataDir: folder.path() } };
    witnesses = await startDemoWitnesses(stores.url, settings);
  });
  after(() => witnesses?.close());

  const trusted = () => parseWitnessList(witnesses.settings.WITNESSES);

  /** Runs all workers once, by the clock of the log. */
  function workers() {
    const store = fileStore(`${folder.path()}/checkpoint`);
    const publisher = { ...site, key, store, witnesses: trusted(), witnessQuorum: 2 };
    return async (job: Job): Promise<boolean> => {
      const at = (await readProgress(stores.database))!;
      if (job === gradeDueJob) await gradeDue(stores.database, at);
      if (job === seal) await sealAll(stores.database);
      if (job === publish) await publishCheckpoint(stores.database, publisher, at);
      return true;
    };
  }

  it('is cosigned by both before each game, as receipts and audits confirm', async () => {
    const add = workers() as never;
    const { database } = stores;
    await beginDemo(database, start, site);
    await advanceDemo({
      demo: true,
      database,
      clock: { now: () => now },
      catchUp: () => catchUp({ database, enqueue: { add } }),
    });
    const times = await database('checkpoint_times').select('cosignatures', 'signed_at', 'witnessed_at');
    expect(times.length).to.be.at.least(4);
    for (const { cosignatures, signed_at, witnessed_at } of times) {
      expect(cosignatures).to.equal(2);
      expect(witnessed_at).to.equal(Math.floor(signed_at / 1000) * 1000);
    }
    const { key: own } = await ledgerSigner('picks.example/demo-ledger', key);
    const picks: { uuid: string; key: string | null }[] = await database('picks')
      .where('starts_at', '<', new Date(now))
      .select('uuid', { key: 'author_key' });
    expect(picks.length).to.be.greaterThan(50);
    expect(picks.some(({ key }) => key !== null)).to.equal(true);
    const keys = trusted().map((witness) => witness.key);
    for (const { uuid, key } of picks) {
      const receipt = JSON.parse(JSON.stringify(await receiptOf(database, uuid)));
      const { proof, verdicts } = await verifyReceipt(receipt, { keys: [own], witnesses: keys, quorum: 2 });
      expect({ proof, start: verdicts.beforeTheStart, by: verdicts.postedBy }).to.deep.equal({
        proof: 'ok',
        start: 'witnessed',
        by: key === null ? 'operator' : 'author',
      });
    }
    const found: string[] = [];
    const { difference } = await audit(
      database,
      async () => fileStore(`${folder.path()}/checkpoint`).read(),
      {
        signing: { key },
        witnessQuorum: 2,
        expected: expectedOfTests,
        onFinding: ({ message }) => found.push(message),
      },
    );
    expect({ difference, found }).to.deep.equal({ difference: null, found: [] });
  });

  it('gives an outside monitor nothing to report', async () => {
    const site = await startApi(
      { database: stores, redis },
      { clock: fixedClock(now), settings: { DEMO: '1' } },
    );
    try {
      const { key: own } = await ledgerSigner('picks.example/demo-ledger', key);
      const first = newState(own.name, [formatVerifierKey(own)]);
      const { entries, findings } = await poll(openLog(site.address), first, { now, history: true });
      expect(entries).to.be.greaterThan(100);
      expect(findings).to.deep.equal([]);
    } finally {
      await site.close();
    }
  });
});
