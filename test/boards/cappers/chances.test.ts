import { expect } from 'chai';
import { leaderboard, unitsLeaderboard } from '../../../src/boards/cappers/leaderboard.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { withDatabase } from '../../support/database.ts';
import { busyDay } from '../../support/ledgers.ts';

describe('the chances on leaderboards', () => {
  const stores = withDatabase({ filling: busyDay });
  const params = { window: 'all', limit: 100, provenance: 'all' } as const;
  const context = () => ({
    database: stores.database,
    now: busyDay.now,
    sports: new Map(),
    baseUrl: 'https://picks.example',
    helpLine: '',
  });

  /** Returns the cappers whose picks an answer reads odds by odds. */
  async function cappersRead(answer: () => Promise<unknown>): Promise<number[]> {
    const read: number[] = [];
    const note = ({ sql, bindings }: { sql: string; bindings: unknown[] }) => {
      if (/group by.*"half"/.test(sql)) read.push(...(bindings.find(Array.isArray) as number[]));
    };
    stores.database.on('query', note);
    await answer();
    stores.database.off('query', note);
    return read;
  }

  it('are computed again only for cappers whose sums changed', async () => {
    const first = await leaderboard.compute(context(), params);
    const ids: number[] = await stores
      .database('cappers')
      .whereIn(
        'handle',
        first.cappers.map(({ handle }) => handle),
      )
      .pluck('id');
    expect(ids).to.have.length.above(5);
    expect(await cappersRead(() => leaderboard.compute(context(), params))).to.deep.equal([]);
    expect(
      await cappersRead(() => unitsLeaderboard.compute(context(), { ...params, min_n: 1 })),
    ).to.deep.equal([]);
    const narrower = await cappersRead(() => leaderboard.compute(context(), { ...params, market: 'total' }));
    expect(narrower).to.have.length.above(5);

    const [changed] = ids;
    await stores.owner.raw(
      `update capper_totals t set wins = wins + 1 where ctid = (select ctid from capper_totals where capper_id = ? and wins > 0 limit 1)`,
      [changed!],
    );
    expect(await cappersRead(() => leaderboard.compute(context(), params))).to.deep.equal([changed]);
  });

  it('do not depend on what was computed before', async () => {
    const known = await leaderboard.compute(context(), params);
    const other = openDatabase(stores.url, { name: 'chances' });
    try {
      expect(await leaderboard.compute({ ...context(), database: other }, params)).to.deep.equal(known);
    } finally {
      await other.destroy();
    }
  });
});
