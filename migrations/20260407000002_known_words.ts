import type { Knex } from 'knex';

/** All words of names are in search_words, those of changed names too, so that search can look up which words a beginning stands for. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into search_words
      select word from (
        select unnest(tsvector_to_array(words_of(name))) from games
        union
        select unnest(tsvector_to_array(words_of(handle || ' ' || coalesce(display_name, '')))) from cappers
      ) w (word)
      where not exists (select from search_words s where s.word = w.word);

    create function game_renamed() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.search_words
        select w.word from unnest(tsvector_to_array(public.words_of(new.name))) as w (word)
        where not exists (select from public.search_words s where s.word = w.word);
      return null;
    end $$;
    comment on function game_renamed() is 'Adds the words of a changed name to search_words.';
    create trigger game_renamed after update of name on games
      for each row when (new.name is distinct from old.name) execute function game_renamed();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger game_renamed on games;
    drop function game_renamed();
  `);
}
