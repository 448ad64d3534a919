import type { Knex } from 'knex';

/** An index that is made or removed while others use its table cannot be so in a transaction. */
export const config = { transaction: false };

/** Where two cappers met is read from an index alone, which has what is compared. */
export async function up(knex: Knex): Promise<void> {
  await exchange(knex, '(capper_id, game_id) include (id, market, side)');
}

export async function down(knex: Knex): Promise<void> {
  await exchange(knex, '(capper_id, game_id, id)');
}

/** Begins again where it was interrupted. */
async function exchange(knex: Knex, columns: string): Promise<void> {
  await knex.raw('drop index concurrently if exists picks_by_capper_game_next');
  await knex.raw(`create index concurrently picks_by_capper_game_next on picks ${columns}`);
  await knex.raw('drop index concurrently if exists picks_by_capper_game');
  await knex.raw('alter index picks_by_capper_game_next rename to picks_by_capper_game');
}
