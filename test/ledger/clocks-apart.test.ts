import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';

const minute = 60_000;
const start = Date.parse('2024-10-06T17:00:00Z');
const game = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };

describe('grading on a machine with a slow clock', () => {
  const stores = withDatabase();

  it('closes the picks that it settles, even before the game starts by its clock', async () => {
    const { database } = stores;
    const at = (now: number) => ({ now, imported: false });
    const world = (row: object, now: number) =>
      database.transaction((transaction) => applyGames(transaction, [{ ...game, ...row } as never], at(now)));
    await applyCappers(database, [{ handle: 'ada', tier: 'elite', verified: true }], at(start - 60 * minute));
    await world({ status: 'scheduled' }, start - 60 * minute);
    const bet = { market: 'total', side: 'over', line: 40.5, oddsAmerican: -110 };
    const capturedAt = new Date(start - 10 * minute).toISOString();
    const prices = ['over', 'under'].map((side) => ({ ...game, ...bet, side, capturedAt, book: 'alpha' }));
    await applyLines(database, prices as never, at(start - 9 * minute));
    const pick = { capperHandle: 'ada', ...game, ...bet, pick: 'Over 40.5', stakeUnits: 1 };
    await postPick(database, pick as never, undefined, start - 5 * minute);
    // The score is final by the clock of the machine that received it.
    await world({ status: 'final', homeScore: 24, awayScore: 20 }, start + minute / 2);
    expect(await gradeDue(database, start - minute / 2)).to.include({ closed: 1, settled: 1 });
  });
});
