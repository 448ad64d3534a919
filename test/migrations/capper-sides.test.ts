import { expect } from 'chai';
import * as capperSides from '../../migrations/20260410000000_capper_sides.ts';
import { sealAll } from '../../src/ledger/seal.ts';
import { auditProjections } from '../../src/projections/audit.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { crowdedGames } from '../support/crowded-games.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { ingest } from '../support/whole-way.ts';

describe('the migration of sides by capper', function () {
  this.timeout(60_000);
  const folder = withFolder();
  const stores = withDatabase();

  it("stores what the boards' reader would have stored", async () => {
    const files = Object.entries(crowdedGames(2, 30, 600)).map(([kind, rows]) =>
      folder.write(`${kind}.ndjson`, rows),
    );
    await ingest(stores.database, files, Date.parse('2025-01-01T00:00:00Z'));
    await sealAll(stores.database);
    await updateProjections(stores.database);
    const rows = () => stores.owner('capper_sides').orderBy(['capper_id', 'block']);
    const before = await rows();
    expect(before).to.have.length(4);
    await capperSides.down(stores.owner);
    await capperSides.up(stores.owner);
    expect(await rows()).to.deep.equal(before);
    for await (const { message } of auditProjections(stores.owner)) expect.fail(message);
  });
});
