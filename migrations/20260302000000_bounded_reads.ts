import type { Knex } from 'knex';

const projections = {
  pick_blocks: `select (pick_id - 1) / 1000, max(posted_at), max(greatest(posted_at, closed_at, settled_at)) from board_picks group by 1`,
  capper_changes: `select capper_id, max(greatest(posted_at, closed_at, settled_at)) from board_picks group by 1`,
  capper_clv_counts: `select capper_id, sport, clv_bps, count(*) from board_picks where clv_bps is not null and same_line group by 1, 2, 3`,
};

/**
 * What a feed, an export, a sitemap or a CLV board reads no longer grows with the picks that it does not show: feeds of one tier, sport or
 * provenance have an index that holds just those, and what was read from all picks is kept beside them. The order of these indexes is not
 * that of the indexes over all picks (no instant is null), so that the planner cannot take those in their place.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `select from reader_cursors where reader in ('boards', 'checkpoints') order by reader for update`,
  );
  await knex.raw(`
    create index board_picks_by_feed on board_picks (tier, sport, provenance, posted_at desc nulls last, uuid);
    drop index board_picks_by_tier;
    create index board_picks_by_feed_settled
      on board_picks (sport, provenance, settled_at desc nulls last, posted_at desc, uuid) where result is not null;
    drop index board_picks_by_sport_settled;
    create index board_picks_by_sport on board_picks (sport, pick_id);
    create index picks_by_capper_game on picks (capper_id, game_id, id);

    create table pick_blocks (
      block bigint primary key,
      last_posted_at timestamptz not null,
      changed_at timestamptz not null
    ) with (fillfactor = 70);
    comment on table pick_blocks is
      'Of each thousand picks by id when one was posted last and when one changed last, kept by the same reader. Can be rebuilt.';
    comment on column pick_blocks.block is '0 holds the ids 1 to 1000, 1 those to 2000, and so on.';
    comment on column pick_blocks.changed_at is 'When one was posted, closed or settled last.';

    create table capper_changes (
      capper_id int primary key,
      changed_at timestamptz not null
    ) with (fillfactor = 70);
    comment on table capper_changes is
      'When a pick of each capper was posted, closed or settled last, kept by the same reader. Can be rebuilt.';

    create table capper_clv_counts (
      capper_id int not null,
      sport text not null,
      clv_bps int not null,
      picks int not null,
      primary key (capper_id, sport, clv_bps)
    ) with (fillfactor = 70);
    comment on table capper_clv_counts is
      'How many picks of each capper and sport closed at their own line with a CLV, kept by the same reader. Can be rebuilt.';
  `);
  for (const [table, rows] of Object.entries(projections)) await knex.raw(`insert into ${table} ${rows}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table pick_blocks, capper_changes, capper_clv_counts;
    create index board_picks_by_tier on board_picks (tier, posted_at desc, uuid);
    drop index board_picks_by_feed;
    create index board_picks_by_sport_settled
      on board_picks (sport, settled_at desc, posted_at desc, uuid) where result is not null;
    drop index board_picks_by_feed_settled;
    drop index board_picks_by_sport;
    drop index picks_by_capper_game;
  `);
}
