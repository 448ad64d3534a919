import { expect } from 'chai';
import { applyCappers } from '../../src/cappers/cappers.ts';
import { applyGames } from '../../src/games/apply-games.ts';
import { relistGames } from '../../src/ledger/due-games.ts';
import { gradeDue } from '../../src/ledger/grade.ts';
import { postPick } from '../../src/ledger/post-picks.ts';
import { withDatabase } from '../support/database.ts';

const hour = 3_600_000;
const start = Date.parse('2024-10-06T17:00:00Z');
const game = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };

describe('the list of games that grading looks at', () => {
  const stores = withDatabase();

  it('is filled again with games that it lost, each once', async () => {
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
    expect(await gradeDue(database, start + 3 * hour)).to.include({ games: 1, settled: 1 });
    expect(await relistGames(database)).to.equal(0);
  });
});
