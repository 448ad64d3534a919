-- Work lists. Triggers fill them in the transaction of the event, so that no event is lost.

create table unsealed_events (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  kind event_kind not null,
  subject_id id not null
);
comment on table unsealed_events is 'Stored events without an entry in the log, in the order in which they were stored.';
comment on column unsealed_events.subject_id is 'The id of the pick, signing key, notice, move of a start, capper''s key, or join.';

create trigger check_unsealed_removed after delete on unsealed_events referencing old table as removed
  for each statement execute function check_unsealed_removed();
create trigger unsealed_events_append_only before update or truncate on unsealed_events
  for each statement execute function refuse_change();

create table events_set_aside (
  id id primary key,
  kind event_kind not null,
  subject_id id not null,
  reason plain_text not null check (char_length(reason) between 1 and 1000),
  set_aside_at instant not null default clock_timestamp()
);
comment on table events_set_aside is
  'Events that cannot be sealed, with the reason. Normally empty; `npm run cli -- events` puts them back.';
comment on column events_set_aside.id is 'The id that the event had in unsealed_events.';

create index events_set_aside_by_subject on events_set_aside (subject_id);

create trigger events_set_aside_append_only before update or truncate on events_set_aside
  for each statement execute function refuse_change();

create table rows_set_aside (
  table_name slug not null,
  row plain_text not null check (char_length(row) between 1 and 200),
  reason plain_text not null check (char_length(reason) between 1 and 1000),
  set_aside_at instant not null default clock_timestamp(),
  primary key (table_name, row)
);
comment on table rows_set_aside is
  'Rows outside the ledger that the service did not store, and that it ignored or rebuilt. Normally empty; `npm run cli -- events` deletes the list.';
comment on column rows_set_aside.row is 'The name of the row.';

create trigger rows_set_aside_append_only before update or truncate on rows_set_aside
  for each statement execute function refuse_change();

create table pending_picks (
  pick_id id primary key references picks,
  game_id id not null references games,
  market slug not null,
  subject plain_text,
  side slug not null,
  closed boolean not null default false
);
comment on table pending_picks is 'Picks without a settlement.';

create index pending_picks_by_game on pending_picks (game_id);

create table due_games (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  game_id id not null,
  due_at instant not null
);
comment on table due_games is 'Games with pending picks, and when each is due for grading.';
comment on column due_games.due_at is 'The start of the game, or 1970 for a game with new data, which is due at once.';

create index due_games_by_game on due_games (game_id);
create index due_games_by_time on due_games (due_at, game_id);

create table open_imports (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  until instant not null
);
comment on table open_imports is
  'Imports of files in progress. Grading skips games with imported picks until the imports end or expire.';

create table waiting_imports (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  due_at instant not null,
  about plain_text not null check (char_length(about) between 1 and 200),
  picks int not null check (picks >= 0),
  rows jsonb not null check (jsonb_typeof(rows) = 'array' and octet_length(rows::text) <= 134217728)
);
comment on table waiting_imports is
  'Picks and results of sheets that were read with assumptions, until they are stored or withdrawn. Nothing of it is public.';
comment on column waiting_imports.rows is 'Rows by file and kind, each with its line.';

create index waiting_imports_due on waiting_imports (due_at);

create table priced_games (
  game_id id primary key references games on delete cascade
);
comment on table priced_games is 'Games with prices that can repeat their neighbors. The grading worker removes such prices, and the row.';

create table world_changes (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  subject text not null check (subject in ('game', 'capper', 'prices')),
  subject_id id not null
);
comment on table world_changes is 'Changed games and cappers, which make boards stale, and games with pending picks and new prices.';
