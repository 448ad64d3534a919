import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { sealAll } from '../src/ledger/sealing/seal.ts';
import { withServer } from './sources/http-server.ts';
import { baseEnvironment } from './support/base-environment.ts';
import { asLogin, loginOf, withDatabase } from './support/database.ts';
import { league } from './support/folders.ts';
import { latencyMs } from './support/patience.ts';
import { withRedis } from './support/redis.ts';
import { until } from './support/until.ts';
import { ingest } from './support/whole-way.ts';

const root = resolve(import.meta.dirname, '..');
const token = 'a-token-for-tests-only';

describe('a process that is stopped during work', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const provider = withServer();
  const children: ChildProcess[] = [];
  before(() => ingest(stores.database, league, Date.now()));
  const locks: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const release of locks.splice(0)) await release();
  });

  function start(entry: string, environment: Record<string, string> = {}) {
    const child = spawn(process.execPath, [resolve(root, entry)], {
      cwd: root,
      env: {
        ...baseEnvironment,
        DATABASE_URL: asLogin(stores.url, loginOf(entry)),
        REDIS_URL: redis.url,
        PORT: '0',
        HOST: '127.0.0.1',
        OPERATOR_PORT: '0',
        OPERATOR_TOKEN: token,
        SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines: Record<string, unknown>[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) lines.push(JSON.parse(line));
    });
    const ended = once(child, 'close').then(([code]) => code as number | null);
    const logged = (msg: string) => lines.find((line) => line.msg === msg);
    return { child, ended, logged };
  }

  async function listening(logged: (msg: string) => Record<string, unknown> | undefined): Promise<string> {
    await until(() => logged('listening') !== undefined);
    return `http://127.0.0.1:${(logged('listening') as { address: AddressInfo }).address.port}`;
  }

  /** Locks a table until released, so that a process that needs it stops in the middle of its work. */
  async function hold(table: string, who: string, mode = 'access exclusive') {
    const transaction = await stores.owner.transaction();
    const release = async () => {
      if (!transaction.isCompleted()) await transaction.rollback();
    };
    locks.push(release);
    await transaction.raw(`lock table ${table} in ${mode} mode`);
    return {
      async untilAwaited() {
        await until(async () => {
          const { rows } = await stores.owner.raw(
            `select from pg_stat_activity
             where datname = current_database() and application_name = ? and wait_event_type = 'Lock'`,
            [`public-picks ${who}`],
          );
          return rows.length > 0;
        });
      },
      release,
    };
  }

  /** Stops a worker while it waits for a table. */
  async function finishes(worker: string, table: string): Promise<void> {
    // Renderings read the table too, so a lock that admits readers is used.
    const held = await hold(table, worker, 'exclusive');
    const { child, ended, logged } = start(`workers/${worker}.ts`);
    await held.untilAwaited();
    child.kill('SIGTERM');
    await until(() => logged('closing') !== undefined);
    expect(child.exitCode).to.equal(null);
    await held.release();
    expect(await ended).to.equal(0);
    expect(logged('closed')).to.not.equal(undefined);
  }

  for (const { worker, table, prepare, done } of [
    {
      worker: 'grading',
      table: 'settlements',
      prepare: async () => {},
      done: async () => (await stores.database('settlements').pluck('pick_id')).length > 0,
    },
    {
      worker: 'boards',
      table: 'board_picks',
      prepare: () => sealAll(stores.database),
      done: async () => (await stores.database('board_picks').pluck('pick_id')).length > 0,
    },
    {
      worker: 'webhooks',
      table: 'webhook_cycles',
      prepare: async () => {},
      done: async () => (await stores.database('webhook_cycles').pluck('cycle')).length > 0,
    },
    {
      worker: 'status',
      table: 'status_watch',
      prepare: async () => {},
      done: async () => (await stores.database('status_watch').select('*')).length > 0,
    },
  ])
    it(`finishes its job and exits with status 0: ${worker}`, async () => {
      await prepare();
      await finishes(worker, table);
      expect(await done()).to.equal(true);
    });

  it('does not wait for an answer that can be requested again: ingest', async () => {
    provider.answer(() => {});
    const { child, ended } = start('workers/ingest.ts', {
      ODDS_API_KEY: 'k',
      ODDS_API_URL: provider.url,
    });
    await until(() => provider.asked.length > 0);
    const began = performance.now();
    child.kill('SIGTERM');
    expect(await ended).to.equal(0);
    // The request would otherwise be awaited for 15 seconds.
    expect(performance.now() - began).to.be.below(latencyMs(12_000));
    expect(await stores.database('source_runs')).to.deep.equal([]);
  });

  it('answers its request and exits with status 0: web', async () => {
    const { child, ended, logged } = start('src/server.ts');
    const address = await listening(logged);
    await until(async () => (await fetch(`${address}/readyz`)).status === 200);
    const held = await hold('board_picks', 'web builds');
    const begun = fetch(`${address}/record/export.json`);
    await held.untilAwaited();
    child.kill('SIGTERM');
    await until(() => logged('closing') !== undefined);
    await held.release();
    expect((await begun).status).to.equal(200);
    expect(await (await begun).json()).to.include({ db_reachable: true });
    expect(await ended).to.equal(0);
  });

  it('completes its intake and exits with status 0: operator', async () => {
    const { child, ended, logged } = start('src/operator.ts');
    const address = await listening(logged);
    const held = await hold('games', 'operator');
    const game = {
      sport: 'nfl',
      game: 'Late Gulls @ Late Foxes',
      startsAt: '2030-01-01T18:00:00Z',
      status: 'scheduled',
    };
    const begun = fetch(`${address}/games`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(game),
    });
    await held.untilAwaited();
    child.kill('SIGTERM');
    await until(() => logged('closing') !== undefined);
    await held.release();
    expect(await (await begun).json()).to.deep.include({ counts: { added: 1 } });
    expect(await ended).to.equal(0);
    expect(await stores.database('games').where('name', game.game).pluck('name')).to.have.length(1);
  });

  it('exits at its deadline with status 1, and names what hung', async () => {
    const web = start('src/server.ts', { SHUTDOWN_SECONDS: '1' });
    const address = await listening(web.logged);
    const held = await hold('board_picks', 'web builds');
    const begun = fetch(`${address}/record/export.json`).catch(() => 'broken');
    await held.untilAwaited();
    web.child.kill('SIGTERM');
    expect(await web.ended).to.equal(1);
    expect(web.logged('did not close in time: exiting anyway')).to.include({ hung: 'requests' });
    await begun;
    await held.release();
  });

  it('exits at its deadline, and the next process finishes the job and exits with status 0: sealing', async () => {
    await stores.database('notices').insert({ at: new Date(), topic: 'remark', text: 'one more to seal' });
    const held = await hold('ledger_entries', 'sealing');
    const hung = start('workers/sealing.ts', { SHUTDOWN_SECONDS: '1' });
    await held.untilAwaited();
    hung.child.kill('SIGTERM');
    expect(await hung.ended).to.equal(1);
    expect(hung.logged('did not close in time: exiting anyway')).to.include({ hung: 'jobs' });
    await held.release();
    // A connection of the ended process may still wait for the table, and would be mistaken for the next one's.
    await until(async () => {
      const { rows } = await stores.owner.raw(
        `select from pg_stat_activity where datname = current_database() and application_name = 'public-picks sealing'`,
      );
      return rows.length === 0;
    });
    await finishes('sealing', 'ledger_entries');
    expect(await stores.database('unsealed_events').pluck('id')).to.deep.equal([]);
  });
});
