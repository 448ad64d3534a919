create or replace function note_game_name() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into search_words
    select w.word from unnest(tsvector_to_array(words_of(new.name))) as w (word)
    where not exists (select from search_words s where s.word = w.word);
  return null;
end $$;
comment on function note_game_name() is 'Adds the words of a game''s name to search_words.';
