import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { anyFreePort, isTaken } from '../../src/local/ports.ts';
import { redisProgram } from '../../src/local/redis.ts';
import { libraryPath } from '../../src/local/system-packages.ts';
import { tether } from './tether.ts';

/** A test's own Redis, which it may stop, fill, and turn into a replica. */
export interface OwnRedis {
  url: string;
  port: number;
  /** Stops answering, as under SIGSTOP, and resumes. */
  freeze(): void;
  thaw(): void;
  /** Kills it, and starts an empty one. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** An administrator's connection. */
  admin: Redis;
  close(): Promise<void>;
}

/**
 * @param options configuration lines in addition to the port
 * @throws Error with its output if it exits unexpectedly
 */
export async function ownRedis(options: readonly string[] = []): Promise<OwnRedis> {
  const packages = resolve(import.meta.dirname, '..', '..', '.data', 'packages');
  const program = await redisProgram(packages, () => {}, new AbortController().signal);
  // A replica and its primary write their transfer to a file.
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const admin = new Redis(url, { lazyConnect: true, retryStrategy: () => 50 });
  admin.on('error', () => {});
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(program.command, ['-'], {
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...libraryPath(program) },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child = started;
    let output = '';
    started.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-2000);
    });
    tether(started);
    started.stdin?.end(['bind 127.0.0.1', `port ${port}`, `dir ${folder}`, 'save ""', ...options].join('\n'));
    if (admin.status === 'wait') await admin.connect().catch(() => {});
    for (;;) {
      if (started.exitCode !== null)
        throw new Error(`Redis ended with status ${started.exitCode}:\n${output}`);
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

  async function close(): Promise<void> {
    admin.disconnect();
    await kill();
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    port,
    admin,
    start,
    kill,
    close,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}

/** A cluster node listens on a second port, which the system may have assigned to an outgoing connection. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = await anyFreePort();
    if (!(await isTaken(port + 10_000))) return port;
  }
}
