import type { Knex } from 'knex';

/**
 * What two cappers share is read from two bytes a pick in place of five. `capper_sides` stays for the release before, which reads from the
 * log what its rows do not have; a later release drops it. The boards worker fills the new table at its start, and until then the log stands
 * in for it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table capper_games (
      capper_id int not null,
      block int not null,
      sides text not null,
      last_game bigint not null,
      picks text not null,
      first_posted_at timestamptz not null,
      last_posted_at timestamptz not null,
      primary key (capper_id, block)
    );
    comment on table capper_games is
      'Which sides of which games each capper has picks on, of each full 256 picks of his chain, kept by the same reader. Can be rebuilt.';
    comment on column capper_games.block is '0 is of picks 1 to 256.';
    comment on column capper_games.sides is 'Each market/side once, in order, with spaces between.';
    comment on column capper_games.picks is
      'Two numbers a pick: from the game before, or the last, how far down to its game; and the place of its side, from 0. The last game first, on one game the latest pick. A number is a character from ! on, or beyond 92 ~ and eight hexadecimal digits.';
    comment on table capper_sides is
      'What capper_games holds, as the release before keeps it; nothing else reads it.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table capper_games;
    comment on table capper_sides is
      'Which sides of which games each capper has picks on, of each full 256 picks of his chain, kept by the same reader. Can be rebuilt.';
  `);
}
