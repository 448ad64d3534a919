import { expect } from 'chai';
import { withDatabaseBefore } from '../support/older-database.ts';

describe('the migration of edges', function () {
  this.timeout(60_000);
  const older = withDatabaseBefore('20260215000001_edges_filled');

  it('gives stored picks their edges and days their new sums, and takes the CLV of moved lines out', async () => {
    const { owner } = older;
    await owner.raw(
      `insert into cappers (handle, tier, verified, created_at) values ('ada', 'elite', true, '2026-01-01T00:00:00Z');
       insert into games (sport, name, announced_start, starts_at)
         values ('nfl', 'Gulls @ Foxes', '2026-01-11T18:00:00Z', '2026-01-11T18:00:00Z');
       alter table closings disable trigger all;
       alter table closings drop constraint closings_pick_id_fkey;
       insert into board_picks (pick_id, uuid, capper_id, tier, sport, game_id, market, side, line_e3, pick, odds_american, stake_e4, source,
         provenance, posted_at, closed_at, closing_odds, clv_bps, same_line, result, settled_at, net_units_e4)
       select id, gen_random_uuid(), 1, 'elite', 'nfl', 1, market, 'home', line, 'Foxes', odds, stake, 'import', 'imported',
         '2026-01-11T12:00:00Z', '2026-01-11T18:00:00Z', closing, clv, line is null, result, settled::timestamptz, net
       from (values
         (1, 'moneyline', null, 120, 10000, 110, 476, 'win', '2026-01-11T21:00:00Z', 12000),
         (2, 'spread', 3500, -110, 20000, -120, 413, 'loss', '2026-01-11T21:00:00Z', -20000),
         (3, 'spread', 2500, 105, 10000, -110, 738, null, null, null)
       ) as p (id, market, line, odds, stake, closing, clv, result, settled, net);
       insert into closings (pick_id, closed_at, odds_american, line_e3, book, captured_at, prices, clv_bps)
       select id, '2026-01-11T18:00:00Z', odds, line, 'blue', '2026-01-11T17:00:00Z',
         jsonb_build_array(jsonb_build_object('side', 'away', 'odds_american', other), jsonb_build_object('side', 'home', 'odds_american', odds)), 0
       from (values (1, null, 110, -130), (2, 2500, -110, -110), (3, 2500, -110, -110)) as k (id, line, odds, other);
       insert into daily_rollups (capper_id, sport, market, day, provenance, posted, wins, losses, net_e4, staked_e4, clv_sum, clv_sample,
         clv_same_line_sample)
       values (1, 'nfl', 'moneyline', '2026-01-11', 'imported', 1, 1, 0, 12000, 10000, 476, 1, 1),
         (1, 'nfl', 'spread', '2026-01-11', 'imported', 2, 0, 1, -20000, 20000, 413, 1, 0)`,
    );
    await older.migrate();
    // Decimal 2.2 * 0.45725; 1.9091 at the chance of one point more than an even line, 0.5332; 2.05 at an even chance.
    expect(await owner('board_picks').orderBy('pick_id').pluck('edge_bps')).to.deep.equal([60, 179, 250]);
    const days = await owner('daily_rollups').orderBy('market').select('*');
    expect(days.map(({ clv_same_line_sample, ...day }) => [clv_same_line_sample, day])).to.deep.equal(
      [
        {
          market: 'moneyline',
          ...{ posted: 1, wins: 1, losses: 0, net_e4: 12_000, staked_e4: 10_000 },
          ...{ break_even_e9: 454_545_455, break_even_variance_e9: 247_933_884, net_variance_e6: 1_200_000 },
          ...{ clv_sum: 476, clv_sample: 1, clv_moved_sample: 0, edge_sum: 60, edge_sample: 1 },
        },
        {
          market: 'spread',
          ...{ posted: 2, wins: 0, losses: 1, net_e4: -20_000, staked_e4: 20_000 },
          ...{ break_even_e9: 523_809_524, break_even_variance_e9: 249_433_107, net_variance_e6: 3_636_364 },
          ...{ clv_sum: 0, clv_sample: 0, clv_moved_sample: 1, edge_sum: 179, edge_sample: 1 },
        },
      ].map((day) => [
        undefined,
        {
          capper_id: 1,
          sport: 'nfl',
          day: '2026-01-11',
          provenance: 'imported',
          last_posted_at: null,
          pushes: 0,
          voids: 0,
          late: 0,
          ...day,
        },
      ]),
    );
  });
});
