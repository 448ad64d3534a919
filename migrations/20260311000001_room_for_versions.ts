import type { Knex } from 'knex';

/**
 * The first checkpoint that covers a pick writes a second version of its row, soon after the first one and for all rows of a page together.
 * In a page without room each version went elsewhere, and so into all indexes. No index has what changes then: half a page is enough for
 * it to be written in place.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table board_picks set (fillfactor = 50)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table board_picks reset (fillfactor)');
}
