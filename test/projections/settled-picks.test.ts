import { expect } from 'chai';
import { decidedPicks } from '../../src/projections/settled-picks.ts';
import { withDatabase } from '../support/database.ts';

describe('the wins and losses of a capper', () => {
  const stores = withDatabase();
  const read = (filter: Partial<Parameters<typeof decidedPicks>[1]> = {}) =>
    decidedPicks(stores.database, { capperId: 1, firstDay: null, limit: 20_000, ...filter });
  const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const uuids = (picks: readonly { pickUuid: string }[]) => picks.map(({ pickUuid }) => pickUuid);
  /** Midnight in New York. */
  const midnight = (day: number) => Date.parse(`2026-01-0${day}T05:00:00Z`);

  before(async () => {
    // Number 0 settles last.
    const rows = Array.from({ length: 6 }, (_, number) => ({
      pick_id: number + 1,
      uuid: uuidOf(number),
      capper_id: 1,
      tier: 'listed',
      sport: 'nfl',
      game_id: 1,
      market: 'total',
      side: 'over',
      pick: 'over 40',
      source: 'test',
      provenance: 'imported',
      odds_american: number % 2 === 0 ? -110 : 120,
      stake_e4: 10_000 + number,
      posted_at: new Date(midnight(1) - 1),
      settled_at: new Date(midnight(number === 0 ? 6 : number)),
      result: number % 2 === 0 ? 'win' : 'loss',
      net_units_e4: 100 + number,
    }));
    const others = (['push', 'void', null] as const).map((result, index) => ({
      ...rows[0],
      pick_id: 7 + index,
      uuid: uuidOf(6 + index),
      result,
      ...(result === null && { settled_at: null }),
    }));
    await stores.owner('board_picks').insert([...rows, ...others]);
  });

  it('are listed in the order in which they settled, with their figures', async () => {
    const picks = await read();
    expect(uuids(picks)).to.deep.equal([1, 2, 3, 4, 5, 0].map(uuidOf));
    expect(picks.slice(0, 2).map(({ pickUuid: _, ...pick }) => pick)).to.deep.equal([
      { oddsAmerican: 120, half: null, stakeE4: 10_001, won: false, settledAt: midnight(1), netE4: 101 },
      { oddsAmerican: -110, half: null, stakeE4: 10_002, won: true, settledAt: midnight(2), netE4: 102 },
    ]);
  });

  it('are limited to the latest that match the filter', async () => {
    expect(uuids(await read({ limit: 2 }))).to.deep.equal([5, 0].map(uuidOf));
    expect(uuids(await read({ firstDay: '2026-01-05' }))).to.deep.equal([5, 0].map(uuidOf));
    expect(await read({ sport: 'nba' })).to.deep.equal([]);
    expect(await read({ capperId: 2 })).to.deep.equal([]);
  });
});
