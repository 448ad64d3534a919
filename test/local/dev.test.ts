import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { expect } from 'chai';
import { devOf, devOptions, watched } from '../../src/local/dev.ts';
import { procfileProgram } from '../../src/local/procfile.ts';
import { Refusal } from '../../src/local/refusal.ts';
import { createSupervisor } from '../../src/local/supervisor.ts';
import { withFolder } from '../support/folders.ts';
import { until } from '../support/until.ts';

describe('npm run dev', () => {
  const entries = [
    { name: 'web', command: 'node --import ./telemetry.ts server.ts' },
    { name: 'boards', command: 'node workers/boards.ts' },
  ];

  it('is asked for by --watch alone', () => {
    const of = (args: string[]) => devOf(parseArgs({ args, options: devOptions }).values);
    expect(of([])).to.equal(undefined);
    expect(of(['--inspect=web'])).to.equal(undefined);
    expect(of(['--watch'])).to.deep.equal({ inspect: [] });
    expect(of(['--watch', '--inspect=web,boards'])).to.deep.equal({ inspect: ['web', 'boards'] });
  });

  it('watches every process, and gives each one to inspect a port of its own', () => {
    expect(watched(entries, { inspect: ['boards', 'web'] }).map(({ command }) => command)).to.deep.equal([
      'node --watch --watch-preserve-output --inspect=127.0.0.1:9230 --import ./telemetry.ts server.ts',
      'node --watch --watch-preserve-output --inspect=127.0.0.1:9229 workers/boards.ts',
    ]);
  });

  it('names the processes there are when one to inspect is none of them', () => {
    expect(() => watched(entries, { inspect: ['bords'] })).to.throw(
      Refusal,
      'bords to inspect; there are web, boards',
    );
  });

  describe('of a running process', () => {
    const folder = withFolder();

    it('restarts it when a module that it imports changes, and ends it when asked to', async () => {
      const write = (said: string) =>
        writeFileSync(join(folder.path(), 'part.ts'), `export const said: string = '${said}';`);
      write('first');
      writeFileSync(
        join(folder.path(), 'main.ts'),
        `import { said } from './part.ts';\nconsole.log(said);\nsetInterval(() => {}, 1000);`,
      );
      const lines: string[] = [];
      const supervisor = createSupervisor({ say: () => {}, onLine: (_, line) => lines.push(line) });
      const environment = { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` };
      const [entry] = watched([{ name: 'main', command: 'node main.ts' }], { inspect: [] });
      const program = procfileProgram(entry!, folder.path(), environment);
      let ended: Promise<unknown> | undefined;
      supervisor.run({
        ...program,
        launch() {
          const child = program.launch();
          ended = once(child, 'exit');
          return child;
        },
      });
      try {
        await until(() => lines.includes('first'));
        // Once is not enough: a module may print before its file is watched.
        write('second');
        const again = setInterval(() => write('second'), 5_000);
        await until(() => lines.includes('second')).finally(() => clearInterval(again));
      } finally {
        expect(await supervisor.stop()).to.deep.equal([]);
      }
      await ended;
    });
  });
});
