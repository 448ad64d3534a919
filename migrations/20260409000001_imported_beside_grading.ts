import type { Knex } from 'knex';

const listed = 'from (select distinct game_id from added) a';
const listedOnce = 'where w.at_once or (select';
const marked =
  "from (select game_id, bool_or(provenance = 'imported') as imported from added group by game_id) a";
const always = 'where w.at_once or a.imported or (select';

/**
 * An imported pick, which locks no game, is listed beside what grading takes off the list at that moment: it relied on the row that was
 * just being removed, and then waited until lost games are looked for. And it no longer waits for grading, as the foreign key made it do:
 * a game that picks are on is never removed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table due_games drop constraint due_games_game_id_fkey');
  await rewrite(knex, [
    [listed, marked],
    [listedOnce, always],
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await rewrite(knex, [
    [marked, listed],
    [always, listedOnce],
  ]);
  await knex.raw(
    'alter table due_games add constraint due_games_game_id_fkey foreign key (game_id) references games not valid',
  );
}

async function rewrite(knex: Knex, changes: readonly [from: string, to: string][]): Promise<void> {
  const { rows } = await knex.raw(
    `select pg_get_functiondef('public.picks_posted()'::regprocedure) as definition`,
  );
  let { definition } = rows[0];
  for (const [from, to] of changes) {
    if (!definition.includes(from)) throw new Error(`picks_posted() does not ask: ${from}`);
    definition = definition.replace(from, to);
  }
  await knex.raw(definition.replaceAll('?', '\\?'));
}
