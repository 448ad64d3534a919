import type { Knex } from 'knex';

/**
 * What search looks things up by: names of games and cappers as words, the words themselves, and the first bytes of hashes
 * (docs/decisions/0044-search.md). pg_trgm is a trusted extension: a role that may create schemas in the database may install it. Where it cannot
 * be installed search suggests nothing, and all else works.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function words_of(name text) returns tsvector language sql immutable strict parallel safe as $$
      select pg_catalog.to_tsvector('pg_catalog.simple', pg_catalog.regexp_replace(
        pg_catalog.regexp_replace(pg_catalog.normalize(name, 'NFKD'), '[\\u0300-\\u036F]', '', 'g'),
        '[^a-zA-Z0-9\\u0080-\\uFFFF]+', ' ', 'g'))
    $$;
    comment on function words_of(text) is 'The words of a name, without case, accents and punctuation.';

    create index games_by_words on games using gin (words_of(name));
    create index cappers_by_words on cappers using gin (words_of(handle || ' ' || coalesce(display_name, '')));
    create index ledger_entries_by_hash on ledger_entries (substring(hash from 1 for 8));

    create table search_words (word text not null);
    comment on table search_words is
      'The words of all names of games and cappers. Search looks for the most similar one where a word is unknown. A word may stand twice.';
    create index search_words_by_word on search_words (word text_pattern_ops);
    insert into search_words
      select distinct word
      from (select name from games union all select handle || ' ' || coalesce(display_name, '') from cappers) n
      cross join unnest(tsvector_to_array(words_of(n.name))) as word;

    -- Nothing is unique here, so that transactions that bring the same word do not wait for each other.
    create function games_named() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.search_words
        select distinct w.word from added a cross join unnest(tsvector_to_array(public.words_of(a.name))) as w (word)
        where not exists (select from public.search_words s where s.word = w.word);
      return null;
    end $$;
    comment on function games_named() is 'Adds the words of new games to search_words.';
    create trigger games_named after insert on games
      referencing new table as added for each statement execute function games_named();

    create function cappers_named() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.search_words
        select w.word
        from unnest(tsvector_to_array(public.words_of(new.handle || ' ' || coalesce(new.display_name, '')))) as w (word)
        where not exists (select from public.search_words s where s.word = w.word);
      return null;
    end $$;
    comment on function cappers_named() is 'Adds the words of handles and display names to search_words.';
    create trigger cappers_named after insert or update of display_name on cappers
      for each row execute function cappers_named();

    do $$
    declare its_schema name;
    begin
      create extension if not exists pg_trgm;
      select n.nspname into strict its_schema
        from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
      execute format('create index search_words_by_trigram on search_words using gin (word %I.gin_trgm_ops)', its_schema);
    exception when others then
      raise notice 'search suggests nothing: pg_trgm cannot be installed (%)', sqlerrm;
    end $$;
  `);
}

/** The extension stays: others may use it. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger games_named on games;
    drop trigger cappers_named on cappers;
    drop function games_named(), cappers_named();
    drop table search_words;
    drop index games_by_words, cappers_by_words, ledger_entries_by_hash;
    drop function words_of(text);
  `);
}
