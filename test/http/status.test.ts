import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { recordNotices } from '../../src/ledger/posting/notices.ts';
import { createAvailability } from '../../src/platform/availability.ts';
import { iso } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { checker, faultsText } from '../../src/platform/schema.ts';
import { Type } from '../../src/platform/type.ts';
import { forgetRuns, recordRun } from '../../src/sources/runs.ts';
import type { StatusReport } from '../../src/status/report.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { league } from '../support/folders.ts';
import { forgetUnsealed } from '../support/forget-unsealed.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';
import { ready, withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { type Watching, watching } from '../support/watching.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

/** Some picks of the league have settled by then, and some have not. */
const start = Date.parse('2024-10-06T19:00:00Z');

const status = Type.Union(['ok', 'degraded', 'down'].map((each) => Type.Literal(each)));
const instant = Type.String({ format: 'date-time' });
const count = Type.Integer({ minimum: 0 });
/** As specified (section 3). Additional fields are allowed. */
const body = checker(
  Type.Object({
    generatedAt: instant,
    status,
    checks: Type.Array(
      Type.Object({
        name: Type.String(),
        status,
        ageSeconds: Type.Optional(count),
        value: Type.Optional(Type.Number()),
        threshold: Type.Object({ degraded: Type.Number(), down: Type.Number() }),
        message: Type.String({ minLength: 5 }),
        checkedAt: instant,
      }),
    ),
    totals: Type.Object({
      picks: count,
      settled: count,
      pending: count,
      cappers: count,
      subscriptions: count,
      deliveries24h: count,
    }),
    incidents: Type.Array(
      Type.Object({ check: Type.String(), openedAt: instant, affects: Type.Array(Type.String()) }),
    ),
    notices: Type.Array(Type.Object({ at: instant, text: Type.String() })),
  }),
);

describe('/api/status', () => {
  const ownDatabase = withDatabase();
  const ownRedis = withRedis();
  const clock = fixedClock(start);
  let postgres: Outage;
  let redisOutage: Outage;
  let database: Database;
  let redis: Redis;
  let api: RunningApi;
  let watch: Watching;

  before(async () => {
    await ingest(ownDatabase.database, league, start);
    await runPipeline(ownDatabase.database, start);
    await recordNotices(ownDatabase.database, 'remark', ['An older <b>remark</b>.', 'A newer one.'], start);
  });
  beforeEach(async () => {
    clock.set(start);
    await ownRedis.redis.flushdb();
    await ownDatabase.owner.raw('truncate status_watch, status_incidents, status_days');
    [postgres, redisOutage] = [await withOutage(ownDatabase.url), await withOutage(ownRedis.url)];
    database = openDatabase(postgres.url);
    redis = openRedis(redisOutage.url, quiet);
    await ready(redis);
    const availability = createAvailability(keptProbe(postgres.url), quiet, { probeEveryMs: 100 });
    api = await startApi(
      { database: ownDatabase, redis: ownRedis },
      { clock, database, redis, availability, memory: false },
    );
    // Outages cut only the API off, not the status worker.
    watch = watching({
      clock,
      database: ownDatabase.database,
      redis: ownRedis.redis,
      databaseUrl: ownDatabase.url,
    });
  });
  afterEach(async () => {
    await watch.close();
    await api.close();
    redis.disconnect();
    await Promise.all([postgres.close(), redisOutage.close()]);
    await database.destroy();
  });

  async function get(): Promise<StatusReport> {
    const response = await fetch(`${api.address}/api/status`);
    expect(response.status).to.equal(200);
    return (await response.json()) as StatusReport;
  }

  /** Waits for an answer that meets a condition. Answers are cached for a second. */
  async function getWhen(isSo: (report: StatusReport) => boolean): Promise<StatusReport> {
    let report: StatusReport | undefined;
    await until(async () => {
      report = await get();
      return isSo(report);
    });
    return report as StatusReport;
  }

  const check = (report: StatusReport, name: string) => report.checks.find((each) => each.name === name);
  const statusOf = (report: StatusReport, name: string) => check(report, name)?.status;

  it('has the specified fields and a lifetime of a minute', async () => {
    await watch.round();
    const response = await fetch(`${api.address}/api/status`);
    expect(response.headers.get('cache-control')).to.match(/^public, max-age=60, /);
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(response.headers.get('vary')).to.equal('Accept-Encoding');
    const checked = body(await response.json());
    expect(checked.ok ? '' : faultsText(checked.faults)).to.equal('');
    const again = await fetch(`${api.address}/api/status`, {
      headers: { 'If-None-Match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).to.equal(304);
  });

  it('is as severe as its worst check', async () => {
    await watch.round();
    const report = await get();
    const order = ['ok', 'degraded', 'down'];
    const worst = Math.max(...report.checks.map((each) => order.indexOf(each.status)));
    expect(report.status).to.equal(order[worst]);
  });

  it('counts all data, and keeps counting', async () => {
    await watch.round();
    const [picks] = await ownDatabase.database('picks').count({ n: '*' });
    const [settled] = await ownDatabase.database('settlements').count({ n: '*' });
    const { totals } = await getWhen((report) => report.totals !== null);
    expect(totals).to.deep.equal({
      picks: Number(picks?.n),
      settled: Number(settled?.n),
      pending: Number(picks?.n) - Number(settled?.n),
      cappers: 4,
      subscriptions: 0,
      deliveries24h: 0,
    });
    expect(totals?.pending).to.be.greaterThan(0);
    const attempt = { subscription_id: 1, delivery_id: 'd', event: 'pick.posted', duration_ms: 5 };
    await ownDatabase.database('webhook_attempts').insert([
      { ...attempt, slot: 0, at: iso(start - 3_600_000), status: 204 },
      { ...attempt, slot: 0, at: iso(start - 3_600_000), status: 200, event: 'message', picks: 3 },
      { ...attempt, slot: 0, at: iso(start - 3_600_000), status: 500 },
      { ...attempt, slot: 0, at: iso(start - 3_600_000), status: 200, event: 'ping' },
      { ...attempt, slot: 0, at: iso(start - 25 * 3_600_000), status: 200 },
      { ...attempt, slot: 0, at: iso(start + 60_000), status: 200 },
    ]);
    await ownDatabase.owner.raw('truncate status_watch');
    clock.set(start + 120_000);
    // Another process, which starts to count: while that takes long, it reports the rest.
    const fresh = await startApi({ database: ownDatabase, redis: ownRedis }, { clock, memory: false });
    const getFresh = async () => (await (await fetch(`${fresh.address}/api/status`)).json()) as StatusReport;
    const blocked = await ownDatabase.owner.transaction();
    await blocked.raw('lock table webhook_attempts in access exclusive mode');
    const early = await getFresh();
    await blocked.rollback();
    expect(early.totals).to.equal(null);
    expect([statusOf(early, 'database'), statusOf(early, 'sealing')]).to.deep.equal(['ok', undefined]);
    let counted = early;
    await until(async () => {
      counted = await getFresh();
      return counted.totals !== null;
    });
    expect(counted.totals?.deliveries24h).to.equal(1 + 3 + 1);
    await fresh.close();
    await ownDatabase.owner('webhook_attempts').delete();
  });

  it('shows notices, newest first', async () => {
    expect((await get()).notices.map(({ text }) => text)).to.deep.equal([
      'A newer one.',
      'An older <b>remark</b>.',
    ]);
  });

  it("shows the state of each source's feeds, and what their answers left out", async () => {
    expect((await get()).sources).to.deep.equal([]);
    await recordRun(
      ownDatabase.database,
      'espn/nfl/schedule',
      start,
      true,
      '9 games.',
      {},
      { 'unknown state': 2 },
    );
    await recordRun(ownDatabase.database, 'odds-api', start, false, 'The Odds API: 401.', {
      nextAt: start + 1,
    });
    clock.set(start + 2000);
    await until(async () => (await get()).sources.length === 2);
    expect(
      (await get()).sources.map(({ feed, title, ok, leftOut }) => [feed, title, ok, leftOut]),
    ).to.deep.equal([
      ['odds-api', 'The Odds API', false, {}],
      ['espn/nfl/schedule', 'ESPN scoreboard', true, { 'unknown state': 2 }],
    ]);
    await forgetRuns(ownDatabase.database, '', []);
  });

  it('agrees with /api/snapshot', async () => {
    await watch.round();
    const snapshot = (await (await fetch(`${api.address}/api/snapshot`)).json()) as Record<string, number>;
    const report = await get();
    expect(check(report, 'last-pick')?.value).to.equal(snapshot.lastPickAgoSeconds);
    expect(check(report, 'last-settlement')?.value).to.equal(snapshot.lastSettleAgoSeconds);
  });

  it('reports that the status worker has never run', async () => {
    const report = await get();
    expect(report.status).to.equal('degraded');
    expect(check(report, 'status-worker')?.message).to.contain('has not reported yet');
    expect(statusOf(report, 'database')).to.equal('ok');
    expect(statusOf(report, 'redis')).to.equal('ok');
  });

  it('notices when the status worker falls silent and when it returns', async () => {
    await watch.round();
    expect(statusOf(await get(), 'status-worker')).to.equal('ok');
    clock.set(start + 60_000);
    const silent = await getWhen((report) => statusOf(report, 'status-worker') === 'degraded');
    expect(check(silent, 'status-worker')?.message).to.contain('not reported for 1 min');
    clock.set(start + 300_000);
    expect((await getWhen((report) => statusOf(report, 'status-worker') === 'down')).status).to.equal('down');
    await watch.round();
    await getWhen((report) => statusOf(report, 'status-worker') === 'ok');
  });

  it('shows an open incident and what it affects', async () => {
    await ownDatabase.owner('unsealed_events').insert({ kind: 'notice', subject_id: 999 });
    // No workers run here, and that would explain the incident.
    const other = watching({
      clock,
      database: ownDatabase.database,
      redis: ownRedis.redis,
      databaseUrl: ownDatabase.url,
      only: (names) => !names.some((name) => name.startsWith('workers-')),
    });
    for (const at of [0, 15, 600, 615]) {
      clock.set(start + at * 1000);
      await other.round();
    }
    await other.close();
    const { incidents } = await get();
    expect(incidents.find((each) => each.check === 'sealing')).to.deep.include({
      title: 'Sealing',
      status: 'down',
      closedAt: null,
      openedAt: iso(start + 600_000),
      durationSeconds: 15,
    });
    await forgetUnsealed(ownDatabase.owner, 999);
  });

  it('reports an outage of PostgreSQL, and the totals read before', async () => {
    await watch.round();
    const before = await getWhen((report) => statusOf(report, 'status-worker') === 'ok');
    await postgres.cut();
    const report = await getWhen((each) => statusOf(each, 'database') === 'down');
    expect(report.status).to.equal('down');
    expect(check(report, 'database')?.message).to.equal('The public site cannot reach PostgreSQL.');
    expect(report.checks.map(({ name }) => name)).to.deep.equal(['database', 'redis', 'status-worker']);
    expect(report.totals).to.deep.equal(before.totals);
    await postgres.restore();
    await getWhen((each) => statusOf(each, 'database') === 'ok');
  });

  it('works without Redis, and reports the outage', async () => {
    await watch.round();
    await redisOutage.cut();
    const report = await getWhen((each) => statusOf(each, 'redis') === 'down');
    expect(statusOf(report, 'database')).to.equal('ok');
    expect(statusOf(report, 'sealing')).to.equal('ok');
  });

  it('reports what its own process sees without both', async () => {
    await watch.round();
    const before = await get();
    await Promise.all([postgres.cut(), redisOutage.cut()]);
    const report = await getWhen(
      (each) => statusOf(each, 'database') === 'down' && statusOf(each, 'redis') === 'down',
    );
    expect(report.status).to.equal('down');
    expect(report.checks.map(({ name }) => name)).to.deep.equal(['database', 'redis', 'status-worker']);
    expect(report.totals).to.deep.equal(before.totals);
    const checked = body(report);
    expect(checked.ok ? '' : faultsText(checked.faults)).to.equal('');
    expect(JSON.stringify(report)).to.not.match(/127\.0\.0\.1|ECONN|postgres:/);
  });
});
