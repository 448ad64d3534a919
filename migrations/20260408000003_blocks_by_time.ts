import type { Knex } from 'knex';

/** An index that is made or removed while others use its table cannot be so in a transaction. */
export const config = { transaction: false };

const name = 'pick_blocks_by_last_posted_at';

/** Where an export since an instant begins was looked for block by block: 3 ms of ten million picks. Begins again where it was interrupted. */
export async function up(knex: Knex): Promise<void> {
  await down(knex);
  await knex.raw(`create index concurrently ${name} on pick_blocks (last_posted_at, block)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}`);
}
