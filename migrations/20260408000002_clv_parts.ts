import type { Knex } from 'knex';

const values = 16;
const each = (count: (place: number) => string) =>
  `array[${Array.from({ length: values }, (_, index) => count(index)).join(', ')}]`;

/** Sixteen values of CLV in a row: a board reads a block for each row of a capper, and a value had a row of its own. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    select from reader_cursors where reader in ('boards', 'checkpoints') order by reader for update;

    alter table capper_clv_counts rename to capper_clv_values;
    alter index capper_clv_counts_pkey rename to capper_clv_values_pkey;
    create table capper_clv_counts (
      capper_id int not null,
      sport text not null,
      from_bps int not null,
      picks int[] not null
    ) with (fillfactor = 70);
    comment on table capper_clv_counts is
      'How many picks of each capper and sport closed at their own line with a CLV, kept by the same reader. Can be rebuilt.';
    comment on column capper_clv_counts.from_bps is 'The first of ${values} values of CLV, a multiple of ${values}.';
    comment on column capper_clv_counts.picks is 'Of each of these values.';
    insert into capper_clv_counts (capper_id, sport, from_bps, picks)
      select capper_id, sport, clv_bps & ${-values} as from_bps,
        ${each((place) => `coalesce(sum(picks) filter (where clv_bps & ${values - 1} = ${place}), 0)`)}::int[]
      from capper_clv_values group by 1, 2, 3 order by 1, 2, 3;
    alter table capper_clv_counts add primary key (capper_id, sport, from_bps);
    drop table capper_clv_values;
    analyze capper_clv_counts;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    select from reader_cursors where reader in ('boards', 'checkpoints') order by reader for update;

    alter table capper_clv_counts rename to capper_clv_parts;
    alter index capper_clv_counts_pkey rename to capper_clv_parts_pkey;
    create table capper_clv_counts (
      capper_id int not null,
      sport text not null,
      clv_bps int not null,
      picks int not null,
      primary key (capper_id, sport, clv_bps)
    ) with (fillfactor = 70);
    comment on table capper_clv_counts is
      'How many picks of each capper and sport closed at their own line with a CLV, kept by the same reader. Can be rebuilt.';
    insert into capper_clv_counts (capper_id, sport, clv_bps, picks)
      select p.capper_id, p.sport, p.from_bps + c.place - 1, c.picks
      from capper_clv_parts p cross join unnest(p.picks) with ordinality as c (picks, place) where c.picks > 0;
    drop table capper_clv_parts;
  `);
}
