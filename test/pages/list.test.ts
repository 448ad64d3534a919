import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { pages } from '../../src/pages/index.ts';
import type { DataPage } from '../../src/pages/page.ts';

const folder = resolve(import.meta.dirname, '..', '..', 'src', 'pages');

const isPage = (value: unknown): value is DataPage =>
  typeof value === 'object' && value !== null && 'path' in value && 'on' in value;

describe('the list of pages', () => {
  it('contains every declared page over the ledger once', async () => {
    const declared: DataPage[] = [];
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )) {
      const module: Record<string, unknown> = await import(join(folder, name));
      declared.push(...Object.values(module).filter(isPage));
    }
    const paths = (list: readonly DataPage[]) => list.map(({ path }) => path).sort();
    expect(paths(pages)).to.deep.equal(paths([...new Set(declared)]));
  });

  for (const { path, examples, params } of pages)
    it(`has an example and all path parameters of ${path}`, () => {
      expect(examples).not.to.have.lengthOf(0);
      for (const [, name = ''] of path.matchAll(/:(\w+)/g)) expect(params.properties).to.have.property(name);
    });
});
