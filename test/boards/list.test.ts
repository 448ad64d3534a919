import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { type Board, boardGroups } from '../../src/boards/board.ts';
import { boards } from '../../src/boards/index.ts';
import { BOARD_PATHS } from '../naive/boards.ts';

const folder = resolve(import.meta.dirname, '..', '..', 'src', 'boards');

const isBoard = (value: unknown): value is Board =>
  typeof value === 'object' && value !== null && 'path' in value && 'compute' in value;

describe('the list of boards', () => {
  it('contains every declared board once', async () => {
    const declared: Board[] = [];
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile() || entry.parentPath === folder || !entry.name.endsWith('.ts')) continue;
      const module: Record<string, unknown> = await import(join(entry.parentPath, entry.name));
      declared.push(...Object.values(module).filter(isBoard));
    }
    const paths = (list: readonly Board[]) => list.map(({ path }) => path).sort();
    expect(paths(boards)).to.deep.equal(paths([...new Set(declared)]));
  });

  it('has a naive computation for each board in test/naive/boards.ts', () => {
    const computed: readonly string[] = BOARD_PATHS;
    const missing = boards.map(({ path }) => path).filter((path) => !computed.includes(path));
    expect(missing).to.deep.equal([]);
  });

  for (const { path, group, examples, lifetime, params, collection, body } of boards)
    it(`declares group, examples, lifetime, and parameter descriptions of ${path}`, () => {
      expect(boardGroups).to.include(group);
      expect(examples).not.to.have.lengthOf(0);
      expect(lifetime).to.be.oneOf([60, 120, 300, 600]);
      for (const property of Object.values(params.properties))
        expect(property).to.have.property('description').that.is.a('string');
      if (collection !== undefined) expect(body.properties).to.have.property(collection);
    });
});
