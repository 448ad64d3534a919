import type { Knex } from 'knex';

/** Lists the games whose prices were stored before `priced_games` was there: one look into an index for each game, and no lock on prices. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into priced_games (game_id)
    select g.id from games g where exists (select from lines l where l.game_id = g.id) on conflict do nothing
  `);
}

/** The list may stay. */
export async function down(): Promise<void> {}
