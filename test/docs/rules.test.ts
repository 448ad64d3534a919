import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { textOf } from './documents.ts';

const folder = resolve(import.meta.dirname, '../../docs/rules');
const pages = readdirSync(folder).filter((name) => name !== 'README.md');

describe('docs/rules', () => {
  it('lists every page in its README, by title', () => {
    const titles = pages.map((name) => {
      const [title = ''] = textOf(join('docs/rules', name)).split('\n');
      return `| [${title.slice(2)}](${name}) |`;
    });
    const listed = textOf('docs/rules/README.md').match(/^\| \[.+?\]\(\S+?\) \|/gm) ?? [];
    expect([...listed].sort()).to.deep.equal(titles.sort());
  });

  it('has at most 25 pages', () => {
    expect(pages.length).to.be.at.most(25);
  });
});
