import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { parseProcfile, smallHeap, workersTogether } from '../../src/local/procfile.ts';
import { Refusal } from '../../src/local/refusal.ts';
import { workerNames } from '../support/worker-processes.ts';

describe('Procfile', () => {
  it('is read in order, without blank lines and comments', () => {
    const text =
      '# all of it\nweb: node src/server.ts\n\n  sealing:   node workers/sealing.ts --now: yes\r\n';
    expect(parseProcfile(text)).to.deep.equal([
      { name: 'web', command: 'node src/server.ts' },
      { name: 'sealing', command: 'node workers/sealing.ts --now: yes' },
    ]);
  });

  it('names the line that is wrong', () => {
    expect(() => parseProcfile('web: node a.ts\nnode b.ts')).to.throw(Refusal, 'line 2');
    expect(() => parseProcfile('web:')).to.throw(Refusal, 'line 1');
  });

  it('refuses two processes of one name', () => {
    expect(() => parseProcfile('web: a\nweb: b')).to.throw(Refusal, 'two processes named web');
  });

  it('keeps all that it declares when its workers run in one process', () => {
    const procfile = readFileSync(resolve(import.meta.dirname, '..', '..', 'Procfile'), 'utf8');
    const declared = parseProcfile(procfile);
    const together = workersTogether(declared);
    expect(together.map(({ name }) => name)).to.deep.equal(['web', 'operator', 'workers']);
    const last = together.at(-1);
    const [worker] = declared.filter(({ command }) => command.includes(' workers/'));
    expect(last?.command).to.match(
      /^node .*--\S+=\d+ .*--import .\/src\/telemetry\/start.ts workers\/all.ts$/,
    );
    const [node, ...rest] = worker?.command.split(' ').slice(0, -1) ?? [];
    expect(last?.command.split(' ').slice(0, -1)).to.deep.equal([node, smallHeap, ...rest]);
    expect(last?.workers).to.have.members(workerNames);
    expect(together.flatMap(({ name, workers }) => workers ?? [name])).to.have.members(
      declared.map(({ name }) => name),
    );
  });

  it('is left as it is when it declares no worker', () => {
    const entries = [{ name: 'web', command: 'node src/server.ts' }];
    expect(workersTogether(entries)).to.deep.equal(entries);
  });
});
