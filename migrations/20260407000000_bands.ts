import type { Knex } from 'knex';

const american = 'abs(b.odds_american)';
const stakeSquared = 'b.stake_e4::numeric * b.stake_e4';
const decided = (sum: string) => `coalesce(sum(${sum}) filter (where b.result in ('win', 'loss')), 0)`;
const count = (of: string) => `count(*) filter (where ${of})`;

/** What is summed, as the boards' reader does. */
const sums = {
  wins: count(`b.result = 'win'`),
  losses: count(`b.result = 'loss'`),
  pushes: count(`b.result = 'push'`),
  voids: count(`b.result = 'void'`),
  net_e4: 'coalesce(sum(b.net_units_e4), 0)',
  staked_e4: decided('b.stake_e4'),
  break_even_e9: decided(
    `round(1e9 * case when b.odds_american > 0 then 100 else ${american} end / (100 + ${american}))`,
  ),
  break_even_variance_e9: decided(
    `round(1e11 * ${american} / ((100 + ${american})::numeric * (100 + ${american})))`,
  ),
  net_variance_e6: decided(
    `case when b.odds_american > 0 then round(${stakeSquared} * ${american} / 10000) else round(${stakeSquared} / ${american}) end`,
  ),
  clv_sum: 'coalesce(sum(b.clv_bps) filter (where b.same_line), 0)',
  clv_sample: count('b.clv_bps is not null and b.same_line'),
  clv_moved_sample: count('b.clv_bps is not null and not b.same_line'),
  edge_sum: 'coalesce(sum(b.edge_bps), 0)',
  edge_sample: 'count(b.edge_bps)',
  late: count(`b.sealed_in_time = 'late'`),
};

const eastern = `b.settled_at at time zone 'America/New_York'`;

/** What each table is by. */
const tables = {
  capper_bands: {
    ...{ capper_id: 'b.capper_id', sport: 'b.sport', market: 'b.market', provenance: 'b.provenance' },
    odds_band: 'width_bucket(b.odds_american, array[-300, -200, -150, -120, -100, 121, 151, 201, 301])',
    stake_band: 'width_bucket(b.stake_e4, array[10000, 20000, 30000, 50000])',
  },
  capper_months: {
    ...{ capper_id: 'b.capper_id', provenance: 'b.provenance' },
    month: `date_trunc('month', ${eastern})::date`,
  },
};

/**
 * Sums by price and stake, and by month: a capper's record in each is read from some hundred rows in place of all settled picks, and of two
 * years of days.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `select from reader_cursors where reader in ('boards', 'checkpoints') order by reader for update`,
  );
  await knex.raw(`
    create table capper_bands (like capper_totals including defaults including constraints including comments) with (fillfactor = 70);
    alter table capper_bands
      drop column posted, drop column last_posted_at, add column odds_band smallint not null, add column stake_band smallint not null;
    comment on table capper_bands is
      'Sums over settled picks per capper, sport, market and bands of price and stake, kept by the same reader. Can be rebuilt.';
    comment on column capper_bands.odds_band is
      '0 is of prices up to -301; 1 to 9 begin at -300, -200, -150, -120, -100, 121, 151, 201 and 301.';
    comment on column capper_bands.stake_band is '0 is of stakes below a unit; 1 to 4 begin at 1, 2, 3 and 5 units.';

    create table capper_months (like capper_bands including defaults including constraints including comments) with (fillfactor = 70);
    alter table capper_months
      drop column sport, drop column market, drop column odds_band, drop column stake_band, add column month date not null;
    comment on table capper_months is
      'Sums over settled picks per capper and Eastern month of settling, kept by the same reader. Can be rebuilt.';
    comment on column capper_months.month is 'Its first day.';
  `);
  // Enough for some hundred thousand sums; what is more goes to the disk.
  await knex.raw(`set local work_mem = '64MB'`);
  for (const [table, by] of Object.entries(tables)) {
    const keys = Object.keys(by).join(', ');
    await knex.raw(`
      insert into ${table} (${keys}, ${Object.keys(sums).join(', ')})
        select ${[...Object.values(by), ...Object.values(sums)].join(', ')}
        from board_picks b where b.result is not null
        group by ${Object.values(by).join(', ')} order by ${Object.values(by).join(', ')};
      alter table ${table} add primary key (${keys});
    `);
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table capper_bands, capper_months');
}
