import { expect } from 'chai';
import type { BoardContext } from '../../../src/boards/endpoint.ts';
import { podArchive, podBoard } from '../../../src/boards/picks/pod.ts';
import { applyCappers } from '../../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../../src/intake/game.ts';
import { applyLines } from '../../../src/intake/price.ts';
import { gradeDue } from '../../../src/ledger/grading/grade.ts';
import { sealAll } from '../../../src/ledger/sealing/seal.ts';
import { choosePickOfTheDay } from '../../../src/projections/pick-of-the-day.ts';
import { updateProjections } from '../../../src/projections/update.ts';
import { withDatabase } from '../../support/database.ts';
import { postPick } from '../../support/post-pick.ts';

const hour = 3_600_000;
/** 10 AM Eastern Time of three days; each has a game at 1 PM. */
const mornings = ['2024-10-06T14:00:00Z', '2024-10-07T14:00:00Z', '2024-10-08T14:00:00Z'].map(Date.parse);

describe('the Pick of the Day, its current price, and its archive', () => {
  const stores = withDatabase();
  const context = (now: number): BoardContext => ({
    database: stores.database,
    now,
    baseUrl: 'https://picks.example',
    helpLine: '1-800-GAMBLER',
    sports: new Map([['nfl', { key: 'nfl', label: 'NFL', moneylineWays: 2, eventMinutes: 195 }]]),
  });
  const gameOf = (morning: number) => ({
    sport: 'nfl',
    game: 'Gulls @ Foxes',
    startsAt: new Date(morning + 3 * hour).toISOString(),
  });
  const seal = async () => {
    await sealAll(stores.database);
    await updateProjections(stores.database);
  };

  before(async () => {
    const live = (now: number) => ({ now, imported: false });
    await applyCappers(
      stores.database,
      [{ handle: 'ada', tier: 'elite', verified: true }],
      live(mornings[0]!),
    );
    for (const [index, morning] of mornings.entries()) {
      const game = gameOf(morning);
      const world = (row: Partial<GameRow> & Pick<GameRow, 'status'>, now: number) =>
        stores.database.transaction((transaction) =>
          applyGames(transaction, [{ ...game, ...row }], live(now)),
        );
      await world({ status: 'scheduled' }, morning);
      const pick = { capperHandle: 'ada', ...game, market: 'moneyline', side: 'home', pick: 'Foxes to win' };
      await postPick(stores.database, { ...pick, oddsAmerican: 150, stakeUnits: 1 }, undefined, morning);
      await seal();
      expect(await choosePickOfTheDay(stores.database, morning + 60_000)).to.equal(true);
      if (index === 2) break;
      await world({ status: 'final', homeScore: index === 0 ? 20 : 3, awayScore: 10 }, morning + 6 * hour);
      await gradeDue(stores.database, morning + 6 * hour);
      await seal();
    }
  });

  it('show the best current price, its book, and its time until the game starts', async () => {
    const morning = mornings[2]!;
    const { startsAt, ...game } = gameOf(morning);
    const line = { ...game, startsAt, market: 'moneyline', side: 'home', line: null, closing: false };
    const at = (minutes: number) => new Date(morning + minutes * 60_000).toISOString();
    await applyLines(
      stores.database,
      [
        { ...line, book: 'north', oddsAmerican: 160, capturedAt: at(5) },
        { ...line, book: 'north', oddsAmerican: 130, capturedAt: at(20) },
        { ...line, book: 'south', oddsAmerican: 140, capturedAt: at(10) },
        { ...line, book: 'west', oddsAmerican: 170, capturedAt: at(90) },
      ],
      { now: morning + 2 * hour, imported: true },
    );
    const now = async (minutes: number) =>
      (await podBoard.compute(context(morning + minutes * 60_000), {})).now;
    expect(await now(2)).to.equal(null);
    expect(await now(30)).to.deep.equal({
      oddsAmerican: 140,
      oddsDecimal: 2.4,
      book: 'south',
      seenAt: at(10),
    });
    expect(await now(100)).to.include({ oddsAmerican: 170, book: 'west' });
    expect(await now(181)).to.equal(null);
  });

  it('keep every choice, with the record of all', async () => {
    const all = await podArchive.compute(context(mornings[2]! + hour), { limit: 30 });
    expect(all.days.map(({ day, pick }) => [day, pick.result])).to.deep.equal([
      ['2024-10-08', null],
      ['2024-10-07', 'loss'],
      ['2024-10-06', 'win'],
    ]);
    expect(all.record).to.include({ picks: 2, record: '1-1-0', unitsNet: 0.5, breakEvenPct: 40 });
    expect(all.nextBefore).to.equal(null);
  });

  it('page the archive', async () => {
    const first = await podArchive.compute(context(mornings[2]! + hour), { limit: 2 });
    expect(first.nextBefore).to.equal('2024-10-07');
    const second = await podArchive.compute(context(mornings[2]! + hour), {
      limit: 2,
      before: first.nextBefore!,
    });
    expect(second.days.map(({ day }) => day)).to.deep.equal(['2024-10-06']);
    expect(second.record).to.deep.equal(first.record);
  });
});
