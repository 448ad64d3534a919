import { expect } from 'chai';
import { withDatabase } from '../support/database.ts';
import { modulesWithMarket } from '../support/with-market.ts';

/** A market that only soccer has, declared in one file. */
const declaration = `
import type { Market } from './market.ts';

export const btts: Market = {
  name: 'btts',
  label: 'both teams to score',
  words: 'both score|gg',
  sports: ['soccer'],
  gradedBy: 'final',
  line: null,
  contests: () => [['yes', 'no']],
  grade: (side, _lineE3, { home, away }) => ({
    result: (side === 'yes') === (home > 0 && away > 0) ? 'win' : 'loss',
    half: false,
  }),
  oddsApi: {
    key: 'btts',
    featured: false,
    alternates: null,
    side: ({ name }) => ({ Yes: 'yes', No: 'no' })[name] ?? null,
  },
};
`;

const hour = 3_600_000;
const start = Date.parse('2024-10-06T17:00:00Z');
const live = (now: number) => ({ now, imported: false });

describe('a market declared in one file for one sport', () => {
  const load = modulesWithMarket(declaration, 'btts');
  const stores = withDatabase();
  const game = { sport: 'soccer', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };

  it('is read, offered, posted, sealed, and graded there, and stays undeclared elsewhere', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the modules are loaded by path.
    const at = (path: string): Promise<any> => load(path);
    const [{ meant, sideMeant }, { openBets }, { postPicks }, { applyCappers }, { applyGames }] =
      await Promise.all([
        at('rules/markets/meant.ts'),
        at('games/open-bets.ts'),
        at('ledger/posting/post-picks.ts'),
        at('intake/capper.ts'),
        at('intake/game.ts'),
      ]);
    const [{ gradeDue }, { sealAll }, { checkPick }] = await Promise.all([
      at('ledger/grading/grade.ts'),
      at('ledger/sealing/seal.ts'),
      at('ledger/posting/pick-row.ts'),
    ]);
    expect(meant('GG', { sport: 'soccer' })).to.include({ market: 'btts', subject: 'none' });
    expect(meant('both score', { sport: 'nhl' })?.subject).not.to.equal('none');
    expect(sideMeant('soccer', { market: 'btts' }, 'Y')).to.equal('yes');

    const now = start - 9 * hour;
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], live(now));
    const world = (row: object, at: number) =>
      stores.database.transaction((transaction) => applyGames(transaction, [{ ...game, ...row }], live(at)));
    await world({ status: 'scheduled' }, now);

    const { bets } = (await openBets(stores.database, now)).read('Gulls Foxes both score no -110 1u');
    expect(bets).to.have.length(1);
    const { words, startsAt: _, book: __, ...bet } = bets[0];
    expect(bet).to.include({ market: 'btts', subject: null, side: 'no', line: null });
    expect((await openBets(stores.database, now)).read(words).bets[0]).to.deep.include(bet);

    const given = { capperHandle: 'ada', ...game, pick: bet.pick, oddsAmerican: -110, stakeUnits: 1 };
    const checked = checkPick({ ...given, market: 'Both Teams To Score', side: 'No' });
    expect(checked).to.have.property('ok', true);
    const other = checkPick({ ...given, market: 'btts', side: 'maybe' });
    const [posted, refused] = await postPicks(
      stores.database,
      [{ row: checked.value }, { row: other.value }],
      now,
    );
    expect([posted.outcome, refused.outcome, refused.reason]).to.deep.equal([
      'added',
      'refused',
      'a btts in soccer has the sides yes, no, not maybe',
    ]);

    await world({ status: 'final', homeScore: 2, awayScore: 0 }, start + 2 * hour);
    await gradeDue(stores.database, start + 2 * hour);
    await sealAll(stores.database, start + 3 * hour);
    expect(await stores.database('settlements').select('result', 'grader')).to.deep.equal([
      { result: 'win', grader: 'score' },
    ]);
    expect(await stores.database('unsealed_events').select()).to.deep.equal([]);
    expect(
      await stores.database('ledger_entries').whereIn('kind', ['posted', 'settled']).pluck('kind'),
    ).to.have.members(['posted', 'settled']);
  });
});
