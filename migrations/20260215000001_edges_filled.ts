import type { Knex } from 'knex';
import { edgeOf } from '../src/rules/edge.ts';
import type { MoneylineWays } from '../src/rules/markets/market.ts';

/** Picks per batch: memory stays bounded, however many there are. */
const batchSize = 10_000;

/**
 * Fills the columns of edges and break-evens, and leaves the CLV of moved lines out of the sums. The boards' reader waits meanwhile; one of
 * the old version fails afterwards, on the column that is gone, instead of adding days of two meanings.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `select from reader_cursors where reader in ('boards', 'checkpoints') order by reader for update`,
  );
  for (let after: number | null = 0; after !== null; ) after = await fillEdges(knex, after);
  await knex.raw(`
    update daily_rollups r set break_even_e9 = s.break_even_e9, break_even_variance_e9 = s.break_even_variance_e9,
      net_variance_e6 = s.net_variance_e6, clv_sum = s.clv_sum, clv_sample = s.clv_sample,
      clv_moved_sample = s.clv_moved_sample, edge_sum = s.edge_sum, edge_sample = s.edge_sample
    from (
      select capper_id, sport, market, provenance, (settled_at at time zone 'America/New_York')::date as day,
        coalesce(sum(round(1e9 * case when odds_american > 0 then 100 else size end / (100 + size))) filter (where decided), 0) as break_even_e9,
        coalesce(sum(round(1e11 * size / ((100 + size)::numeric * (100 + size)))) filter (where decided), 0) as break_even_variance_e9,
        coalesce(sum(case when odds_american > 0 then round(stake_squared * size / 10000) else round(stake_squared / size) end)
          filter (where decided), 0) as net_variance_e6,
        coalesce(sum(clv_bps) filter (where same_line), 0) as clv_sum, count(clv_bps) filter (where same_line) as clv_sample,
        count(clv_bps) filter (where not same_line) as clv_moved_sample,
        coalesce(sum(edge_bps), 0) as edge_sum, count(edge_bps) as edge_sample
      from (
        select *, abs(odds_american) as size, stake_e4::numeric * stake_e4 as stake_squared, result in ('win', 'loss') as decided
        from board_picks where result is not null
      ) b
      group by 1, 2, 3, 4, 5
    ) s
    where (r.capper_id, r.sport, r.market, r.provenance, r.day) = (s.capper_id, s.sport, s.market, s.provenance, s.day);
    alter table daily_rollups drop column clv_same_line_sample;
    comment on column daily_rollups.clv_sum is 'Sum of CLV in basis points over clv_sample.';
    comment on column daily_rollups.clv_sample is 'Settled picks whose closing price is at their own line.';

    create index board_picks_by_capper_same_line_clv on board_picks (capper_id, clv_bps) where clv_bps is not null and same_line;
    drop index board_picks_by_capper_clv;
  `);
}

interface ClosedPick {
  id: string;
  sport: string;
  ways: MoneylineWays;
  market: string;
  side: string;
  line: number | null;
  odds: number;
  closing_line: number | null;
  prices: { side: string; odds_american: number }[];
}

/** @returns the last pick of the batch; `null` where there was none after `after` */
async function fillEdges(knex: Knex, after: number): Promise<number | null> {
  const { rows }: { rows: ClosedPick[] } = await knex.raw(
    `select b.pick_id as id, b.sport, s.moneyline_ways as ways, b.market, b.side, b.line_e3 as line, b.odds_american as odds,
       k.line_e3 as closing_line, k.prices
     from board_picks b join closings k on k.pick_id = b.pick_id join sports s on s.key = b.sport
     where b.pick_id > ? and b.closed_at is not null order by b.pick_id limit ?`,
    [after, batchSize],
  );
  const filled = rows.flatMap((row) => {
    const edge = edgeOf(
      { ...row, lineE3: row.line, oddsAmerican: row.odds, moneylineWays: row.ways },
      {
        lineE3: row.closing_line,
        prices: row.prices.map(({ side, odds_american }) => ({ side, oddsAmerican: odds_american })),
      },
    );
    return edge === null ? [] : [{ id: Number(row.id), bps: edge.bps }];
  });
  await knex.raw(
    `update board_picks b set edge_bps = e.bps from unnest(?::bigint[], ?::int[]) as e (id, bps) where b.pick_id = e.id`,
    [filled.map(({ id }) => id), filled.map(({ bps }) => bps)],
  );
  const last = rows.at(-1);
  return last === undefined ? null : Number(last.id);
}

/** The CLV of moved lines cannot be separated again without its count: the boards are rebuilt. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table daily_rollups add column clv_same_line_sample int not null default 0;
    drop index board_picks_by_capper_same_line_clv;
    create index board_picks_by_capper_clv on board_picks (capper_id, clv_bps) where clv_bps is not null;
    delete from daily_rollups;
    delete from board_picks;
    delete from capper_streaks;
    delete from reader_cursors where reader in ('boards', 'checkpoints');
  `);
}
