import type { Knex } from 'knex';

/** An index that is made or removed while others use its table cannot be so in a transaction. */
export const config = { transaction: false };

/** The picks on games since an instant are a range of each game, and not all of its picks. */
export async function up(knex: Knex): Promise<void> {
  await exchange(knex, '(game_id, posted_at, uuid) include (market, side)');
}

export async function down(knex: Knex): Promise<void> {
  await exchange(knex, '(game_id, market, side) include (posted_at, uuid)');
}

/** Begins again where it was interrupted. */
async function exchange(knex: Knex, columns: string): Promise<void> {
  await knex.raw('drop index concurrently if exists board_picks_by_game_next');
  await knex.raw(`create index concurrently board_picks_by_game_next on board_picks ${columns}`);
  await knex.raw('drop index concurrently if exists board_picks_by_game');
  await knex.raw('alter index board_picks_by_game_next rename to board_picks_by_game');
}
