import type { Knex } from 'knex';

/** Where two cappers met is read from an index alone, which has what is compared. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index picks_by_capper_game;
    create index picks_by_capper_game on picks (capper_id, game_id) include (id, market, side);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index picks_by_capper_game;
    create index picks_by_capper_game on picks (capper_id, game_id, id);
  `);
}
