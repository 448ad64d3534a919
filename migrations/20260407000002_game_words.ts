import type { Knex } from 'knex';

/**
 * The words of a game's name are stored beside it: games that a search comes by are compared at once, in place of making the words of each
 * name again. All words of names are in search_words now, of names that were changed too, so that search can look up which words a beginning
 * stands for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index games_by_words;
    alter table games add column words tsvector not null generated always as (words_of(name)) stored;
    comment on column games.words is 'The words of the name, which search looks for.';
    create index games_by_words on games using gin (words);

    create or replace function games_named() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.search_words
        select distinct w.word from added a cross join unnest(tsvector_to_array(a.words)) as w (word)
        where not exists (select from public.search_words s where s.word = w.word);
      return null;
    end $$;

    create function game_renamed() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.search_words
        select w.word from unnest(tsvector_to_array(new.words)) as w (word)
        where not exists (select from public.search_words s where s.word = w.word);
      return null;
    end $$;
    comment on function game_renamed() is 'Adds the words of a changed name to search_words.';
    create trigger game_renamed after update of name on games
      for each row when (new.name is distinct from old.name) execute function game_renamed();

    insert into search_words
      select word from (
        select unnest(tsvector_to_array(words)) from games
        union
        select unnest(tsvector_to_array(words_of(handle || ' ' || coalesce(display_name, '')))) from cappers
      ) w (word)
      where not exists (select from search_words s where s.word = w.word);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger game_renamed on games;
    drop function game_renamed();
    create or replace function games_named() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.search_words
        select distinct w.word from added a cross join unnest(tsvector_to_array(public.words_of(a.name))) as w (word)
        where not exists (select from public.search_words s where s.word = w.word);
      return null;
    end $$;
    drop index games_by_words;
    alter table games drop column words;
    create index games_by_words on games using gin (words_of(name));
  `);
}
