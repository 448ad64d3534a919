-- Keys with which cappers sign their picks.

create table capper_invites (
  id int generated always as identity primary key check (id > 0),
  capper_id int not null references cappers,
  token_hash sha256_hash not null unique,
  made_at instant not null,
  expires_at instant not null,
  used_at instant
);
comment on table capper_invites is 'Invitations to cappers to register a key. Each is valid once.';
comment on column capper_invites.token_hash is 'The SHA-256 hash of the token. Only the capper has the token.';

create table capper_keys (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  capper_id int not null references cappers,
  action text not null check (action in ('add', 'revoke')),
  key ed25519_key not null,
  key_id key_id not null check (key_id = encode(sha256(decode(key, 'base64')), 'hex')),
  purpose text not null check (purpose in ('device', 'recovery')),
  first boolean not null,
  at instant_ms not null,
  made_by text not null check (made_by in ('capper', 'operator')),
  possession ed25519_signature,
  endorsed_by key_id,
  endorsement ed25519_signature,
  stored_at instant_ms not null,
  unique (key_id, action),
  check ((action = 'add') = (possession is not null)),
  check ((endorsed_by is null) = (endorsement is null)),
  check (not first or (action = 'add' and endorsed_by is null)),
  check (action = 'revoke' or made_by = 'capper'),
  check (action = 'add' or (made_by = 'capper') = (endorsed_by is not null))
);
comment on table capper_keys is 'Keys of cappers, added and revoked. Each row becomes an entry of the log.';
comment on column capper_keys.first is 'Whether it is the first key of the capper.';
comment on column capper_keys.at is 'When the statement was signed, by its author''s clock.';
comment on column capper_keys.possession is 'The signature of the statement by the added key. Null for a revocation.';
comment on column capper_keys.endorsed_by is 'The capper''s earlier key that also signed the statement.';
comment on column capper_keys.stored_at is 'When the row was stored.';

create index capper_keys_by_capper on capper_keys (capper_id, id);
create unique index capper_keys_first on capper_keys (capper_id) where first;

create trigger capper_keys_append_only before update or delete or truncate on capper_keys
  for each statement execute function refuse_change();
create trigger capper_keys_stored before insert on capper_keys
  for each row execute function note_capper_key();
create trigger capper_keys_made after insert on capper_keys
  for each row execute function queue_event('capper_key');

create table capper_profiles (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  capper_id int not null references cappers,
  key_id key_id not null,
  display_name plain_text check (char_length(display_name) between 1 and 60),
  link text check (link ~ '^https://[!-~]+$' and char_length(link) <= 200),
  about plain_text check (char_length(about) between 1 and 280),
  at instant_ms not null,
  signature ed25519_signature not null,
  stored_at instant_ms not null,
  unique (capper_id, at)
);
comment on table capper_profiles is 'Profiles of cappers, signed by them. Pages show the latest one with a valid signature.';
comment on column capper_profiles.key_id is 'The key that signed the profile.';
comment on column capper_profiles.at is 'When the profile was signed, by its author''s clock.';
comment on column capper_profiles.stored_at is 'When the row was stored.';

create trigger capper_profiles_append_only before update or delete or truncate on capper_profiles
  for each statement execute function refuse_change();
create trigger capper_profiles_stored after insert on capper_profiles
  for each row execute function note_profile();
