-- Indexes depend on this function: changing it requires a reindex.
create or replace function words_of(name text) returns tsvector
  language sql immutable parallel safe strict as $$
  select pg_catalog.to_tsvector('pg_catalog.simple', pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(pg_catalog.normalize(name, 'NFKD'), '[\u0300-\u036F]', '', 'g'),
    '[^a-zA-Z0-9\u0080-\uFFFF]+', ' ', 'g'))
$$;
comment on function words_of(text) is 'Returns the words of a name without case, accents, and punctuation.';
