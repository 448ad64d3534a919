import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');

describe('the threat model', () => {
  it('names existing tests, at least one per attacker', () => {
    const parties = text.split(/^## /m).slice(1);
    expect(parties).to.have.length(11);
    for (const party of parties) {
      const tests = party.match(/test\/[\w./-]+\.test\.ts/g) ?? [];
      expect(tests, party.split('\n', 1)[0]).not.to.deep.equal([]);
      for (const test of tests) expect(existsSync(join(root, test)), test).to.equal(true);
    }
  });
});

describe('the lock file', () => {
  const { packages }: { packages: Record<string, { integrity?: string; resolved?: string; link?: true }> } =
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

  it('has the integrity of every package on every platform, and no registry host', () => {
    for (const [path, { integrity, resolved, link }] of Object.entries(packages)) {
      // Packages of this repository.
      if (!path.startsWith('node_modules/') || link === true) continue;
      expect(resolved, path).to.equal(undefined);
      expect(integrity, path).to.match(/^sha512-/);
    }
  });
});
