import type { Knex } from 'knex';

/** The boards know how a pick came in, when a checkpoint first covered it, and whether that was before the start. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table board_picks
      add column provenance text not null default 'imported' check (provenance in ('live', 'imported')),
      add column sealed_at timestamptz,
      add column sealed_in_time text check (sealed_in_time in ('witnessed', 'signed', 'late')),
      add check (sealed_in_time is null or (sealed_at is not null and provenance = 'live'));
    update board_picks b set provenance = 'live' from picks p where p.id = b.pick_id and p.provenance = 'live';
    alter table board_picks alter column provenance drop default;
    comment on column board_picks.sealed_at is 'When the first checkpoint that covers the pick was signed.';
    comment on column board_picks.sealed_in_time is
      'Of a live pick: witnessed or only signed before the start that it names, or late. Null: no checkpoint yet, or no start.';

    alter table daily_rollups
      add column provenance text not null default 'imported' check (provenance in ('live', 'imported')),
      add column late int not null default 0;
    alter table daily_rollups drop constraint daily_rollups_pkey,
      add primary key (capper_id, sport, market, day, provenance);
    alter table daily_rollups alter column provenance drop default;
    comment on column daily_rollups.late is 'Settled picks that no checkpoint covered before the start.';

    -- Where there are live picks, the sums are made again from what they were made of.
    delete from daily_rollups where exists (select from board_picks where provenance = 'live');
    insert into daily_rollups (capper_id, sport, market, provenance, day, posted, last_posted_at, wins, losses, pushes, voids, net_e4,
      staked_e4, clv_sum, clv_sample, clv_same_line_sample)
    select capper_id, sport, market, provenance, day, sum(posted), max(last_posted_at), sum(wins), sum(losses), sum(pushes), sum(voids),
      sum(net_e4), sum(staked_e4), sum(clv_sum), sum(clv_sample), sum(clv_same_line_sample)
    from (
      select capper_id, sport, market, provenance, (posted_at at time zone 'America/New_York')::date as day, 1 as posted,
        posted_at as last_posted_at, 0 as wins, 0 as losses, 0 as pushes, 0 as voids, 0 as net_e4, 0 as staked_e4, 0 as clv_sum,
        0 as clv_sample, 0 as clv_same_line_sample
      from board_picks
      union all
      select capper_id, sport, market, provenance, (settled_at at time zone 'America/New_York')::date, 0, null,
        (result = 'win')::int, (result = 'loss')::int, (result = 'push')::int, (result = 'void')::int, net_units_e4,
        case when result in ('win', 'loss') then stake_e4 else 0 end, coalesce(clv_bps, 0), (clv_bps is not null)::int,
        (clv_bps is not null and same_line)::int
      from board_picks where result is not null
    ) events
    where not exists (select from daily_rollups)
    group by capper_id, sport, market, provenance, day;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table board_picks drop column provenance, drop column sealed_at, drop column sealed_in_time;
    delete from daily_rollups;
    delete from board_picks;
    delete from capper_streaks;
    delete from reader_cursors where reader in ('boards', 'checkpoints');
    alter table daily_rollups drop column provenance, drop column late, add primary key (capper_id, sport, market, day);
  `);
}
