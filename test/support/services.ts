import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bringUp } from '../../src/local/bring-up.ts';
import { preparePostgres } from '../../src/local/postgres.ts';
import type { StartedProcess } from '../../src/local/processes.ts';
import { type Claim, claim, InUse } from '../../src/local/running.ts';
import { createSupervisor } from '../../src/local/supervisor.ts';
import { Refusal, type Say } from '../../src/local/terminal.ts';
import { variable } from '../../src/platform/config/read.ts';
import { type Chromium, findChromium } from './chromium.ts';
import { discardPostgres } from './discard-postgres.ts';
import { memoryFolder } from './shared-memory.ts';

export interface TestServicesOptions {
  root: string;
  environment: NodeJS.ProcessEnv;
  say: Say;
  aborted: AbortSignal;
  /** PostgreSQL settings in addition to the usual ones. */
  postgresSettings?: Readonly<Record<string, string>>;
}

/** The services that tests use. Each starts on first request. */
export interface TestServices {
  /** The URL of an empty PostgreSQL's maintenance database, under its superuser. */
  postgres(): Promise<string>;
  /** The URL of a second server's maintenance database, outside the failover group of the first. */
  otherPostgres(): Promise<string>;
  /** The console URL of a PgBouncer in front of `postgres`. */
  pgbouncer(): Promise<string>;
  /** The URL of an empty Redis. */
  redis(): Promise<string>;
  chromium(): Promise<Chromium>;
  /** Ends another process if this one is killed. */
  watch(started: StartedProcess): void;
  /** Ends all services and removes their files. */
  stop(): Promise<void>;
}

/** Claims a data folder in which services start on their own ports. `TEST_DATABASE_URL` and `TEST_REDIS_URL` replace them. */
export async function createTestServices(options: TestServicesOptions): Promise<TestServices> {
  const { root, environment, say } = options;
  const { dataDir, claimed } = await ownDataDir(root, say);
  discard(dataDir);
  const stopping = new AbortController();
  const aborted = AbortSignal.any([options.aborted, stopping.signal]);
  const watched: StartedProcess[] = [];
  let stores: StartedProcess[] = [];
  const note = () => claimed.note([...stores, ...watched]);
  const supervisor = createSupervisor({
    say,
    onChange(started) {
      stores = started;
      note();
    },
  });
  const common = { dataDir, say, aborted, disposable: true, settings: options.postgresSettings };
  const starting: Promise<unknown>[] = [];

  /** Returns a function that starts something on its first call. */
  function lazily<T>(start: () => Promise<T>): () => Promise<T> {
    let started: Promise<T> | undefined;
    return () => {
      if (started === undefined) {
        started = start();
        starting.push(started);
      }
      return started;
    };
  }

  const packagesDir = join(root, '.data', 'packages');
  const postgres = lazily(async () => {
    const given = variable(environment, 'TEST_DATABASE_URL');
    if (given !== undefined) return given;
    const folder = memoryFolder();
    if (folder !== undefined) claimed.own(folder);
    const prepared = await preparePostgres({ ...common, folder, say: () => {} });
    await bringUp(prepared, supervisor, aborted);
    return prepared.superuserUrl('postgres');
  });

  return {
    postgres,
    // Loaded on demand: with Knex and ioredis, `npm test` takes a third of a second longer to start.
    pgbouncer: lazily(async () => {
      const { preparePgbouncer } = await import('./pgbouncer.ts');
      const { testUsers } = await import('./database.ts');
      const server = await postgres();
      const folder = join(dataDir, 'pgbouncer');
      const pooler = await preparePgbouncer({
        folder,
        packagesDir,
        server,
        users: testUsers,
        say,
        aborted,
      });
      await bringUp(pooler, supervisor, aborted);
      return pooler.url;
    }),
    otherPostgres: lazily(async () => {
      const folder = join(dataDir, 'other');
      mkdirSync(folder, { recursive: true });
      const postgres = await preparePostgres({ ...common, dataDir: folder, say: () => {} });
      const program = { ...postgres.program, name: 'other postgres' };
      await bringUp({ ...postgres, program }, supervisor, aborted);
      return postgres.superuserUrl('postgres');
    }),
    redis: lazily(async () => {
      const given = variable(environment, 'TEST_REDIS_URL');
      if (given !== undefined) return given;
      const { prepareRedis } = await import('../../src/local/redis.ts');
      const store = await prepareRedis({ dataDir, packagesDir, say, aborted, databases: 1024 });
      await bringUp(store, supervisor, aborted);
      return store.url;
    }),
    chromium: lazily(() => findChromium(say, aborted)),
    watch(started) {
      watched.push(started);
      note();
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(starting);
      await supervisor.stop();
      discard(dataDir);
      claimed.release();
    },
  };
}

/** Returns `.data/test`, or the next free one of its kind while other tests run there. */
async function ownDataDir(root: string, say: Say): Promise<{ dataDir: string; claimed: Claim }> {
  for (let number = 1; number <= 9; number += 1) {
    const dataDir = join(root, '.data', number === 1 ? 'test' : `test-${number}`);
    try {
      return { dataDir, claimed: await claim(dataDir, say) };
    } catch (error) {
      if (!(error instanceof InUse)) throw error;
    }
  }
  throw new Refusal('Nine test runs are already in progress. Wait for one to end.');
}

function discard(dataDir: string): void {
  discardPostgres(join(dataDir, 'other'));
  rmSync(join(dataDir, 'other'), { recursive: true, force: true });
  discardPostgres(dataDir);
  for (const name of ['postgres.log', 'pgbouncer', 'redis.log']) {
    rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}
