import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { processLogs } from '../../src/local/logs.ts';
import { withFolder } from '../support/folders.ts';

describe("logs of the service's processes", () => {
  const folder = withFolder();
  const info = '{"level":"info","msg":"request","url":"/"}';
  const warning = '{"level":"warn","msg":"redis is out of reach","err":"ECONNREFUSED"}';
  const crash = 'TypeError: undefined is not a function';

  function logs(options: { verbose?: boolean; maxBytes?: number } = {}) {
    const shown: string[] = [];
    const write = processLogs({
      folder: folder.path(),
      say: (line) => shown.push(line),
      verbose: false,
      ...options,
    });
    return { shown, write };
  }
  const file = (name: string) => readFileSync(join(folder.path(), name), 'utf8');

  it('go to a file each, and what went wrong to the terminal too', () => {
    const { shown, write } = logs();
    for (const line of [info, warning, crash]) write('web', line);
    expect(file('web.log')).to.equal(`${info}\n${warning}\n${crash}\n`);
    expect(shown).to.deep.equal([
      'web      | warn: redis is out of reach (ECONNREFUSED)',
      `web      | ${crash}`,
    ]);
  });

  it('go to the file of the worker that wrote them when several run in one process', () => {
    const { shown, write } = logs();
    const of = (name: string) => `{"level":"warn","name":"${name}","msg":"late"}`;
    for (const name of ['boards', 'workers', '../web']) write('workers', of(name));
    write('workers', crash);
    expect(file('boards.log')).to.equal(`${of('boards')}\n`);
    expect(file('workers.log')).to.equal(`${of('workers')}\n${of('../web')}\n${crash}\n`);
    expect(shown[0]).to.equal('boards   | warn: late');
  });

  it('are all shown where that is asked for', () => {
    const { shown, write } = logs({ verbose: true });
    write('web', info);
    expect(shown).to.deep.equal([`web      | ${info}`]);
  });

  it('never grow beyond two files of the size allowed', () => {
    const { write } = logs({ maxBytes: 10 });
    for (const line of ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']) write('boards', line);
    expect(file('boards.log.1')).to.equal('cccc\ndddd\n');
    expect(file('boards.log')).to.equal('eeee\n');
  });
});
