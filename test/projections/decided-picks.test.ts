import { expect } from 'chai';
import { decidedPicks } from '../../src/projections/decided-picks.ts';
import { withDatabase } from '../support/database.ts';

describe('the wins and losses of a capper', () => {
  const stores = withDatabase();
  const count = 6;
  const start = Date.parse('2026-01-01T00:00:00.123Z');
  const minute = 60_000;
  const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

  before(async () => {
    // The first one settles last, and all of them in the order of their numbers otherwise.
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ pick_id: index + 1, uuid: uuidOf(index), capper_id: 1, tier: 'listed', sport: 'nfl', game_id: 1 },
      ...{ market: 'total', side: 'over', pick: 'over 40', source: 'test', provenance: 'imported' },
      ...{ odds_american: index % 2 === 0 ? -110 : 120, stake_e4: 10_000 + index },
      posted_at: new Date(start - minute),
      settled_at: new Date(start + minute * (index === 0 ? count : index)),
      ...{ result: index % 2 === 0 ? 'win' : 'loss', net_units_e4: 100 + index },
    }));
    const others = (['push', 'void', null] as const).map((result, index) => ({
      ...rows[0],
      ...{ pick_id: count + 1 + index, uuid: uuidOf(count + index), result },
      ...(result === null && { settled_at: null }),
    }));
    await stores.owner('board_picks').insert([...rows, ...others]);
  });

  it('come in the order in which they settled, with what came of them', async () => {
    const picks = await decidedPicks(stores.database, 1, {}, 20_000);
    expect(picks.map(({ pickUuid }) => pickUuid)).to.deep.equal([1, 2, 3, 4, 5, 0].map(uuidOf));
    expect(picks.slice(0, 2).map(({ pickUuid: _, ...pick }) => pick)).to.deep.equal([
      { oddsAmerican: 120, stakeE4: 10_001, won: false, settledAt: start + minute, netE4: 101 },
      { oddsAmerican: -110, stakeE4: 10_002, won: true, settledAt: start + 2 * minute, netE4: 102 },
    ]);
  });

  it('are the latest where there are more than asked for, of what passes the filter', async () => {
    const latest = await decidedPicks(stores.database, 1, { settledFrom: start + 3 * minute }, 2);
    expect(latest.map(({ pickUuid }) => pickUuid)).to.deep.equal([uuidOf(count - 1), uuidOf(0)]);
    expect(await decidedPicks(stores.database, 1, { sport: 'nba' }, 20_000)).to.deep.equal([]);
    expect(
      await decidedPicks(stores.database, 1, { settledFrom: start + count * minute }, 20_000),
    ).to.have.length(1);
  });
});
