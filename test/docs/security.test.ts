import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');

describe('the threat model', () => {
  it('names tests that exist, at least one for everyone who could attack', () => {
    const parties = text.split(/^## /m).slice(1);
    expect(parties).to.have.length(8);
    for (const party of parties) {
      const tests = party.match(/test\/[\w./-]+\.test\.ts/g) ?? [];
      expect(tests, party.split('\n', 1)[0]).not.to.deep.equal([]);
      for (const test of tests) expect(existsSync(join(root, test)), test).to.equal(true);
    }
  });
});

describe('the lock file', () => {
  interface Package {
    integrity?: string;
    resolved?: string;
    link?: true;
    optional?: true;
    os?: string[];
    cpu?: string[];
    libc?: string[];
  }
  const { packages }: { packages: Record<string, Package> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const listed = Object.entries(packages).filter(([path, { link }]) => path !== '' && link !== true);

  it('has the integrity of every package that is installed, and no host', () => {
    for (const [path, { integrity, resolved }] of listed) {
      expect(resolved, path).to.equal(undefined);
      if (existsSync(join(root, path, 'package.json'))) expect(integrity, path).to.match(/^sha512-/);
    }
  });

  it('lacks it only for optional builds of development tools and codecs for other platforms', () => {
    const lacking = listed.filter(([, { integrity }]) => integrity === undefined);
    for (const [path, { optional, os, cpu }] of lacking) {
      expect(optional, path).to.equal(true);
      expect(os ?? cpu, path).not.to.equal(undefined);
      expect(path).to.match(/^node_modules\/@(biomejs|msgpackr-extract|oxc-parser|swc)\//);
    }
  });
});
