import type { Knex } from 'knex';

/** An index that is made or removed while others use its table cannot be so in a transaction. */
export const config = { transaction: false };

/** Where two cappers met is read from `capper_sides`, and nothing else from this index. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists picks_by_capper_game');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists picks_by_capper_game');
  await knex.raw(
    'create index concurrently picks_by_capper_game on picks (capper_id, game_id) include (id, market, side)',
  );
}
