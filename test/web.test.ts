import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { baseEnvironment } from './support/base-environment.ts';
import { asLogin, withDatabase } from './support/database.ts';
import { withRedis } from './support/redis.ts';
import { until } from './support/until.ts';

interface Line {
  msg: string;
  pid: number;
  address?: AddressInfo;
}

describe('WEB_CONCURRENCY=2', () => {
  const database = withDatabase();
  const redis = withRedis();
  let child: ChildProcess | undefined;
  const lines: Line[] = [];
  let errors = '';

  afterEach(() => {
    for (const pid of new Set(lines.map((line) => line.pid))) kill(pid);
    child?.kill('SIGKILL');
  });

  function start(port: number) {
    lines.length = 0;
    errors = '';
    child = spawn(process.execPath, [resolve(import.meta.dirname, '..', 'src', 'web.ts')], {
      env: {
        ...baseEnvironment,
        DATABASE_URL: asLogin(database.url, 'web'),
        REDIS_URL: redis.url,
        WEB_CONCURRENCY: '2',
        PORT: String(port),
        HOST: '127.0.0.1',
        OPERATOR_TOKEN: 'a token for tests only',
        SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('{')) lines.push(JSON.parse(line));
      });
    return once(child, 'close').then(([code]) => code as number | null);
  }

  const listening = () => lines.filter(({ msg }) => msg === 'listening');

  it('shares the port between two processes, replaces a killed one, and closes both', async () => {
    const ended = start(0);
    await until(() => listening().length === 2, 60_000);
    const [first, second] = listening() as [Line, Line];
    expect(first.pid).not.to.equal(second.pid);
    expect(first.address?.port).to.equal(second.address?.port);
    const address = `http://127.0.0.1:${first.address?.port}`;
    expect((await fetch(`${address}/api/version`)).status).to.equal(200);

    kill(first.pid);
    await until(() => lines.some(({ msg }) => msg === 'a process exited unexpectedly'));
    expect((await fetch(`${address}/api/version`)).status).to.equal(200);
    await until(() => listening().length === 3, 60_000);

    child?.kill('SIGTERM');
    expect(await ended).to.equal(0);
    expect(lines.filter(({ msg }) => msg === 'closed')).to.have.length(2);
    expect(errors).to.equal('');
  });

  it('exits if no process can listen', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      expect(await start(port)).to.equal(1);
      expect(errors).to.contain(`Port ${port} is already in use`);
    } finally {
      other.close();
    }
  });
});

/** Kills a process that may have exited already. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
