import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { discardPostgres, preparePostgres } from '../../src/local/postgres.ts';
import type { StartedProcess } from '../../src/local/processes.ts';
import { prepareRedis } from '../../src/local/redis.ts';
import { Refusal, type Say } from '../../src/local/refusal.ts';
import { type Claim, claim, InUse } from '../../src/local/running.ts';
import { bringUp } from '../../src/local/store.ts';
import { createSupervisor } from '../../src/local/supervisor.ts';
import { variable } from '../../src/platform/config/read.mjs';

export interface TestServicesOptions {
  /** The project's folder. */
  root: string;
  environment: NodeJS.ProcessEnv;
  say: Say;
  aborted: AbortSignal;
}

export interface TestServices {
  /**
   * `DATABASE_OWNER_URL`: the maintenance database under the superuser; `REDIS_URL`: a Redis of 64 databases.
   */
  environment: { DATABASE_OWNER_URL: string; REDIS_URL: string };
  /** Has a further process ended should this one be killed. */
  watch(started: StartedProcess): void;
  /** Ends all and removes their files. */
  stop(): Promise<void>;
}

/**
 * Brings up an empty PostgreSQL and an empty Redis, on ports and in a data folder of their own.
 * `TEST_DATABASE_URL` and `TEST_REDIS_URL` replace them.
 */
export async function startTestServices(options: TestServicesOptions): Promise<TestServices> {
  const { root, environment, say, aborted } = options;
  const { dataDir, claimed } = await ownDataDir(root, say);
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
  const stop = async () => {
    await supervisor.stop();
    discard(dataDir);
    claimed.release();
  };
  const common = { dataDir, say, aborted, disposable: true };

  async function database(): Promise<string> {
    const given = variable(environment, 'TEST_DATABASE_URL');
    if (given !== undefined) return given;
    say('Starting a PostgreSQL for the tests ...');
    const postgres = await preparePostgres(common);
    await bringUp(postgres, supervisor, aborted);
    return postgres.superuserUrl('postgres');
  }

  async function redis(): Promise<string> {
    const given = variable(environment, 'TEST_REDIS_URL');
    if (given !== undefined) return given;
    say('Starting a Redis for the tests ...');
    const store = await prepareRedis({ ...common, packagesDir: join(root, '.data', 'packages') });
    await bringUp(store, supervisor, aborted);
    return store.url(0);
  }

  try {
    discard(dataDir);
    return {
      environment: { DATABASE_OWNER_URL: await database(), REDIS_URL: await redis() },
      watch(started) {
        watched.push(started);
        note();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `.data/test`, or the next of its kind while other tests run there. */
async function ownDataDir(root: string, say: Say): Promise<{ dataDir: string; claimed: Claim }> {
  for (let number = 1; number <= 9; number += 1) {
    const dataDir = join(root, '.data', number === 1 ? 'test' : `test-${number}`);
    try {
      return { dataDir, claimed: await claim(dataDir, say) };
    } catch (error) {
      if (!(error instanceof InUse)) throw error;
    }
  }
  throw new Refusal('Nine test runs are under way here already.');
}

function discard(dataDir: string): void {
  discardPostgres(dataDir);
  for (const name of ['postgres.log', 'redis', 'redis.json', 'redis.log']) {
    rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}
