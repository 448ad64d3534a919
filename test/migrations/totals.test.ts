import { expect } from 'chai';
import { withDatabaseBefore } from '../support/older-database.ts';

describe('the migration of totals', function () {
  this.timeout(60_000);
  const older = withDatabaseBefore('20260217000000_totals');

  it('sums the days that are stored', async () => {
    const { owner } = older;
    await owner.raw(
      `insert into daily_rollups (capper_id, sport, market, provenance, day, posted, last_posted_at, wins, net_e4, late)
       values (1, 'nfl', 'spread', 'live', '2026-01-10', 2, '2026-01-10T17:00:00Z', 1, 9091, 0),
         (1, 'nfl', 'spread', 'live', '2026-01-11', 3, '2026-01-11T17:00:00Z', 2, 20000, 1),
         (2, 'nfl', 'spread', 'live', '2026-01-11', 1, '2026-01-11T19:00:00Z', 0, -10000, 0)`,
    );
    await older.migrate();
    const sums = { posted: 'posted', wins: 'wins', net: 'net_e4', late: 'late', last: 'last_posted_at' };
    const totals = await owner('capper_totals')
      .orderBy('capper_id')
      .select({ capper: 'capper_id', ...sums });
    expect(totals).to.deep.equal([
      { capper: 1, posted: 5, wins: 3, net: 29_091, late: 1, last: Date.parse('2026-01-11T17:00:00Z') },
      { capper: 2, posted: 1, wins: 0, net: -10_000, late: 0, last: Date.parse('2026-01-11T19:00:00Z') },
    ]);
    const days = await owner('sport_days')
      .orderBy('day')
      .select({ day: 'day', ...sums });
    expect(days).to.deep.equal([
      {
        day: '2026-01-10',
        posted: 2,
        wins: 1,
        net: 9_091,
        late: 0,
        last: Date.parse('2026-01-10T17:00:00Z'),
      },
      {
        day: '2026-01-11',
        posted: 4,
        wins: 2,
        net: 10_000,
        late: 1,
        last: Date.parse('2026-01-11T19:00:00Z'),
      },
    ]);
  });
});
