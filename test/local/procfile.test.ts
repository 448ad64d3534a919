import { expect } from 'chai';
import { parseProcfile } from '../../src/local/procfile.ts';
import { Refusal } from '../../src/local/refusal.ts';

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
});
