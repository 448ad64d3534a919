import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Gauge } from 'prom-client';
import { seal } from '../../src/jobs/declared.ts';
import { queueNames } from '../../src/jobs/job.ts';
import { type Enqueue, openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { publishMetrics } from '../../src/jobs/runtime/process-metrics.ts';
import { createOperator } from '../../src/operator/app.ts';
import { runUnprobed } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { startApi } from '../support/api.ts';
import { testConfig } from '../support/config.ts';
import { withDatabase } from '../support/database.ts';
import { league } from '../support/folders.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const token = 'the-token-of-these-tests';
const now = Date.parse('2026-01-15T12:00:00Z');

describe('the metrics', () => {
  const stores = withDatabase();
  const redis = withRedis();
  let enqueue: Enqueue;
  before(() => {
    enqueue = openQueues(redis.redis, quiet);
  });
  after(() => enqueue.close());

  async function scrape(database = stores.database): Promise<string> {
    const config = testConfig({ OPERATOR_TOKEN: token });
    const clock = { now: () => now };
    const app = createOperator({
      config,
      database,
      redis: redis.redis,
      clock,
      enqueue,
      log: quiet,
      availability: { once: runUnprobed },
    });
    const server: Server = createServer(app.callback()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
      return await response.text();
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  /** Returns the value of a metric whose labels include these. */
  function value(text: string, name: string, ...labels: string[]): number | undefined {
    const line = text
      .split('\n')
      .find((each) => each.split(/[{ ]/, 1)[0] === name && labels.every((label) => each.includes(label)));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  }

  it('cover every queue, the ledger, deliveries, and providers', async () => {
    await ingest(stores.database, league, now);
    await runPipeline(stores.database, now);
    await enqueue.add(seal, {});
    await stores.database('source_runs').insert([
      { source: 'odds-api', ok: true, message: 'x', failures: 0, quota_remaining: 321 },
      {
        source: 'odds-api/basketball_nba/odds',
        ok: false,
        message: 'x',
        failures: 3,
        left_out: { 'unknown market': 7 },
      },
    ]);
    const attempt = { subscription_id: 1, delivery_id: 'd', event: 'ping', duration_ms: 5 };
    await stores.database('webhook_attempts').insert([
      { ...attempt, slot: 0, at: new Date(now - 60_000), status: 200 },
      { ...attempt, slot: 1, at: new Date(now - 60_000), error: 'timeout' },
      { ...attempt, slot: 1, at: new Date(now - 60_000), status: 500 },
      { ...attempt, slot: 2, at: new Date(now - 2 * 3_600_000), status: 200 },
    ]);
    const checked = { checkedAt: now, message: 'x', bad: 0, downs: 0, good: 0 };
    const [open, closed] = [randomUUID(), randomUUID()];
    const incident = {
      id: open,
      check_name: 'sealing',
      title: 'Sealing',
      status: 'down',
      worst: 'down',
      message: 'x',
      affects: [],
      opened_at: new Date(now - 60_000),
    };
    const state = {
      at: now - 5000,
      chat: { failures: 0, notBefore: 0 },
      heartbeatAt: 0,
      checks: { sealing: { ...checked, status: 'down' }, redis: { ...checked, status: 'ok' } },
    };
    await stores
      .owner('status_incidents')
      .insert([incident, { ...incident, id: closed, closed_at: new Date(now) }]);
    await stores.owner('status_watch').insert({
      id: 1,
      state: JSON.stringify(state),
      holder: randomUUID(),
      written_at: new Date(now),
      held_until: new Date(now),
    });
    const text = await scrape();
    expect(value(text, 'public_picks_check_status', 'check="sealing"')).to.equal(2);
    expect(value(text, 'public_picks_check_status', 'check="redis"')).to.equal(0);
    expect(value(text, 'public_picks_incident_opened_seconds', `id="${open}"`)).to.equal(now / 1000 - 60);
    expect(value(text, 'public_picks_incident_opened_seconds', `id="${closed}"`)).to.equal(undefined);
    expect(value(text, 'public_picks_status_age_seconds')).to.equal(5);
    for (const queue of queueNames)
      for (const state of ['waiting', 'active', 'delayed', 'failed'])
        expect(value(text, 'public_picks_jobs', `queue="${queue}"`, `state="${state}"`), queue).to.be.a(
          'number',
        );
    expect(value(text, 'public_picks_jobs', 'queue="sealing"', 'state="waiting"')).to.equal(1);
    const entries = (await stores.database('ledger_entries').pluck('seq')).length;
    expect(entries).to.be.above(0);
    expect(value(text, 'public_picks_ledger_entries')).to.equal(entries);
    const pending = (await stores.database('pending_picks').pluck('pick_id')).length;
    expect(value(text, 'public_picks_pending_picks')).to.equal(pending);
    expect(value(text, 'public_picks_checkpoint_size')).to.equal(0);
    expect(value(text, 'public_picks_backlog', 'kind="unsealed"')).to.equal(0);
    expect(value(text, 'public_picks_webhook_subscriptions', 'status="active"')).to.equal(0);
    expect(value(text, 'public_picks_webhook_attempts_last_hour', 'outcome="delivered"')).to.equal(1);
    expect(value(text, 'public_picks_webhook_attempts_last_hour', 'outcome="timeout"')).to.equal(1);
    expect(value(text, 'public_picks_webhook_attempts_last_hour', 'outcome="refused"')).to.equal(1);
    expect(value(text, 'public_picks_odds_api_credits')).to.equal(321);
    expect(value(text, 'public_picks_source_failures', 'basketball_nba')).to.equal(3);
    expect(value(text, 'public_picks_source_left_out', 'basketball_nba', 'reason="unknown market"')).to.equal(
      7,
    );
    expect(value(text, 'nodejs_eventloop_lag_p99_seconds', 'process="operator"')).to.be.a('number');
  });

  it('omit and count unreadable values instead of reporting 0', async () => {
    const away = openDatabase('postgres://x@127.0.0.1:9/x', { connectTimeout: 500 });
    try {
      const text = await scrape(away);
      expect(value(text, 'public_picks_ledger_entries')).to.equal(undefined);
      expect(value(text, 'public_picks_jobs', 'queue="sealing"')).to.be.a('number');
      // Counted during the request, and reported by the next.
      expect(text).to.contain('public_picks_unread_figures_total');
    } finally {
      await away.destroy();
    }
  });

  it('include the web process: requests by route and status, and the source of answers', async () => {
    const web = publishMetrics('web', redis.redis, quiet);
    const api = await startApi({ database: stores, redis }, { metrics: web.registry });
    try {
      const read = async (path: string) => (await fetch(api.address + path)).text();
      await read('/api/cappers/ada/stats');
      await read('/api/cappers/ada/stats');
      await read('/api/cappers/bram/stats?x=1');
      await read('/nowhere/at/all');
      let text = '';
      await until(async () => {
        text = await scrape();
        return text.includes('route="none"');
      });
      const route = 'route="/api/cappers/:handle/stats"';
      expect(
        value(text, 'public_picks_http_request_seconds_count', route, 'status="200"', 'process="web"'),
      ).to.equal(2);
      expect(value(text, 'public_picks_http_request_seconds_count', 'route="none"', 'status="404"')).to.equal(
        1,
      );
      expect(value(text, 'public_picks_http_answered_from_memory_total')).to.equal(1);
      expect(value(text, 'public_picks_cache_answers_total', 'source="rendered"')).to.equal(2);
      expect(value(text, 'nodejs_eventloop_lag_p99_seconds', 'process="web"')).to.be.a('number');
      expect(text.match(/^# TYPE nodejs_eventloop_lag_p99_seconds/gm)).to.have.length(1);
      expect(text).to.not.contain('/nowhere');
    } finally {
      await api.close();
      await web.stop();
    }
    expect(await scrape()).to.not.contain('process="web"');
  });

  it('are separate by process, and expire when a process falls silent', async () => {
    const one = publishMetrics('grading', redis.redis, quiet);
    new Gauge({ name: 'test_gauge', help: 'x', registers: [one.registry] }).set(5);
    await until(async () => (await scrape()).includes('test_gauge'));
    const [instance] = await redis.redis.smembers('public-picks:metrics');
    const key = `public-picks:metrics:${instance}`;
    expect(await redis.redis.pttl(key)).to.be.within(1, 20_000);
    const other = (await redis.redis.get(key))!
      .replaceAll(instance!, 'grading@elsewhere:1')
      .replaceAll('"value":5,', '"value":7,');
    await redis.redis.sadd('public-picks:metrics', 'grading@elsewhere:1', 'gone', 'broken');
    await redis.redis.set('public-picks:metrics:grading@elsewhere:1', other);
    await redis.redis.set('public-picks:metrics:broken', '[{"name":"evil\\n"}]');
    const text = await scrape();
    expect(value(text, 'test_gauge', `instance="${instance}"`)).to.equal(5);
    expect(value(text, 'test_gauge', 'instance="grading@elsewhere:1"')).to.equal(7);
    expect(await redis.redis.smembers('public-picks:metrics')).to.not.include('gone');
    expect(text).to.not.contain('evil');
    await one.stop();
  });
});
