import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { textOf } from './documents.ts';

const root = resolve(import.meta.dirname, '..', '..');

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...filesIn('docs', '.md'),
  'test/naive/README.md',
  'src/proof/README.md',
];

/** Returns files of a folder, at any depth, by suffix. */
function filesIn(folder: string, ...endings: string[]): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

describe('the documents', () => {
  for (const path of documents)
    it(`link only to existing files: ${path}`, () => {
      const links = [...textOf(path).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link as string);
      const local = links.filter((link) => !/^[a-z]+:/.test(link));
      expect(local.filter((link) => !existsSync(join(root, dirname(path), link)))).to.deep.equal([]);
    });

  it('exist if the code cites them', () => {
    const code = ['src', 'workers', 'migrations', 'test', 'deploy'].flatMap((folder) =>
      filesIn(folder, '.ts', '.js', '.mjs', '.sql', '.vcl'),
    );
    const unknown = code.flatMap((path) =>
      [...textOf(path).matchAll(/\b(?:docs\/[a-z/-]+|[A-Z]{4,})\.md\b/g)]
        .filter(([document]) => !existsSync(join(root, document)))
        .map(([document]) => `${path}: ${document}`),
    );
    expect(unknown).to.deep.equal([]);
  });
});
