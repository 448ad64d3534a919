import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { exampleCommands } from '../../src/pages/ledger/page.ts';

describe('the page about the ledger', () => {
  for (const { what, command, prints } of exampleCommands) {
    it(`shows a command that prints what the page says: ${what}`, () => {
      const printed = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
      expect(printed.split(/\s/)[0]).to.equal(prints);
    });
  }

  it('uses the output of each step in the next', () => {
    const [pick, leaf, right, root] = exampleCommands;
    expect(leaf!.command).to.include(pick!.prints);
    expect(right!.command).to.include(leaf!.prints);
    expect(root!.command).to.include(right!.prints);
  });
});
