import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { textOf } from './documents.ts';

const root = resolve(import.meta.dirname, '..', '..');
const decisions = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d/.test(name));

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

/** Files of a folder, at any depth, by how their names end. */
function filesIn(folder: string, ...endings: string[]): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

describe('the documents', () => {
  for (const path of documents)
    it(`${path} links to files that exist`, () => {
      const links = [...textOf(path).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link as string);
      const local = links.filter((link) => !/^[a-z]+:/.test(link));
      expect(local.filter((link) => !existsSync(join(root, dirname(path), link)))).to.deep.equal([]);
    });

  it('the decisions are numbered from 1 without gaps, each under its own title, and listed in order', () => {
    expect(decisions.map((name) => Number(name.slice(0, 4)))).to.deep.equal(decisions.map((_, at) => at + 1));
    const lines = decisions.map((name) => {
      const [title = ''] = textOf(`docs/decisions/${name}`).split('\n');
      expect(title).to.match(new RegExp(`^# ${name.slice(0, 4)}\\. `));
      return `- [${title.slice(2)}](${name})`;
    });
    expect(textOf('docs/decisions/README.md')).to.include(`\n${lines.join('\n')}\n`);
  });

  it('the code cites decisions that exist', () => {
    const code = ['src', 'workers', 'migrations', 'test'].flatMap((folder) =>
      filesIn(folder, '.ts', '.js', '.mjs', '.md'),
    );
    const unknown = code.flatMap((path) =>
      [...textOf(path).matchAll(/docs\/decisions\/(\d{4}-[a-z0-9-]+\.md)/g)]
        .filter(([, name]) => !decisions.includes(name as string))
        .map(([citation]) => `${path}: ${citation}`),
    );
    expect(unknown).to.deep.equal([]);
  });
});
