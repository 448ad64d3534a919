import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { createSupervisor, serviceProgram, together, watched } from '../../src/local/supervisor.ts';
import { Refusal } from '../../src/local/terminal.ts';
import { processes } from '../../src/platform/config/processes.ts';
import { withFolder } from '../support/folders.ts';
import { procfile } from '../support/procfile.ts';
import { until } from '../support/until.ts';

const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

/** Creates a project of `bin/run` and a worker `main`. */
function makeProject(folder: string, main: string): void {
  for (const made of ['bin', 'src/telemetry', 'workers']) mkdirSync(join(folder, made), { recursive: true });
  copyFileSync(resolve(import.meta.dirname, '../../bin/run'), join(folder, 'bin/run'));
  chmodSync(join(folder, 'bin/run'), 0o755);
  writeFileSync(join(folder, 'src/telemetry/start.ts'), 'globalThis.preloaded = true;');
  writeFileSync(join(folder, 'workers/main.ts'), main);
}

describe('the Procfile', () => {
  it('starts every process with bin/run', () => {
    expect(procfile()).to.deep.equal(Object.fromEntries(processes.map((name) => [name, `bin/run ${name}`])));
  });
});

describe('bin/run', () => {
  const folder = withFolder();
  const run = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    spawnSync(join(folder.path(), 'bin/run'), args, { env: { ...environment, ...more }, encoding: 'utf8' });

  beforeEach(() =>
    makeProject(
      folder.path(),
      `const { pid, ppid, execArgv, env } = process;
       console.log(JSON.stringify({ pid, ppid, cwd: process.cwd(), execArgv, arenas: env.MALLOC_ARENA_MAX, preloaded: globalThis.preloaded }));`,
    ),
  );

  it("replaces itself with the process, in the project's folder, with preloads and a memory limit", () => {
    const { pid, stdout } = run(['main']);
    const found = JSON.parse(stdout);
    expect(found).to.include({ pid, ppid: process.pid, cwd: folder.path(), arenas: '1', preloaded: true });
    expect(found.execArgv.join(' ')).to.match(/--max-old-space-size=\d+ --max-semi-space-size=\d+/);
  });

  it('lets the caller override options and environment', () => {
    const { stdout } = run(['main', '--max-old-space-size=1000'], { MALLOC_ARENA_MAX: '2' });
    const { execArgv, arenas } = JSON.parse(stdout);
    expect(execArgv.at(-1)).to.equal('--max-old-space-size=1000');
    expect(arenas).to.equal('2');
  });

  it('refuses an unknown process', () => {
    expect(run([]).stderr).to.contain('name a process of the Procfile');
    expect(run(['mian'])).to.include({
      status: 64,
      stderr: 'There is no process mian. The Procfile lists them.\n',
    });
  });
});

describe('npm start', () => {
  it('does the work of every process of the Procfile', () => {
    expect(together.flatMap(({ roles }) => roles)).to.have.members(processes);
  });
});

describe('npm run dev', () => {
  const folder = withFolder();

  it('watches every process, and gives each inspected one its own port', () => {
    const found = watched(['boards', 'web']).map(({ name, options }) => [name, options?.join(' ')]);
    const watching = '--watch --watch-preserve-output';
    expect(Object.fromEntries(found)).to.deep.equal({
      ...Object.fromEntries(processes.map((name) => [name, watching])),
      boards: `${watching} --inspect=127.0.0.1:9229`,
      web: `${watching} --inspect=127.0.0.1:9230`,
    });
  });

  it('lists the valid names when asked to inspect an unknown process', () => {
    expect(() => watched(['bords'])).to.throw(Refusal, 'bords to inspect. The processes are web, operator');
  });

  it('restarts a process when a module that it imports changes, and ends it on request', async () => {
    const write = (said: string) =>
      writeFileSync(join(folder.path(), 'workers/part.ts'), `export const said: string = '${said}';`);
    makeProject(
      folder.path(),
      `import { said } from './part.ts';\nconsole.log(said);\nsetInterval(() => {}, 1000);`,
    );
    write('first');
    const lines: string[] = [];
    const supervisor = createSupervisor({ say: () => {}, onLine: (_, line) => lines.push(line) });
    const options = watched([])[0]?.options ?? [];
    const program = serviceProgram({ name: 'main', options }, folder.path(), environment);
    let child: ChildProcess | undefined;
    supervisor.run({ ...program, launch: () => (child = program.launch()) });
    const ended = once(child as ChildProcess, 'exit');
    try {
      await until(() => lines.includes('first'));
      // Written repeatedly: a module may print before its file is watched.
      write('second');
      const again = setInterval(() => write('second'), 5_000);
      await until(() => lines.includes('second')).finally(() => clearInterval(again));
    } finally {
      expect(await supervisor.stop()).to.deep.equal([]);
    }
    await ended;
  });
});
