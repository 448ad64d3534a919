import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type Store, withLog } from './bring-up.ts';
import { anyFreePort } from './ports.ts';
import { findProgram, libraryPath, type PackagedProgram, type UnpackedProgram } from './system-packages.ts';
import { Refusal, type Say } from './terminal.ts';

const packaged: PackagedProgram = {
  packages: ['redis-server'],
  // Where a distribution replaced Redis by Valkey, the package of the old name brings the new server.
  paths: ['usr/bin/redis-server', 'usr/bin/valkey-server'],
};

export interface RedisOptions {
  dataDir: string;
  /** Where a server fetched from the system's packages is kept. */
  packagesDir: string;
  say: Say;
  aborted: AbortSignal;
  /** The number of databases. Default: 16. */
  databases?: number;
}

export interface LocalRedis extends Store {
  url: string;
}

/** Sets up a Redis on a free port. It keeps nothing: the service finds its work in PostgreSQL (docs/operations.md#redis). */
export async function prepareRedis(options: RedisOptions): Promise<LocalRedis> {
  const { dataDir, packagesDir, say, aborted, databases = 16 } = options;
  const program = await redisProgram(packagesDir, say, aborted);
  const password = randomBytes(24).toString('hex');
  const port = await anyFreePort();
  const configuration = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `databases ${databases}`,
    'daemonize no',
    'save ""',
    // It loads a file of this name at its start, and there is none: a `dump.rdb` in the data folder, damaged perhaps, is not looked at.
    `dbfilename ${password}.rdb`,
    // What BullMQ asks for: a queue must not lose keys to a cache's eviction.
    'maxmemory-policy noeviction',
  ].join('\n');
  const log = join(dataDir, 'redis.log');
  const url = `redis://:${password}@127.0.0.1:${port}/0`;
  return {
    log,
    url,
    answers: () => ping(url),
    program: {
      name: 'redis',
      store: true,
      signal: 'SIGTERM',
      launch() {
        const env = { ...process.env, LC_ALL: 'C', ...libraryPath(program) };
        // The configuration goes in by standard input, where no list of processes shows the password.
        const child = withLog(log, (out) =>
          spawn(program.command, ['-'], { cwd: dataDir, env, detached: true, stdio: ['pipe', out, out] }),
        );
        child.stdin?.on('error', () => {});
        child.stdin?.end(configuration);
        return child;
      },
    },
  };
}

/**
 * Finds a Redis or Valkey server; one from the system's packages is in `packagesDir`.
 * @throws Refusal that says how to get one, where that is impossible
 */
export async function redisProgram(
  packagesDir: string,
  say: Say,
  aborted: AbortSignal,
): Promise<UnpackedProgram> {
  const names = ['redis-server', 'valkey-server'];
  try {
    const folder = join(packagesDir, 'redis');
    return await findProgram({ title: 'Redis', names, packaged, folder, say, aborted });
  } catch (error) {
    aborted.throwIfAborted();
    const how =
      process.platform === 'darwin'
        ? 'brew install redis'
        : "your system's package manager, or `apt-get install redis-server`";
    throw new Refusal(
      `There is no redis-server or valkey-server here. Please install one (${how}), or set REDIS_URL.\n${(error as Error).message}`,
    );
  }
}

async function ping(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}
