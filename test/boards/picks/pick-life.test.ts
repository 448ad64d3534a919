import { expect } from 'chai';
import { type BoardContext, NotFound } from '../../../src/boards/endpoint.ts';
import { pickClosing } from '../../../src/boards/picks/closing.ts';
import { pickTimeline } from '../../../src/boards/picks/events.ts';
import { pickBoard } from '../../../src/boards/picks/pick.ts';
import { applyCappers } from '../../../src/intake/capper.ts';
import { applyGames } from '../../../src/intake/game.ts';
import { applyLines } from '../../../src/intake/price.ts';
import { gradeDue } from '../../../src/ledger/grading/grade.ts';
import { sealAll } from '../../../src/ledger/sealing/seal.ts';
import { updateProjections } from '../../../src/projections/update.ts';
import { withDatabase } from '../../support/database.ts';
import { postPick } from '../../support/post-pick.ts';

const minute = 60_000;
const start = Date.parse('2024-10-06T17:00:00Z');
const game = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };
const pick = {
  capperHandle: 'ada',
  ...game,
  market: 'moneyline',
  side: 'home',
  pick: 'Foxes to win',
  oddsAmerican: 120,
  stakeUnits: 2,
  book: 'north',
};

describe('the boards of one pick, from posting to settlement', () => {
  const stores = withDatabase();
  let uuid = '';
  const context = (now: number): BoardContext => ({
    database: stores.database,
    now,
    baseUrl: 'https://picks.example',
    helpLine: '1-800-GAMBLER',
    sports: new Map([['nfl', { key: 'nfl', label: 'NFL', moneylineWays: 2, eventMinutes: 195 }]]),
  });
  const live = (now: number) => ({ now, imported: false });
  const world = (row: object, now: number) =>
    stores.database.transaction((transaction) =>
      applyGames(transaction, [{ ...game, status: 'scheduled', ...row }], live(now)),
    );
  const seal = async () => {
    await sealAll(stores.database);
    await updateProjections(stores.database);
  };

  before(async () => {
    const posting = start - 60 * minute;
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], live(posting));
    await world({}, posting);
    const posted = await postPick(stores.database, pick, undefined, posting);
    uuid = (posted as { pickUuid: string }).pickUuid;
  });

  it('answer that an unknown pick does not exist', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const board of [pickBoard, pickTimeline, pickClosing]) {
      const refusal = await board.compute(context(start), { uuid: unknown }).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(NotFound);
      expect((refusal as Error).message).to.include(unknown);
    }
  });

  it('show an unsealed pick without hashes', async () => {
    const body = await pickBoard.compute(context(start - minute), { uuid });
    expect(body).to.include({ pickUuid: uuid, status: 'pending', hashStatus: 'unhashed', pickHash: null });
    const { events } = await pickTimeline.compute(context(start - minute), { uuid });
    expect(events).to.have.length(1);
    expect(events[0]).to.include({ event: 'posted', hash: null, prevHash: null, seq: null, stakeUnits: 2 });
  });

  it("show the pick's hash once it is sealed", async () => {
    await seal();
    const body = await pickBoard.compute(context(start - minute), { uuid });
    expect(body.hashStatus).to.equal('sealed');
    expect(body.pickHash).to.match(/^[0-9a-f]{64}$/);
    expect(body.recordUrl).to.equal(`https://picks.example/record/${body.id}`);
    const { events } = await pickTimeline.compute(context(start - minute), { uuid });
    expect(events[0]).to.include({ hash: body.pickHash, prevHash: null, seq: 0 });
  });

  it('report the closing as pending until 15 minutes after the start, and as missing after that', async () => {
    const at = (now: number) => pickClosing.compute(context(now), { uuid });
    expect(await at(start + 15 * minute - 1)).to.include({ status: 'open', closing: null, clvBps: null });
    expect((await at(start + 15 * minute)).status).to.equal('missing');
  });

  it('show posted against closing odds', async () => {
    const prices = { ...game, market: 'moneyline', capturedAt: '2024-10-06T16:55:00Z', book: 'north' };
    await applyLines(
      stores.database,
      [
        { ...prices, side: 'home', oddsAmerican: 100 },
        { ...prices, side: 'away', oddsAmerican: -120 },
      ],
      live(start - 4 * minute),
    );
    await gradeDue(stores.database, start + minute);
    const body = await pickClosing.compute(context(start + minute), { uuid });
    expect(body).to.deep.equal({
      pickUuid: uuid,
      status: 'closed',
      posted: { oddsAmerican: 120, oddsDecimal: 2.2, line: null, at: '2024-10-06T16:00:00.000Z' },
      closing: {
        oddsAmerican: 100,
        oddsDecimal: 2,
        line: null,
        at: '2024-10-06T16:55:00.000Z',
        source: 'north',
        closedAt: '2024-10-06T17:00:00.000Z',
      },
      clvBps: 1000,
      clvPct: 10,
      // (1/2)^k + (6/11)^k = 1 for k = 1.069.
      edgePct: 4.89,
      edgeMethod: 'power',
      consensus: { books: 1, fairPct: 47.68 },
      lineMove: null,
      followers: null,
    });
  });

  it("chain the pick's events by their hashes, with their details", async () => {
    await world({ status: 'final', homeScore: 24, awayScore: 10 }, start + 200 * minute);
    await gradeDue(stores.database, start + 200 * minute);
    await seal();
    const { events } = await pickTimeline.compute(context(start + 200 * minute), { uuid });
    const [posted, closed, settled] = events;
    expect(events.map(({ event }) => event)).to.deep.equal(['posted', 'closed', 'settled']);
    expect(closed?.prevHash).to.equal(posted?.hash);
    expect(settled?.prevHash).to.equal(closed?.hash);
    expect(settled).to.include({ result: 'win', homeScore: 24, awayScore: 10, netUnits: 2 });
  });
});
