import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { isAlive, markOf, type StartedProcess } from '../../src/local/processes.ts';
import { claim, InUse, type Running, runningEnvironment } from '../../src/local/running.ts';
import { Refusal } from '../../src/local/terminal.ts';
import { until } from '../support/until.ts';

const running = pathToFileURL(join(import.meta.dirname, '../../src/local/running.ts')).href;

describe('the claim on a data folder', () => {
  let dataDir: string;
  let printed: string[];
  const say = (line: string) => printed.push(line);

  beforeEach(() => {
    dataDir = join(mkdtempSync(join(tmpdir(), 'claim-')), 'data');
    printed = [];
  });

  afterEach(() => rmSync(join(dataDir, '..'), { recursive: true }));

  const file = () => join(dataDir, 'running.json');
  const elsewhere = () => join(dataDir, '..', 'elsewhere');
  const noted = (): Running => JSON.parse(readFileSync(file(), 'utf8'));

  function sleeper(): StartedProcess {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    return { ...markOf(child.pid!)!, name: 'sleeper', signal: 'SIGTERM', store: false };
  }

  /** Starts a launcher that claims the folder, starts one process, and runs until it is killed. */
  async function otherLauncher() {
    const code = `
      import { spawn } from 'node:child_process';
      import { claim } from ${JSON.stringify(running)};
      import { markOf } from ${JSON.stringify(running.replace('running.ts', 'processes.ts'))};
      const claimed = await claim(${JSON.stringify(dataDir)}, () => {});
      const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
      claimed.note([{ ...markOf(child.pid), name: 'sleeper', signal: 'SIGTERM', store: false }]);
      claimed.own(${JSON.stringify(elsewhere())});
      claimed.publish({ PORT: '3000' }, { auditor: 'postgres://auditor', web: 'postgres://web' });
      process.stdout.write('ready');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  }

  it('is held by one launcher at a time, and tells other commands what is running', async () => {
    const other = await otherLauncher();
    try {
      expect(runningEnvironment(dataDir, 'auditor')).to.deep.equal({
        PORT: '3000',
        DATABASE_URL: 'postgres://auditor',
      });
      const refused = await claim(dataDir, say).catch((error) => error);
      expect(refused).to.be.instanceOf(InUse);
      expect(refused.message).to.include(`process ${other.pid}`);
    } finally {
      other.kill('SIGKILL');
      await once(other, 'exit');
    }
  });

  it('is refused in a sentence if the folder cannot be used', async () => {
    mkdirSync(join(dataDir, '..'), { recursive: true });
    const file = join(dataDir, '..', 'file');
    writeFileSync(file, '');
    for (const [folder, reason] of [
      [join(file, 'data'), 'not a directory'],
      ...(process.platform === 'linux' ? [['/proc/data', 'no such file or directory']] : []),
    ] as const) {
      const refused = await claim(folder!, say).catch((error) => error);
      expect(refused).to.be.instanceOf(Refusal);
      expect(refused.message).to.equal(
        `Cannot use DATA_DIR ${folder}: ${reason}. Free space or permit writing there, or set DATA_DIR to another folder.`,
      );
    }
  });

  it('records what is running as soon as the folder can be written again', async () => {
    const claimed = await claim(dataDir, say);
    rmSync(dataDir, { recursive: true });
    writeFileSync(dataDir, '');
    const child = sleeper();
    claimed.note([child]);
    rmSync(dataDir);
    mkdirSync(dataDir);
    await until(() => existsSync(file()) && noted().started.length === 1);
    claimed.release();
    process.kill(child.pid);
  });

  it("lets a killed launcher's processes end at once, and removes its folders elsewhere", async () => {
    const other = await otherLauncher();
    const [started] = noted().started;
    mkdirSync(elsewhere());
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(runningEnvironment(dataDir, 'auditor')).to.equal(undefined);
    const isLeft = () => isAlive(started!) || existsSync(elsewhere());
    await until(() => !isLeft());
  });

  it('is taken over from a dead launcher, after ending what it left behind', async () => {
    const left = sleeper();
    (await claim(dataDir, say)).release();
    const gone: Running = { launcher: { pid: 2 ** 22 + 1, birth: '1' }, started: [left] };
    writeFileSync(file(), JSON.stringify(gone));
    const claimed = await claim(dataDir, say);
    expect(isAlive(left)).to.equal(false);
    expect(printed).to.deep.equal(['The previous run did not end cleanly: ending its processes ...']);
    claimed.release();
  });

  it("never ends a process that reuses a dead one's id", async () => {
    const innocent = sleeper();
    (await claim(dataDir, say)).release();
    const gone: Running = {
      launcher: { pid: process.pid, birth: 'another' },
      started: [{ ...innocent, birth: 'another' }],
    };
    writeFileSync(file(), JSON.stringify(gone));
    const claimed = await claim(dataDir, say);
    expect(isAlive(innocent)).to.equal(true);
    claimed.release();
    process.kill(innocent.pid);
  });

  it('hides secrets from other users, and leaves nothing when released', async () => {
    const claimed = await claim(dataDir, say);
    claimed.publish({ OPERATOR_TOKEN: 'secret' }, {});
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    claimed.release();
    expect(existsSync(file())).to.equal(false);
    expect(runningEnvironment(dataDir, 'auditor')).to.equal(undefined);
  });

  it('does not advertise a service that is still starting', async () => {
    const claimed = await claim(dataDir, say);
    expect(runningEnvironment(dataDir, 'auditor')).to.equal(undefined);
    claimed.release();
  });
});
