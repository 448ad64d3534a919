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
  // If a distribution replaced Redis with Valkey, the old package contains the new server.
  paths: ['usr/bin/redis-server', 'usr/bin/valkey-server'],
};

interface RedisOptions {
  dataDir: string;
  /** Folder of a server fetched from the system's packages. */
  packagesDir: string;
  say: Say;
  aborted: AbortSignal;
  databases?: number;
}

/** Sets up a Redis on a free port. It persists nothing, because the service finds its work in PostgreSQL (docs/operations.md#redis). */
export async function prepareRedis(options: RedisOptions): Promise<Store & { url: string }> {
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
    // Redis loads a file of this name at its start. None exists, so a `dump.rdb` in the data folder, possibly damaged, is ignored.
    `dbfilename ${password}.rdb`,
    // BullMQ requires it: eviction must not delete keys of a queue.
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
        // Passed on standard input, because a list of processes would show the password in arguments.
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

/** @throws Refusal that says how to install one */
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
      `Neither redis-server nor valkey-server is installed. Install one (${how}), or set REDIS_URL.\n${(error as Error).message}`,
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
