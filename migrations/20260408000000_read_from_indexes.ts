import type { Knex } from 'knex';

/** An index that is made or removed while others use its table cannot be so in a transaction. */
export const config = { transaction: false };

/** What boards read of all of a capper's picks, or of all picks on games of one name, is in the index that finds them. */
const indexes = [
  {
    name: 'board_picks_by_capper_settled',
    before: '(capper_id, settled_at desc, posted_at desc, uuid desc) where result is not null',
    after: `(capper_id, settled_at desc, posted_at desc, uuid desc)
      include (odds_american, stake_e4, result, sport, market, provenance) where result is not null`,
  },
  {
    name: 'board_picks_by_game',
    before: '(game_id, market, side)',
    after: '(game_id, market, side) include (posted_at, uuid)',
  },
];

export async function up(knex: Knex): Promise<void> {
  for (const { name, after } of indexes) await exchange(knex, name, after);
}

export async function down(knex: Knex): Promise<void> {
  for (const { name, before } of indexes) await exchange(knex, name, before);
}

/** Begins again where it was interrupted. */
async function exchange(knex: Knex, name: string, columns: string): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}_next`);
  await knex.raw(`create index concurrently ${name}_next on board_picks ${columns}`);
  await knex.raw(`drop index concurrently if exists ${name}`);
  await knex.raw(`alter index ${name}_next rename to ${name}`);
}
