import { expect } from 'chai';
import { migrationsFor } from '../../migrations/index.ts';
import { migrationNames } from '../../migrations/names.ts';

describe('the list of migrations', () => {
  it('names every file of the folder, and no other', async () => {
    const migrations = migrationsFor('live');
    const listed = (await migrations.getMigrations([])).map((each) => migrations.getMigrationName(each));
    expect([...listed].sort()).to.deep.equal(migrationNames);
    expect(listed).to.have.length.greaterThan(30);
  });
});
