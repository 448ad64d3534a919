import { expect } from 'chai';
import type { BoardContext } from '../../src/boards/endpoint.ts';
import { pickClosing } from '../../src/boards/picks/closing.ts';
import { gamePicks, readGame } from '../../src/boards/picks/game.ts';
import { pickBoard, relatedPicks } from '../../src/boards/picks/pick.ts';
import { pickConfidence } from '../../src/boards/picks/pod.ts';
import { consensus } from '../../src/boards/sharp/consensus.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { applyResults } from '../../src/intake/result.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { runPipeline } from '../support/whole-way.ts';

const hour = 3_600_000;
const start = Date.parse('2024-12-01T00:30:00Z');
const game = { sport: 'nba', game: 'Meadow Hawks @ River Otters', startsAt: '2024-12-01T00:30:00Z' };
const bet = { market: 'player_points', side: 'over', line: 24.5 };
const live = (now: number) => ({ now, imported: false });

/** Three picks with the same text, market, side, and line: two about Ada, one about Rory. */
const posts = [
  { capperHandle: 'ann', subject: 'Ada L.' },
  { capperHandle: 'bob', subject: 'Rory F.' },
  { capperHandle: 'cleo', subject: 'Ada L.' },
];

describe('picks about different subjects', () => {
  const stores = withDatabase();
  const uuids: string[] = [];
  let gameId = 0;
  const at = (now: number): BoardContext => ({
    database: stores.database,
    now,
    baseUrl: 'https://picks.example',
    helpLine: '',
    sports: new Map([['nba', { key: 'nba', label: 'NBA', moneylineWays: 2, eventMinutes: 150 }]]),
  });

  before(async () => {
    const { database } = stores;
    const posting = start - 2 * hour;
    const cappers = posts.map(({ capperHandle }) => ({
      handle: capperHandle,
      tier: 'elite' as const,
      verified: true,
    }));
    await applyCappers(database, cappers, live(posting - hour));
    await database.transaction((transaction) =>
      applyGames(transaction, [{ ...game, status: 'scheduled' }], live(posting - hour)),
    );
    const price = { ...game, ...bet, book: 'north', capturedAt: new Date(start - hour).toISOString() };
    await applyLines(
      database,
      [
        { ...price, subject: 'Ada L.', oddsAmerican: -140 },
        { ...price, subject: 'Ada L.', side: 'under', oddsAmerican: 120 },
        { ...price, subject: 'Rory F.', oddsAmerican: 105 },
      ],
      live(start - hour),
    );
    for (const post of posts.slice(0, 2)) uuids.push(await posted(post, posting));
    await runPipeline(database, posting);
    [gameId] = await database('games').pluck('id');
  });

  async function posted(post: (typeof posts)[0], now: number): Promise<string> {
    const row = {
      ...game,
      ...bet,
      ...post,
      pick: 'over 24.5 points',
      oddsAmerican: -150,
      stakeUnits: 1,
      book: 'north',
    };
    const outcome = await postPick(stores.database, row, undefined, now);
    if (outcome.outcome === 'refused') throw new Error(outcome.reason);
    return outcome.pickUuid;
  }

  it('are neither a consensus group nor related, unlike those about the same subject', async () => {
    const now = start - hour;
    const groups = async () => (await consensus.compute(at(now), {})).groups;
    const related = async (uuid: string) =>
      (await relatedPicks.compute(at(now), { uuid, hours: 6 })).picks.map(({ capperHandle }) => capperHandle);
    const support = async (uuid: string) =>
      (await pickConfidence.compute(at(now), { uuid })).components.find(({ name }) => name === 'consensus')!
        .sample;
    expect(await groups()).to.deep.equal([]);
    expect(await related(uuids[0]!)).to.deep.equal([]);
    expect(await support(uuids[0]!)).to.equal(0);
    uuids.push(await posted(posts[2]!, now));
    await runPipeline(stores.database, now);
    const [group, ...others] = await groups();
    expect(others).to.deep.equal([]);
    expect(group).to.deep.include({
      subject: 'Ada L.',
      capperCount: 2,
      market: 'player_points',
      side: 'over',
    });
    expect(await related(uuids[0]!)).to.deep.equal(['cleo']);
    expect(await related(uuids[1]!)).to.deep.equal([]);
    expect(await support(uuids[0]!)).to.equal(1);
    expect(await support(uuids[1]!)).to.equal(0);
  });

  it('close at the price of their subject', async () => {
    await runPipeline(stores.database, start);
    const closings = await Promise.all(uuids.map((uuid) => pickClosing.compute(at(start), { uuid })));
    expect(closings.map(({ closing }) => closing?.oddsAmerican)).to.deep.equal([-140, 105, -140]);
  });

  it('settle by the result of their subject', async () => {
    const now = start + 3 * hour;
    const result = { ...game, ...bet, finalAt: new Date(now).toISOString() };
    await applyResults(
      stores.database,
      [
        { ...result, subject: 'Ada L.', result: 'win' },
        { ...result, subject: 'Rory F.', result: 'loss' },
      ],
      live(now),
    );
    await runPipeline(stores.database, now);
    const shown = await Promise.all(uuids.map((uuid) => pickBoard.compute(at(now), { uuid })));
    expect(shown.map(({ subject, result: own }) => [subject, own])).to.deep.equal([
      ['Ada L.', 'win'],
      ['Rory F.', 'loss'],
      ['Ada L.', 'win'],
    ]);
  });

  it('are listed separately on the page of their game', async () => {
    const view = await readGame(at(start), gameId);
    expect(view.sides).to.deep.equal([
      { market: 'player_points', subject: 'Ada L.', side: 'over', count: 2 },
      { market: 'player_points', subject: 'Rory F.', side: 'over', count: 1 },
    ]);
    expect(view.priced).to.deep.equal([
      { market: 'player_points', subject: 'Ada L.' },
      { market: 'player_points', subject: 'Rory F.' },
    ]);
    const filter = { market: 'player_points', subject: 'Rory F.', side: 'over' };
    const picks = await gamePicks(at(start), gameId, filter, 10);
    expect(picks.map(({ pickUuid }) => pickUuid)).to.deep.equal([uuids[1]]);
  });
});
