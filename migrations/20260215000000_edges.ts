import type { Knex } from 'knex';

/** Columns for edges and for records against the price. The next migration fills them, so that these locks are short. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table board_picks add column edge_bps int;
    comment on column board_picks.edge_bps is
      'The edge against the no-vig closing probability at the own line, in basis points. Null: none, or not closed.';

    alter table daily_rollups
      add column break_even_e9 bigint not null default 0,
      add column break_even_variance_e9 bigint not null default 0,
      add column net_variance_e6 bigint not null default 0,
      add column clv_moved_sample int not null default 0,
      add column edge_sum bigint not null default 0,
      add column edge_sample int not null default 0;
    comment on column daily_rollups.break_even_e9 is 'Sum of p = 1/decimal over wins and losses, each in billionths.';
    comment on column daily_rollups.break_even_variance_e9 is 'Sum of p * (1 - p) over wins and losses, each in billionths.';
    comment on column daily_rollups.net_variance_e6 is
      'Sum of stake^2 * (decimal - 1) over wins and losses, each in millionths: the variance of net units if chance decided.';
    comment on column daily_rollups.clv_moved_sample is 'Settled picks whose closing price is at another line than theirs.';
    comment on column daily_rollups.edge_sum is 'Sum of edges in basis points.';
    comment on column daily_rollups.edge_sample is 'Settled picks that have an edge.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table board_picks drop column edge_bps;
    alter table daily_rollups drop column break_even_e9, drop column break_even_variance_e9, drop column net_variance_e6,
      drop column clv_moved_sample, drop column edge_sum, drop column edge_sample;
  `);
}
