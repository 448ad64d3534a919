import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { anyFreePort } from '../../src/local/ports.ts';
import { type Neighbors, startNeighbors } from '../stacks/faults/neighbors.ts';
import { type AuthorKey, firstKey, intents, signedPost } from '../support/author.ts';
import { baseEnvironment } from '../support/base-environment.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { atLength } from '../support/long.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { type OwnRedis, ownRedis } from '../support/own-redis.ts';
import { until } from '../support/until.ts';
import { watchAnswers } from '../support/watch-answers.ts';

const program = resolve(import.meta.dirname, '..', '..', 'bin', 'run');
const token = 'a-token-for-these-tests';
const hour = 3_600_000;

/** Longest waits, in milliseconds, as docs/operations.md#postgresql promises them. */
const limits = { status: 3_000, other: 6_000, post: 6_000, read: 16_000 };

/** A subject in letters. */
const subjectOf = (number: number) =>
  `Player ${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;

describe('nothing hangs while', () => {
  const stores = withDatabase({ kind: 'live' });
  const folder = withFolder();
  const links: Outage[] = [];
  let neighbors: Neighbors;
  let signer: Outage;
  let redis: OwnRedis;
  let postgres: Outage;
  let site: string;
  let operator: string;
  let watch: ReturnType<typeof watchAnswers>;
  let device: AuthorKey;
  const children: ChildProcess[] = [];
  const startsAt = new Date(Math.floor(Date.now() / hour) * hour + 3 * hour).toISOString();

  before(async () => {
    redis = await ownRedis();
    postgres = await withOutage(stores.url);
    neighbors = await startNeighbors(folder.path());
    signer = await withOutage(neighbors.signer);
    links.push(postgres, signer);
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
          LEDGER_SIGNER: signer.url,
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
    for (const game of ['Gulls @ Foxes', 'Bears @ Swans', 'Hawks @ Otters'])
      await post('games', { sport: 'soccer', game, startsAt });
    const [{ id }] = await stores.owner('cappers').select('id');
    device = await firstKey(stores.database, { id, handle: 'ada' }, Date.now());
    watch = watchAnswers(`${site}/api/status`, 200);
  });
  after(async () => {
    redis?.thaw();
    const ended = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(ended);
    watch?.stop();
    for (const link of links) await link.close();
    await neighbors?.close();
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
  const send = (url: string, body: object) =>
    request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const post = (path: string, row: object) => send(`${operator}/${path}`, row);
  let asked = 0;
  const pick = (game = 'Gulls @ Foxes') => {
    asked += 1;
    return post('picks', {
      capperHandle: 'ada',
      sport: 'soccer',
      game,
      startsAt,
      market: 'prop',
      subject: subjectOf(asked),
      side: 'yes',
      pick: 'Yes',
      oddsAmerican: -110,
      stakeUnits: 1,
    });
  };
  const intent = intents(startsAt, { game: 'Gulls @ Foxes', market: 'prop' });
  /** Posts a pick that its author signed. */
  const signedPick = async () => {
    asked += 1;
    const post = await signedPost(device, intent({ subject: subjectOf(asked) }));
    return send(`${site}/api/picks`, post);
  };
  /** Writes through every other door. */
  const writes = () => [
    pick(),
    signedPick(),
    post('games', { sport: 'soccer', game: `Gulls @ ${subjectOf(++asked)}`, startsAt }),
    post('cappers/ada/invites', {}),
    send(`${site}/api/picks/check`, { capperHandle: 'ada' }),
  ];

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
    const written = Promise.all(writes());
    const [ready, status, ...rest] = await Promise.all([
      get('/readyz'),
      get('/api/status'),
      ...exports.map(get),
      ...boards.map(get),
    ]);
    expect(status.status).to.equal(200);
    expect(status.ms, 'status').to.be.below(limits.status);
    expect(ready.ms, 'readyz').to.be.below(limits.other);
    for (const { status: code, ms, text, retryAfter } of await written) {
      expect(ms, text).to.be.below(limits.post);
      expect(code, text).to.be.oneOf(isAway ? [503] : [200, 201, 503]);
      if (code === 503) expect(Number(retryAfter), text).to.be.above(0);
    }
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
  }

  /** Waits for normal answers, and checks that the watching reader was never kept waiting. */
  async function expectRecovery(game?: string): Promise<void> {
    await until(async () => {
      const [exported, ready] = [await get('/record/export.json?limit=1'), await get('/readyz')];
      return JSON.parse(exported.text).db_reachable === true && ready.text.includes('"ready"');
    });
    await until(async () => (await pick(game)).status === 200);
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

  for (const isBusy of atLength([true], [false, true])) {
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
        // A stopped session keeps its locks, which are those of a capper and a game.
        await expectRecovery(isBusy ? 'Bears @ Swans' : undefined);
      } finally {
        for (const pid of stopped) process.kill(pid, 'SIGCONT');
      }
      await expectRecovery();
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

  it("PostgreSQL's sessions are stopped amid their statements, and new ones are not", async () => {
    const blocked = await stores.owner.transaction();
    await blocked.raw('lock table picks, board_picks in access exclusive mode');
    const reading = [get(`/api/feed/settled?limit=${100 + asked}`), get('/api/picks/by-game?sport=soccer')];
    const writing = writes();
    const [{ pid: own }] = (await blocked.raw('select pg_backend_pid() as pid')).rows;
    const waiting = async (): Promise<number[]> =>
      stores
        .owner('pg_stat_activity')
        .whereRaw('? = any(pg_blocking_pids(pid))', [own])
        .whereRaw(`usename ~ '_(web|operator)$'`)
        .pluck('pid');
    let stopped: number[] = [];
    try {
      await until(async () => {
        stopped = await waiting();
        return stopped.length > 1;
      });
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      await blocked.commit();
      for (const { ms, text } of await Promise.all(writing)) expect(ms, text).to.be.below(limits.post);
      for (const { ms, text } of await Promise.all(reading)) expect(ms, text).to.be.below(limits.read);
      await expectAnswers(false);
      await expectRecovery('Hawks @ Otters');
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
      if (!blocked.isCompleted()) await blocked.rollback();
    }
    await expectRecovery();
  });

  it('the signer is silent', async () => {
    const acknowledged = (text: string) => JSON.parse(text).rows[0].acknowledgement !== undefined;
    await until(async () => {
      const { status, text } = await pick();
      return status === 200 && acknowledged(text);
    });
    signer.freeze();
    const { status, text, ms } = await pick();
    expect(status, text).to.equal(200);
    expect(acknowledged(text), text).to.equal(false);
    expect(ms).to.be.below(limits.post);
    await expectAnswers(false);
    await signer.restore();
    await expectRecovery();
  });

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
