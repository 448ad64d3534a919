import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { anyFreePort } from '../../src/local/ports.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { type OwnRedis, ownRedis } from '../support/own-redis.ts';
import { latencyMs } from '../support/patience.ts';
import { postPick } from '../support/post-pick.ts';
import { ingest } from '../support/whole-way.ts';
import { type WorkerProcesses, workerProcesses } from '../support/worker-processes.ts';

const hour = 3_600_000;
/** Well below the 15 s of the polling fallback. A quiet machine takes 2 s. */
const limitMs = latencyMs(10_000);

describe('no ledger write waits for a Redis that', () => {
  const stores = withDatabase({ kind: 'live' });
  const folder = withFolder();
  let redis: OwnRedis;
  let other: OwnRedis;
  let workers: WorkerProcesses;
  let row: object;
  let health: string;
  let keys = 0;

  before(async () => {
    const startsAt = new Date(Math.floor(Date.now() / hour) * hour + 3 * hour).toISOString();
    const rows = {
      cappers: [{ handle: 'ada', tier: 'elite', verified: true }],
      games: [{ sport: 'soccer', game: 'Hawks @ Otters', startsAt, status: 'scheduled' }],
    };
    for (const [kind, list] of Object.entries(rows))
      await ingest(stores.database, folder.write(`${kind}.ndjson`, list), Date.now());
    row = {
      capperHandle: 'ada',
      sport: 'soccer',
      game: 'Hawks @ Otters',
      startsAt,
      market: 'moneyline',
      side: 'home',
      pick: 'Otters',
      oddsAmerican: -110,
      stakeUnits: 1,
    };
    [redis, other] = [await ownRedis(), await ownRedis()];
    workers = workerProcesses({ databaseUrl: stores.url, redisUrl: redis.url });
    const port = await anyFreePort();
    health = `http://127.0.0.1:${port}/readyz`;
    workers.start('workers', { HEALTH_PORT: String(port) });
    await counted();
  });
  after(async () => {
    redis.thaw();
    await workers.stop();
    await Promise.all([redis.close(), other.close()]);
  });

  /** Posts a pick without a notification. @returns milliseconds until it is sealed, covered, and counted */
  async function counted(): Promise<number> {
    keys += 1;
    const began = performance.now();
    const posted = await postPick(
      stores.database,
      { ...row, market: 'question', subject: `Question ${keys}` } as never,
      `key-${keys}`,
      Date.now(),
    );
    expect(posted.outcome).to.equal('added');
    for (;;) {
      const [found] = (
        await stores.database.raw(
          `select (select count(*) from unsealed_events)::int as unsealed, (select sum(posted) from daily_rollups)::int as counted,
             (select coalesce(max(size), 0) from checkpoints) = (select count(*) from ledger_entries) as published`,
        )
      ).rows;
      if (found.unsealed === 0 && found.counted === keys && found.published) return performance.now() - began;
      if (performance.now() - began > 30_000)
        throw new Error(`${JSON.stringify(found)}\n${workers.output()}`);
      await sleep(20);
    }
  }

  /** Posts several picks in sequence: the fault of Redis may be noticed only after the first. */
  async function expectPrompt(): Promise<void> {
    const times = [await counted(), await counted()];
    expect(Math.max(...times), times.map(Math.round).join(' ')).to.be.below(limitMs);
  }

  /** Waits until Redis delivers jobs again. Until then only the poll every 15 s finds work. */
  async function untilReady(): Promise<void> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const { status } = (await (await fetch(health)).json()) as { status: string };
      if (status === 'ready') return;
      if (Date.now() > deadline) throw new Error(`${status}\n${workers.output()}`);
      await sleep(50);
    }
  }

  it('is silent', async () => {
    await untilReady();
    redis.freeze();
    await expectPrompt();
    redis.thaw();
  });

  it('is down', async () => {
    await redis.kill();
    await expectPrompt();
    await redis.start();
  });

  it('has been emptied', async () => {
    await untilReady();
    await redis.admin.flushall();
    await expectPrompt();
  });

  it('has become a replica to which connections stay open', async () => {
    await untilReady();
    await redis.admin.replicaof('127.0.0.1', other.port);
    await expectPrompt();
    await redis.admin.replicaof('NO', 'ONE');
  });

  it('is out of memory', async () => {
    await redis.admin.config('SET', 'maxmemory', '1');
    await expectPrompt();
    await redis.admin.config('SET', 'maxmemory', '0');
  });

  it('comes back, and then delivers jobs again without a restart', async () => {
    await untilReady();
  });
});
