import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { isAlive, markOf, type StartedProcess } from '../../src/local/processes.ts';
import { createSupervisor, type Program, type Supervisor } from '../../src/local/supervisor.ts';
import { patienceMs } from '../support/patience.ts';

describe('the supervisor', () => {
  let folder: string;
  let supervisor: Supervisor;
  let messages: string[];
  let printed: string[];
  let started: StartedProcess[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
    messages = [];
    printed = [];
    started = [];
    supervisor = createSupervisor({
      say: (line) => messages.push(line),
      onLine: (name, line) => printed.push(`${name}: ${line}`),
      onChange: (now) => {
        started = now;
      },
      continueStoppedMs: 100,
      firstPause: 20,
      maxPause: 50,
    });
  });

  afterEach(async () => {
    await supervisor.stop(1_000);
    rmSync(folder, { recursive: true });
  });

  const shell = (name: string, command: string): Program => ({
    name,
    signal: 'SIGTERM',
    store: false,
    launch: () => spawn('/bin/sh', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
  });

  const run = (name: string, command: string) => supervisor.run(shell(name, command));

  async function until(isSo: () => boolean): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!isSo()) {
      if (Date.now() > deadline) throw new Error(`timed out; printed: ${printed.join(' / ')}`);
      await pause(10);
    }
  }

  it("forwards a program's output line by line, with its name", async () => {
    run('web', 'echo one; echo two >&2; exec sleep 60');
    await until(() => printed.length === 2);
    expect(printed).to.have.members(['web: one', 'web: two']);
  });

  it('restarts a program that exits, with growing pauses, and says so', async () => {
    run('web', 'echo up; exit 3');
    await until(() => supervisor.endings('web') >= 3);
    expect(messages.slice(0, 3)).to.deep.equal([
      'web exited unexpectedly (status 3): restarting it in 0.02 s',
      'web exited unexpectedly (status 3): restarting it in 0.04 s',
      'web exited unexpectedly (status 3): restarting it in 0.05 s',
    ]);
    expect(printed.filter((line) => line === 'web: up').length).to.be.at.least(3);
  });

  it('restarts a killed program, and ends its child processes', async () => {
    run('web', 'sleep 60 & echo child $!; wait');
    await until(() => printed.length === 1);
    const child = markOf(Number(printed[0]?.split(' ').at(-1)));
    expect(child).to.not.equal(undefined);
    process.kill(started[0]?.pid ?? 0, 'SIGKILL');
    await until(() => printed.length === 2);
    expect(isAlive(child!)).to.equal(false);
  });

  it('restarts a program that failed to start, for example for lack of memory', async () => {
    let attempts = 0;
    const program = shell('web', 'echo up; exec sleep 60');
    supervisor.run({
      ...program,
      launch() {
        attempts += 1;
        if (attempts < 3) throw new Error('spawn EAGAIN');
        return program.launch();
      },
    });
    await until(() => printed.length === 1);
    expect(messages[0]).to.equal('web exited unexpectedly (spawn EAGAIN): restarting it in 0.02 s');
  });

  it('continues a program stopped by SIGSTOP, and says so', async function () {
    if (process.platform !== 'linux') this.skip();
    run('web', 'while :; do echo up; sleep 0.05; done');
    await until(() => printed.length > 0);
    process.kill(started[0]!.pid, 'SIGSTOP');
    await until(() => messages.length > 0);
    expect(messages).to.deep.equal(['web was stopped (SIGSTOP): continuing it']);
    const before = printed.length;
    await until(() => printed.length > before + 1);
  });

  it("continues a store whose children were stopped, such as PostgreSQL's sessions", async function () {
    if (process.platform !== 'linux') this.skip();
    const command = 'while :; do setsid sh -c "echo \\$\\$; exec sleep 0.2"; done';
    supervisor.run({ ...shell('store', command), store: true });
    await until(() => printed.length > 1);
    let session = 0;
    // The session that was printed last may have ended.
    await until(() => {
      session = Number(printed.at(-1)!.split(' ').at(-1));
      try {
        process.kill(session, 'SIGSTOP');
        return true;
      } catch {
        return false;
      }
    });
    await until(() => messages.length > 0);
    expect(messages).to.deep.equal(['store was stopped (SIGSTOP): continuing it']);
  });

  it('restarts nothing during shutdown', async () => {
    run('web', 'exec sleep 60');
    run('failing', 'exit 1');
    await supervisor.stop(1_000);
    const count = supervisor.endings('failing');
    await pause(100);
    expect(supervisor.endings('failing')).to.equal(count);
    expect(started).to.deep.equal([]);
  });

  it('ends stores only after all programs that use them', async () => {
    const order = join(folder, 'order');
    run('web', `trap 'sleep 0.2; echo web >> ${order}; exit 0' TERM; echo up; while :; do sleep 0.05; done`);
    const command = `trap 'echo store >> ${order}; exit 0' INT; echo up; while :; do sleep 0.05; done`;
    supervisor.run({ ...shell('store', command), store: true, signal: 'SIGINT' });
    await until(() => printed.length === 2);
    expect(await supervisor.stop(2_000)).to.deep.equal([]);
    expect(readFileSync(order, 'utf8')).to.equal('web\nstore\n');
  });

  it('kills a program that ignores the signal, with its child processes, and names it', async () => {
    run('deaf', `trap '' TERM; (trap '' TERM; while :; do sleep 0.05; done) & echo $!; wait; wait`);
    await until(() => printed.length === 1);
    const child = markOf(Number(printed[0]?.split(' ').at(-1)));
    const program = started[0]!;
    expect(await supervisor.stop(200)).to.deep.equal(['deaf']);
    expect(isAlive(child!)).to.equal(false);
    expect(isAlive(program)).to.equal(false);
  });

  it('tolerates a second stop', async () => {
    run('web', 'exec sleep 60');
    const [first, second] = await Promise.all([supervisor.stop(1_000), supervisor.stop(1_000)]);
    expect(first).to.equal(second);
  });
});
