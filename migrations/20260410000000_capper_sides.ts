import type { Knex } from 'knex';

/** What two cappers share is read from a row for each 256 of their picks in place of an entry of an index for each. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    select from reader_cursors where reader in ('boards', 'checkpoints') order by reader for update;

    create table capper_sides (
      capper_id int not null,
      block int not null,
      sides text not null,
      picks bytea not null
    );
    comment on table capper_sides is
      'Which sides of which games each capper has picks on, of each full 256 picks of his chain, kept by the same reader. Can be rebuilt.';
    comment on column capper_sides.block is '0 is of picks 1 to 256.';
    comment on column capper_sides.sides is 'Each market/side once, in order, with spaces between.';
    comment on column capper_sides.picks is 'Five bytes a pick: its game, and the place of its side, from 0.';
    insert into capper_sides (capper_id, block, sides, picks)
      select capper_id, block, string_agg(distinct side, ' ' order by side),
        string_agg(int4send(game_id::int) || set_byte('\\x00', 0, place::int), '' order by capper_seq)
      from (
        select capper_id, block, capper_seq, game_id, side, dense_rank() over (partition by capper_id, block order by side) - 1 as place
        from (
          select b.capper_id, (e.capper_seq - 1) / 256 as block, e.capper_seq, b.game_id, (b.market || '/' || b.side) collate "C" as side
          from ledger_entries e join board_picks b on b.pick_id = e.pick_id
          where e.kind = 'posted' and e.seq < (select next_seq from reader_cursors where reader = 'boards')
        ) p
      ) q
      group by capper_id, block having count(*) = 256 order by capper_id, block;
    alter table capper_sides add primary key (capper_id, block);
    analyze capper_sides;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table capper_sides');
}
