import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { runCommand } from './command.ts';
import { keepValue, keptJson } from './kept.ts';
import { anyFreePort, isTaken } from './ports.ts';
import { redisProgram } from './redis-program.ts';
import type { Say } from './refusal.ts';
import { type Store, withLog } from './store.ts';
import { libraryPath } from './system-packages.ts';

export interface RedisOptions {
  dataDir: string;
  /** Where a server fetched from the system's packages is kept. */
  packagesDir: string;
  say: Say;
  aborted: AbortSignal;
  /** For tests: nothing is saved, and there are 1024 databases instead of 16. */
  disposable?: boolean;
}

export interface LocalRedis extends Store {
  /** The address of one of its numbered databases. */
  url(database: number): string;
}

/**
 * Sets up the Redis of a data folder. What is in it is disposable, yet kept, so that a second start finds its
 * queues as they were.
 */
export async function prepareRedis(options: RedisOptions): Promise<LocalRedis> {
  const { dataDir, packagesDir, say, aborted, disposable = false } = options;
  const program = await redisProgram(packagesDir, say, aborted);
  const env = {
    ...process.env,
    LC_ALL: 'C',
    ...libraryPath(program),
  };
  const folder = join(dataDir, 'redis');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const notes = join(dataDir, 'redis.json');
  const kept = keptJson(notes, { password: () => randomBytes(24).toString('hex') });
  const version = await runCommand(program.command, ['--version'], { env, signal: aborted });
  if (kept.version !== version) {
    // Another version may not read what the last one wrote; nothing in it is needed.
    rmSync(join(folder, 'dump.rdb'), { force: true });
    keepValue(notes, 'version', version);
  }
  let port = Number(kept.port ?? 0);
  if (port === 0 || (await isTaken(port))) {
    port = await anyFreePort();
    keepValue(notes, 'port', String(port));
  }

  const configuration = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${kept.password}`,
    `dir ${JSON.stringify(folder)}`,
    'daemonize no',
    // What BullMQ asks for: a queue must not lose keys to a cache's eviction.
    'maxmemory-policy noeviction',
    ...(disposable ? ['save ""', 'databases 1024'] : ['save 300 1']),
  ].join('\n');
  const log = join(dataDir, 'redis.log');
  const url = (database: number) => `redis://:${kept.password}@127.0.0.1:${port}/${database}`;
  return {
    log,
    url,
    answers: () => ping(url(0)),
    program: {
      name: 'redis',
      store: true,
      signal: 'SIGTERM',
      launch() {
        // The configuration goes in by standard input, where no list of processes shows the password.
        const child = withLog(log, (out) =>
          spawn(program.command, ['-'], { cwd: folder, env, detached: true, stdio: ['pipe', out, out] }),
        );
        child.stdin?.on('error', () => {});
        child.stdin?.end(configuration);
        return child;
      },
    },
  };
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
