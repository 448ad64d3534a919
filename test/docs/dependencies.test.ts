import { readFile } from 'node:fs/promises';
import { expect } from 'chai';

describe('docs/dependencies.md', () => {
  it('has each package once, with a reason, and no other', async () => {
    const manifest = JSON.parse(await readFile('package.json', 'utf8'));
    const [, production = '', development = ''] = (await readFile('docs/dependencies.md', 'utf8')).split(
      '\n## ',
    );
    const named = (part: string) =>
      part
        .split('\n')
        .filter((row) => row.startsWith('| `'))
        .flatMap((row) => {
          const [, packages = '', reason = ''] = row.split('|');
          expect(reason.trim(), row).to.not.equal('');
          return [...packages.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
        });
    expect(named(production).sort()).to.deep.equal(Object.keys(manifest.dependencies).sort());
    expect(named(development).sort()).to.deep.equal(Object.keys(manifest.devDependencies).sort());
  });
});
