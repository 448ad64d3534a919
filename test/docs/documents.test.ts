import { expect } from 'chai';
import { withDatabase } from '../support/database.ts';
import { documentsOfCode, documentsOfDatabase, textOf } from './documents.ts';
import { uncommented } from './schema.ts';

describe('documents made from the code (npm run docs renews them)', () => {
  for (const { path, text } of documentsOfCode())
    it(path, () => {
      expect(textOf(path)).to.equal(text);
    });
});

describe('documents made from the database (npm run docs renews them)', () => {
  const stores = withDatabase();

  it('docs/schema.sql and migrations/catalog.txt', async () => {
    for (const { path, text } of await documentsOfDatabase(stores.owner)) expect(textOf(path)).to.equal(text);
  });

  it('find a comment on every type, table, and function', async () => {
    expect(await uncommented(stores.owner)).to.deep.equal([]);
  });
});
