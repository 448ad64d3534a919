import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { asOpenImport, isImportOpen } from '../../src/ledger/grading/open-imports.ts';
import { importPicks } from '../../src/ledger/posting/import-picks.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';

const hour = 3_600_000;
const start = Date.parse('2024-10-06T17:00:00Z');
const startsAt = new Date(start).toISOString();

describe('an open import', () => {
  const stores = withDatabase();
  const terms = { market: 'moneyline', side: 'home', pick: 'Foxes', oddsAmerican: 100, stakeUnits: 1 };

  /** Adds a final game with one pick on it. */
  async function finalGame(name: string, provenance: 'live' | 'imported'): Promise<void> {
    const { database } = stores;
    const game = { sport: 'nfl', game: name, startsAt };
    const before = { now: start - 2 * hour, imported: false };
    await applyCappers(database, [{ handle: 'ada', tier: 'elite', verified: true }], before);
    const world = (row: object, now: number) =>
      database.transaction((transaction) =>
        applyGames(transaction, [{ ...game, ...row } as never], { now, imported: false }),
      );
    await world({ status: 'scheduled' }, before.now);
    const pick = { capperHandle: 'ada', ...game, ...terms };
    if (provenance === 'live') await postPick(database, pick, undefined, before.now);
    else await importPicks(database, [{ ...pick, postedAt: new Date(before.now).toISOString() }], before);
    await world({ status: 'final', homeScore: 24, awayScore: 20 }, start + 3 * hour);
  }

  const grade = async () => (await gradeDue(stores.database, start + 3 * hour)).settled;

  it('blocks only games with imported picks, until it ends', async () => {
    await finalGame('Harbor Gulls @ Copper Foxes', 'imported');
    await finalGame('Bay Herons @ River Otters', 'live');
    await asOpenImport(stores.database, async () => {
      expect(await isImportOpen(stores.database)).to.equal(true);
      expect(await grade()).to.equal(1);
    });
    expect(await isImportOpen(stores.database)).to.equal(false);
    expect(await grade()).to.equal(1);
  });

  it('ends when it fails', async () => {
    const failed = asOpenImport(stores.database, () => Promise.reject(new Error('no such file')));
    expect(await failed.catch((error: Error) => error.message)).to.equal('no such file');
    expect(await isImportOpen(stores.database)).to.equal(false);
  });

  it('expires when its process is killed', async () => {
    await finalGame('Moor Hawks @ Quarry Larks', 'imported');
    const [{ now }] = (await stores.database.raw('select clock_timestamp() as now')).rows;
    await stores.database('open_imports').insert({ until: new Date(now + 50_000) });
    expect(await grade()).to.equal(0);
    await stores.database('open_imports').update({ until: new Date(now - 1) });
    expect(await grade()).to.equal(1);
  });

  it('is ignored if it claims to be open for longer than any import', async () => {
    await finalGame('Moor Hawks @ Quarry Wrens', 'imported');
    await stores.database('open_imports').insert({ until: new Date(Date.now() + hour) });
    expect(await grade()).to.equal(1);
  });
});
