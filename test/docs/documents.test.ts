import { expect } from 'chai';
import { withDatabase } from '../support/database.ts';
import { documentsOfCode, documentsOfDatabase, textOf } from './documents.ts';
import { uncommented } from './schema.ts';

describe('documents generated from the code (renewed by npm run docs)', () => {
  for (const { path, text } of documentsOfCode())
    it(path, () => {
      expect(textOf(path)).to.equal(text);
    });
});

describe('documents generated from the database (renewed by npm run docs)', () => {
  const stores = withDatabase();

  it('docs/schema.sql and migrations/catalog.txt are up to date', async () => {
    for (const { path, text } of await documentsOfDatabase(stores.owner)) expect(textOf(path)).to.equal(text);
  });

  it('include a comment on every type, table, and function', async () => {
    expect(await uncommented(stores.owner)).to.deep.equal([]);
  });
});
