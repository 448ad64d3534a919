import type { Knex } from 'knex';

/** An index that is made or removed while others use its table cannot be so in a transaction. */
export const config = { transaction: false };

/** A name may stand twice: nothing is unique, so that transactions that bring the same name do not wait for each other. */
const addName = (games: string) => `
      insert into public.game_names (sport, name)
        select distinct g.sport, g.name from ${games} g
        where not exists (select from public.game_names n where n.sport = g.sport and n.name = g.name);`;

/**
 * Search looks names up among the different ones, and their games by an index that has what decides which are shown, so that it costs what
 * there are names and not what there are games.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table if not exists game_names (sport text not null, name text not null);
    comment on table game_names is
      'The different names of games, former ones too. Search looks them up by their words. A name may stand twice.';
    create index if not exists game_names_by_name on game_names (sport, name);
    create index if not exists game_names_by_words on game_names using gin (words_of(name));
    ${functions({ added: addName('added'), renamed: addName('(select new.sport, new.name)') })}
    comment on function games_named() is 'Adds the words of new games to search_words, and their names to game_names.';
    comment on function game_renamed() is 'Adds the words of a changed name to search_words, and the name to game_names.';
  `);
  // This waits for transactions that have brought games while the functions were the former ones: all games are there to be read then.
  await exchange(knex, '(sport, lower(name), starts_at) include (id, name)');
  await knex.raw(addName('public.games'));
  await knex.raw('analyze game_names');
}

export async function down(knex: Knex): Promise<void> {
  await exchange(knex, '(sport, lower(name))');
  await knex.raw(`
    ${functions({ added: '', renamed: '' })}
    comment on function games_named() is 'Adds the words of new games to search_words.';
    comment on function game_renamed() is 'Adds the words of a changed name to search_words.';
    drop table game_names;
  `);
}

/** Begins again where it was interrupted. */
async function exchange(knex: Knex, columns: string): Promise<void> {
  await knex.raw('drop index concurrently if exists games_by_folded_name_next');
  await knex.raw(`create index concurrently games_by_folded_name_next on games ${columns}`);
  await knex.raw('drop index concurrently if exists games_by_folded_name');
  await knex.raw('alter index games_by_folded_name_next rename to games_by_folded_name');
}

function functions({ added, renamed }: { added: string; renamed: string }): string {
  return `
    create or replace function games_named() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.search_words
        select distinct w.word from added a cross join unnest(tsvector_to_array(public.words_of(a.name))) as w (word)
        where not exists (select from public.search_words s where s.word = w.word);${added}
      return null;
    end $$;

    create or replace function game_renamed() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.search_words
        select w.word from unnest(tsvector_to_array(public.words_of(new.name))) as w (word)
        where not exists (select from public.search_words s where s.word = w.word);${renamed}
      return null;
    end $$;
  `;
}
