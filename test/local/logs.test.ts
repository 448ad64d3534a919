import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ProcessLogsOptions, processLogs } from '../../src/local/logs.ts';
import { withFolder } from '../support/folders.ts';
import { until } from '../support/until.ts';

describe("the logs of the service's processes", () => {
  const folder = withFolder();
  const info = '{"level":"info","msg":"request","url":"/"}';
  const warning = '{"level":"warn","msg":"redis is out of reach","err":"ECONNREFUSED"}';
  const crash = 'TypeError: undefined is not a function';

  function logs(options: Partial<ProcessLogsOptions> = {}) {
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

  it('go to one file per process, and warnings and errors also to the terminal', () => {
    const { shown, write } = logs();
    for (const line of [info, warning, crash]) write('web', line);
    expect(file('web.log')).to.equal(`${info}\n${warning}\n${crash}\n`);
    expect(shown).to.deep.equal([
      'web      | warn: redis is out of reach (ECONNREFUSED)',
      `web      | ${crash}`,
    ]);
  });

  it('go to the file of the worker that wrote them if several run in one process', () => {
    const { shown, write } = logs();
    const of = (name: string) => `{"level":"warn","name":"${name}","msg":"late"}`;
    for (const name of ['boards', 'workers', '../web']) write('workers', of(name));
    write('workers', crash);
    expect(file('boards.log')).to.equal(`${of('boards')}\n`);
    expect(file('workers.log')).to.equal(`${of('workers')}\n${of('../web')}\n${crash}\n`);
    expect(shown[0]).to.equal('boards   | warn: late');
  });

  it('are all shown on request', () => {
    const { shown, write } = logs({ verbose: true });
    write('web', info);
    expect(shown).to.deep.equal([`web      | ${info}`]);
  });

  it('are dropped while their files cannot be written, with one message, and resume later', async () => {
    const { shown, write } = logs({ folder: join(folder.path(), 'blocked'), retryMs: 1 });
    writeFileSync(join(folder.path(), 'blocked'), '');
    write('web', info);
    write('web', info);
    rmSync(join(folder.path(), 'blocked'));
    const file = join(folder.path(), 'blocked', 'web.log');
    await until(() => {
      write('web', crash);
      return existsSync(file);
    });
    write('web', info);
    expect(readFileSync(file, 'utf8')).to.equal(`${crash}\n${info}\n`);
    expect(shown[0]).to.match(/^Cannot write logs: .*\. The service continues without them\.$/);
    expect(shown.filter((line) => line.startsWith('Logs are written again; '))).to.have.length(1);
    expect(shown.filter((line) => line.startsWith('Cannot write logs'))).to.have.length(1);
  });

  it('never exceed two files of the allowed size', () => {
    const { write } = logs({ maxBytes: 10 });
    for (const line of ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']) write('boards', line);
    expect(file('boards.log.1')).to.equal('cccc\ndddd\n');
    expect(file('boards.log')).to.equal('eeee\n');
  });
});
