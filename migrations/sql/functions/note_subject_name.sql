create or replace function note_subject_name() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into search_words
    select w.word from unnest(tsvector_to_array(words_of(new.subject))) as w (word)
    where not exists (select from search_words s where s.word = w.word);
  return null;
end $$;
comment on function note_subject_name() is 'Adds the words of a player''s or other subject''s name to search_words.';
