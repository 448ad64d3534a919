import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { anyFreePort } from '../../src/local/ports.ts';
import { redisProgram } from '../../src/local/redis-program.ts';
import { libraryPath } from '../../src/local/system-packages.ts';
import { tether } from './tether.ts';

/** A Redis of a test's own, which it may stop, fill and turn into a replica. */
export interface OwnRedis {
  url: string;
  port: number;
  /** Answers no one, as under SIGSTOP, or does so again. */
  freeze(): void;
  thaw(): void;
  /** Kills it, and starts an empty one. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** A connection of an administrator's. */
  admin: Redis;
  close(): Promise<void>;
}

/** @param options lines of its configuration, beside the port */
export async function ownRedis(options: readonly string[] = []): Promise<OwnRedis> {
  const packages = resolve(import.meta.dirname, '..', '..', '.data', 'packages');
  const program = await redisProgram(packages, () => {}, new AbortController().signal);
  // A replica and its primary write what they exchange as a file.
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-redis-'));
  const port = await anyFreePort();
  const url = `redis://127.0.0.1:${port}`;
  const admin = new Redis(url, { lazyConnect: true, retryStrategy: () => 50 });
  admin.on('error', () => {});
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(program.command, ['-'], {
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...libraryPath(program) },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child = started;
    tether(started);
    started.stdin?.end(['bind 127.0.0.1', `port ${port}`, `dir ${folder}`, 'save ""', ...options].join('\n'));
    if (admin.status === 'wait') await admin.connect().catch(() => {});
    for (;;) {
      if ((await admin.ping().catch(() => null)) !== null) return;
      await new Promise((next) => setTimeout(next, 20));
    }
  }

  async function kill(): Promise<void> {
    const ended = child;
    child = undefined;
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    const gone = once(ended, 'exit');
    ended.kill('SIGKILL');
    await gone;
  }

  await start();
  return {
    ...{ url, port, admin, start, kill },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async close() {
      admin.disconnect();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
