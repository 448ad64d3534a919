import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { anyFreePort } from '../../src/local/ports.ts';
import { baseEnvironment } from '../support/base-environment.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { type OwnRedis, ownRedis } from '../support/own-redis.ts';
import { until } from '../support/until.ts';
import { watchAnswers } from '../support/watch-answers.ts';

const program = resolve(import.meta.dirname, '..', '..', 'bin', 'run');
const token = 'a-token-for-these-tests';
const hour = 3_600_000;

/** Longest waits, in milliseconds, as docs/operations.md#postgresql promises them. */
const limits = { status: 3_000, other: 6_000, post: 6_000 };

describe('nothing hangs while', () => {
  const stores = withDatabase({ kind: 'live' });
  const links: Outage[] = [];
  let redis: OwnRedis;
  let postgres: Outage;
  let site: string;
  let operator: string;
  let watch: ReturnType<typeof watchAnswers>;
  const children: ChildProcess[] = [];
  const startsAt = new Date(Math.floor(Date.now() / hour) * hour + 3 * hour).toISOString();

  before(async () => {
    redis = await ownRedis();
    postgres = await withOutage(stores.url);
    links.push(postgres);
    const [port, operatorPort] = [await anyFreePort(), await anyFreePort()];
    for (const name of ['web', 'operator'] as const) {
      const child = spawn(program, [name], {
        env: {
          ...baseEnvironment,
          DATABASE_URL: asLogin(postgres.url, name),
          REDIS_URL: redis.url,
          PORT: String(port),
          OPERATOR_PORT: String(operatorPort),
          HOST: '127.0.0.1',
          OPERATOR_TOKEN: token,
          SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
          LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
          LOG_LEVEL: 'error',
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      children.push(child);
    }
    site = `http://127.0.0.1:${port}`;
    operator = `http://127.0.0.1:${operatorPort}`;
    const isUp = (url: string) =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(async () => (await isUp(`${site}/readyz`)) && (await isUp(`${operator}/livez`)));
    await post('cappers', { handle: 'ada', tier: 'elite', verified: true });
    await post('games', { sport: 'soccer', game: 'Gulls @ Foxes', startsAt });
    watch = watchAnswers(`${site}/api/status`, 200);
  });
  after(async () => {
    redis?.thaw();
    const ended = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(ended);
    watch?.stop();
    for (const link of links) await link.close();
    await redis?.close();
  });

  interface Seen {
    status: number;
    text: string;
    ms: number;
    retryAfter: string | null;
  }

  async function request(url: string, init: RequestInit = {}): Promise<Seen> {
    const began = performance.now();
    const response = await fetch(url, init);
    const text = await response.text();
    const { status, headers } = response;
    return { status, text, ms: performance.now() - began, retryAfter: headers.get('retry-after') };
  }
  const get = (path: string) => request(`${site}${path}`);
  const post = (path: string, row: object) =>
    request(`${operator}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(row),
    });
  let asked = 0;
  const pick = () => {
    asked += 1;
    return post('picks', {
      ...{ capperHandle: 'ada', sport: 'soccer', game: 'Gulls @ Foxes', startsAt, market: 'prop' },
      ...{
        subject: `Question ${asked}`,
        side: 'yes',
        pick: 'Yes',
        oddsAmerican: -110,
        stakeUnits: 1,
      },
    });
  };

  /** Asks for everything that needs PostgreSQL, with parameters that no answer was kept for. */
  async function expectAnswers(isAway: boolean): Promise<void> {
    asked += 1;
    const exports = [
      `/record/export.json?limit=${asked}`,
      `/record/export.csv?limit=${asked}`,
      `/record/rss.xml?limit=${asked}`,
    ];
    const boards = [
      `/api/feed/settled?limit=${asked}`,
      '/api/leaderboard',
      '/ledger/key',
      '/',
      '/api/webhooks?email=a@b.de',
    ];
    const [ready, status, posted, ...rest] = await Promise.all([
      get('/readyz'),
      get('/api/status'),
      pick(),
      ...exports.map(get),
      ...boards.map(get),
    ]);
    expect(status.status).to.equal(200);
    expect(status.ms, 'status').to.be.below(limits.status);
    expect(ready.ms, 'readyz').to.be.below(limits.other);
    expect(posted.ms, posted.text).to.be.below(limits.post);
    expect(posted.status).to.be.oneOf([200, 503]);
    const named = [...exports, ...boards];
    for (const [index, { status: code, ms, text, retryAfter }] of rest.entries()) {
      const about = `${named[index]}: ${code} after ${ms} ms: ${text.slice(0, 200)}`;
      expect(ms, about).to.be.below(limits.other);
      expect(code, about).to.be.oneOf(index < exports.length ? [200] : [200, 404, 503]);
      if (code === 503) expect(Number(retryAfter), about).to.be.above(0);
    }
    if (!isAway) return;
    expect(ready.status, ready.text).to.equal(503);
    expect(JSON.parse(rest[0]!.text)).to.include({ db_reachable: false, count: 0 });
    expect(JSON.parse(status.text)).to.include({ status: 'down' });
    expect(posted.status).to.equal(503);
  }

  /** Waits for normal answers, and checks that the watching reader was never kept waiting. */
  async function expectRecovery(): Promise<void> {
    await until(async () => {
      const [exported, ready] = [await get('/record/export.json?limit=1'), await get('/readyz')];
      return JSON.parse(exported.text).db_reachable === true && ready.text.includes('"ready"');
    });
    await until(async () => (await pick()).status === 200);
    expect(watch.faults).to.deep.equal([]);
    expect(watch.longestMs()).to.be.below(limits.status);
  }

  async function sessions(): Promise<number[]> {
    return stores
      .owner('pg_stat_activity')
      .whereRaw('datname = current_database()')
      .whereRaw(`usename ~ '_(web|operator)$'`)
      .pluck('pid');
  }

  for (const isBusy of [false, true]) {
    const when = isBusy ? ', amid work' : '';
    /** Keeps requests in progress when the fault begins. */
    const work = () =>
      isBusy
        ? [get(`/api/feed/settled?limit=${100 + asked}`), get('/record/export.json?limit=90'), pick(), pick()]
        : [];

    it(`PostgreSQL is silent${when}`, async () => {
      const working = work();
      postgres.freeze();
      await Promise.all(working);
      await until(async () => (await get('/readyz')).status === 503);
      await expectAnswers(true);
      await expectAnswers(true);
      await postgres.restore();
      await expectRecovery();
    });

    it(`PostgreSQL's sessions are stopped, and new ones are not${when}`, async () => {
      const working = work();
      const stopped = await sessions();
      expect(stopped.length).to.be.above(1);
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      try {
        await Promise.all(working);
        await expectAnswers(false);
        await expectRecovery();
      } finally {
        for (const pid of stopped) process.kill(pid, 'SIGCONT');
      }
    });

    it(`Redis is stopped${when}`, async () => {
      const working = work();
      redis.freeze();
      await Promise.all(working);
      await expectAnswers(false);
      await pause(2_000);
      await expectAnswers(false);
      redis.thaw();
      await expectRecovery();
    });
  }

  it('both are', async () => {
    redis.freeze();
    postgres.freeze();
    await until(async () => (await get('/readyz')).status === 503);
    await expectAnswers(true);
    redis.thaw();
    await postgres.restore();
    await expectRecovery();
  });
});
