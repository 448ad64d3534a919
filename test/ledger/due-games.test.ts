import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { relistGames } from '../../src/ledger/grading/due-games.ts';
import { gradeDue, gradeGames } from '../../src/ledger/grading/grade.ts';
import { importPicks } from '../../src/ledger/posting/import-picks.ts';
import type { Database } from '../../src/platform/database.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { until } from '../support/until.ts';

const hour = 3_600_000;
const start = Date.parse('2024-10-06T17:00:00Z');
const game = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };

describe('the list of due games', () => {
  const stores = withDatabase();

  it('is refilled with each missing game once', async () => {
    const { database, owner } = stores;
    const at = (now: number) => ({ now, imported: false });
    const world = (row: object, now: number) =>
      database.transaction((transaction) => applyGames(transaction, [{ ...game, ...row } as never], at(now)));
    await applyCappers(database, [{ handle: 'ada', tier: 'elite', verified: true }], at(start - 2 * hour));
    await world({ status: 'scheduled' }, start - 2 * hour);
    const pick = { market: 'moneyline', side: 'home', pick: 'Foxes', oddsAmerican: 100, stakeUnits: 1 };
    await postPick(database, { capperHandle: 'ada', ...game, ...pick }, undefined, start - hour);
    await world({ status: 'final', homeScore: 24, awayScore: 20 }, start + 3 * hour);
    await owner.raw('delete from due_games');
    expect(await gradeDue(database, start + 3 * hour)).to.include({ games: 0, settled: 0 });
    expect(await relistGames(database)).to.equal(1);
    expect(await relistGames(database)).to.equal(0);
    const stopped = { closing: AbortSignal.abort() };
    expect(await gradeDue(database, start + 3 * hour, stopped), 'at the end of its process').to.include({
      games: 0,
    });
    expect(await gradeDue(database, start + 3 * hour)).to.include({ games: 1, settled: 1 });
    expect(await relistGames(database)).to.equal(0);
  });

  for (const { status, more } of [
    { status: 'scheduled', more: {} },
    { status: 'final', more: { homeScore: 24, awayScore: 20 } },
  ])
    it(`contains a ${status} game whose pick is imported while the game is being graded`, async () => {
      const { database } = stores;
      const at = (now: number) => ({ now, imported: false });
      const named = { ...game, game: `Bay Herons @ ${status} Otters` };
      const row = { ...named, status, ...more } as never;
      await applyCappers(database, [{ handle: 'ada', tier: 'elite', verified: true }], at(start - 2 * hour));
      await database.transaction((transaction) => applyGames(transaction, [row], at(start + hour)));
      const pick = { capperHandle: 'ada', ...named, market: 'moneyline', side: 'home', pick: 'Otters' };
      const terms = { oddsAmerican: 100, stakeUnits: 1, postedAt: new Date(start - hour).toISOString() };
      const add = (pickTerms: object) =>
        database.transaction(async (transaction) => {
          return importPicks(transaction, [{ ...pick, ...terms, ...pickTerms } as never], {
            now: start + hour,
            imported: true,
          });
        });
      await add({});
      const [gameId] = await database('games').where({ name: named.game }).pluck('id');
      let imported: ReturnType<typeof add> | undefined;
      await database.transaction(async (grading) => {
        expect(await gradeGames(grading, [gameId], start + hour)).to.include({ games: 1 });
        imported = add({ oddsAmerican: 110 });
        await until(() => isBlocked(database));
      });
      expect(await imported).to.deep.equal([{ outcome: 'added' }]);
      expect(await gradeDue(database, start + hour)).to.include({ games: 1 });
      expect(await gradeDue(database, start + hour)).to.include({ games: 0 });
    });
});

/** Reports whether a session waits for another one's lock. */
async function isBlocked(database: Database): Promise<boolean> {
  const { rows } = await database.raw(
    `select exists (select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0) as blocked`,
  );
  return rows[0].blocked;
}
