import type { Knex } from 'knex';

/** What is summed, and how. */
const sums = {
  posted: 'sum',
  last_posted_at: 'max',
  wins: 'sum',
  losses: 'sum',
  pushes: 'sum',
  voids: 'sum',
  net_e4: 'sum',
  staked_e4: 'sum',
  break_even_e9: 'sum',
  break_even_variance_e9: 'sum',
  net_variance_e6: 'sum',
  clv_sum: 'sum',
  clv_sample: 'sum',
  clv_moved_sample: 'sum',
  edge_sum: 'sum',
  edge_sample: 'sum',
  late: 'sum',
};

const tables = {
  capper_totals: ['capper_id', 'sport', 'market', 'provenance'],
  sport_days: ['day', 'sport', 'market', 'provenance'],
};

/**
 * Sums of the days: leaderboards and records over everything read one row a capper, sport and market instead of all days, and those over all
 * cappers one row a sport, market and day. A capper's own days come in the order of days, so that a window of them is one range.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `select from reader_cursors where reader in ('boards', 'checkpoints') order by reader for update`,
  );
  for (const [table, by] of Object.entries(tables)) {
    const columns = Object.entries(sums).map(([column, sum]) => `${sum}(${column})`);
    await knex.raw(`
      create table ${table} (like daily_rollups including defaults including constraints including comments) with (fillfactor = 70);
      ${table === 'sport_days' ? 'alter table sport_days drop column capper_id' : 'alter table capper_totals drop column day'};
      alter table ${table} add primary key (${by.join(', ')});
      insert into ${table} (${by.join(', ')}, ${Object.keys(sums).join(', ')})
        select ${by.join(', ')}, ${columns.join(', ')} from daily_rollups group by ${by.join(', ')};
    `);
  }
  await knex.raw(`
    comment on table capper_totals is 'daily_rollups summed over all days, kept by the same reader. Can be rebuilt.';
    comment on table sport_days is 'daily_rollups summed over all cappers, kept by the same reader. Can be rebuilt.';
    alter table daily_rollups drop constraint daily_rollups_pkey, add primary key (capper_id, day, sport, market, provenance);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table daily_rollups drop constraint daily_rollups_pkey, add primary key (capper_id, sport, market, day, provenance);
    drop table capper_totals, sport_days;
  `);
}
