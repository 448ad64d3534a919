import { expect } from 'chai';
import { withDatabaseBefore } from '../support/older-database.ts';

describe('the migration of bands', function () {
  this.timeout(60_000);
  const older = withDatabaseBefore('20260407000000_bands');

  it('sums the settled picks that are stored', async () => {
    const { owner } = older;
    const pick = {
      ...{ tier: 'listed', sport: 'nfl', game_id: 1, market: 'spread', side: 'home', pick: 'Foxes -3.5' },
      ...{ odds_american: -110, stake_e4: 10_000, source: 'test', provenance: 'live', capper_id: 1 },
      posted_at: '2026-01-10T17:00:00Z',
    };
    const win = { result: 'win', net_units_e4: 9091, settled_at: '2026-01-11T17:00:00Z' };
    const loss = { ...win, result: 'loss', net_units_e4: -20_000 };
    const closed = { closed_at: '2026-01-11T15:00:00Z', closing_odds: -120, clv_bps: 208, edge_bps: 100 };
    const late = { sealed_at: '2026-01-11T16:00:00Z', sealed_in_time: 'late' };
    const picks = [
      { ...pick, ...win, ...closed, same_line: true },
      { ...pick, ...loss, ...closed, same_line: false, stake_e4: 20_000, ...late },
      { ...pick, ...win, stake_e4: 19_999, odds_american: -101 },
      { ...pick, ...win, result: 'push', net_units_e4: 0, odds_american: 301, stake_e4: 50_000 },
      {
        ...{
          ...pick,
          ...win,
          result: 'void',
          net_units_e4: 0,
          capper_id: 2,
          odds_american: -301,
          stake_e4: 5000,
        },
        settled_at: '2026-01-01T04:59:59Z',
      },
      pick,
    ];
    const uuid = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;
    for (const [index, row] of picks.entries())
      await owner('board_picks').insert({ ...row, pick_id: index + 1, uuid: uuid(index) });
    await older.migrate();
    const rows = await owner('capper_bands').orderBy(['capper_id', 'odds_band', 'stake_band']);
    const of = { sport: 'nfl', market: 'spread', provenance: 'live' };
    const none = {
      ...{ wins: 0, losses: 0, pushes: 0, voids: 0, net_e4: 0, staked_e4: 0, late: 0 },
      ...{ break_even_e9: 0, break_even_variance_e9: 0, net_variance_e6: 0 },
      ...{ clv_sum: 0, clv_sample: 0, clv_moved_sample: 0, edge_sum: 0, edge_sample: 0 },
    };
    const short = 523_809_524 + 502_487_562;
    expect(rows).to.deep.equal([
      {
        ...{ ...none, ...of, capper_id: 1, odds_band: 4, stake_band: 1, wins: 2, net_e4: 2 * 9091 },
        ...{ staked_e4: 29_999, break_even_e9: short, break_even_variance_e9: 249_433_107 + 249_993_812 },
        ...{ net_variance_e6: 909_091 + 3_960_000 },
        ...{ clv_sum: 208, clv_sample: 1, edge_sum: 100, edge_sample: 1 },
      },
      {
        ...{ ...none, ...of, capper_id: 1, odds_band: 4, stake_band: 2, losses: 1, net_e4: -20_000, late: 1 },
        ...{ staked_e4: 20_000, break_even_e9: 523_809_524, break_even_variance_e9: 249_433_107 },
        ...{ net_variance_e6: 3_636_364, clv_moved_sample: 1, edge_sum: 100, edge_sample: 1 },
      },
      { ...none, ...of, capper_id: 1, odds_band: 9, stake_band: 4, pushes: 1 },
      { ...none, ...of, capper_id: 2, odds_band: 0, stake_band: 0, voids: 1 },
    ]);
    const months = await owner('capper_months').orderBy('capper_id');
    expect(
      months.map(({ capper_id, month, wins, losses, pushes, voids, net_e4 }) => [
        ...[capper_id, month, wins, losses, pushes, voids, net_e4],
      ]),
    ).to.deep.equal([
      [1, '2026-01-01', 2, 1, 1, 0, 2 * 9091 - 20_000],
      [2, '2025-12-01', 0, 0, 0, 1, 0],
    ]);
  });
});
