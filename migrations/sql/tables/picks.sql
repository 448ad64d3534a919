-- Picks and their events. These tables are append-only, except for idempotency keys.

create table picks (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  uuid uuid not null unique,
  capper_id int not null references cappers,
  tier tier not null,
  game_id id not null references games,
  starts_at instant_ms,
  market slug not null,
  subject plain_text check (char_length(subject) between 1 and 80),
  side slug not null,
  line_e3 points_e3,
  pick plain_text not null check (char_length(pick) between 1 and 300),
  odds_american american_odds not null,
  stake_e4 int not null check (stake_e4 between 100 and 1000000 and stake_e4 % 100 = 0),
  book slug,
  source slug not null,
  provenance provenance not null,
  posted_at instant_ms not null check (posted_at < starts_at),
  author_key key_id,
  author_nonce text check (author_nonce ~ '^[A-Za-z0-9_-]{16,64}$'),
  author_at instant_ms check (abs(extract(epoch from posted_at - author_at)) <= 120),
  author_signature ed25519_signature,
  author_subject plain_text check (char_length(author_subject) between 1 and 80),
  check (author_subject is null or (author_key is not null and author_subject <> subject)),
  check (num_nulls(author_key, author_nonce, author_at, author_signature) in (0, 4)),
  check (author_key is null or provenance = 'live')
);
comment on table picks is 'Posted picks.';
comment on column picks.tier is 'The tier of the capper at posting.';
comment on column picks.starts_at is 'The start of the game as known at posting.';
comment on column picks.subject is 'The player, team, or question that the market is about. Null for markets about the game itself.';
comment on column picks.pick is 'The selection in words.';
comment on column picks.book is 'The book that offered the odds. Null: none named.';
comment on column picks.source is 'A label that says where the pick came from.';
comment on column picks.author_key is 'The capper''s key that signed the pick. Null: unsigned.';
comment on column picks.author_nonce is 'Chosen by the author. It prevents anyone from posting the signed pick twice.';
comment on column picks.author_subject is 'The subject as the author spelled and signed it. Null: as the game names it.';
comment on column picks.author_at is 'When the author signed the pick, by the author''s clock.';

create index picks_by_game on picks (game_id, capper_id);
create unique index picks_signed_once on picks (author_key, author_nonce) where author_key is not null;

create trigger check_picks after insert on picks referencing new table as added
  for each statement execute function check_picks();
create trigger picks_append_only before update or delete or truncate on picks
  for each statement execute function refuse_change();
create trigger picks_posted after insert on picks referencing new table as added
  for each statement execute function picks_posted();

create table pick_requests (
  idempotency_key text primary key check (char_length(idempotency_key) between 1 and 200),
  fingerprint bytea not null,
  pick_uuid uuid not null,
  posted_at instant not null
);
comment on table pick_requests is 'Idempotency keys of live picks, each with its pick.';
comment on column pick_requests.fingerprint is 'A hash of the request, which distinguishes a repeated request from another pick under the same key.';

create table closings (
  pick_id id primary key references picks,
  closed_at instant_ms not null,
  odds_american american_odds not null,
  line_e3 points_e3,
  book slug,
  captured_at instant_ms not null check (captured_at <= closed_at),
  prices side_prices not null check (jsonb_array_length(prices) <= 10 and octet_length(prices::text) <= 2000),
  clv_bps int not null,
  fair_e9 int check (fair_e9 between 1 and 999999999),
  fair_books int check (fair_books between 1 and 1000),
  edge_method text check (edge_method in ('power', 'margin_model')),
  edge_source text check (edge_source in ('provider', 'hand')),
  last_line_id seq not null,
  check (num_nulls(fair_e9, fair_books, edge_method, edge_source) in (0, 4))
);
comment on table closings is 'The closing price of a pick. A pick without a closing price has no row.';
comment on column closings.closed_at is 'The start of the game.';
comment on column closings.prices is 'The prices of all sides of the market at the closing line: [{"side": "home", "odds_american": -110}].';
comment on column closings.fair_e9 is 'The fair probability of the pick at its own line, in billionths. Null: no book had the whole market.';
comment on column closings.fair_books is 'The number of books of which the fair probability is the median.';
comment on column closings.edge_method is 'How the fair probability was computed: docs/rules/edge.md.';
comment on column closings.edge_source is 'Whether the prices came only from providers, or also from an operator or a file.';
comment on column closings.last_line_id is 'The newest id in lines at closing. Later prices had no effect.';

create trigger closings_append_only before update or delete or truncate on closings
  for each statement execute function refuse_change();
create trigger closings_last_line before insert on closings
  for each row execute function note_last_line();
create trigger picks_closed after insert on closings referencing new table as added
  for each statement execute function picks_closed();

create table settlements (
  pick_id id primary key references picks,
  result pick_result not null,
  half boolean not null default false check (not half or result in ('win', 'loss')),
  settled_at instant_ms not null,
  away_score int check (away_score between 0 and 9999),
  home_score int check (home_score between 0 and 9999),
  sets set_games,
  played extent,
  stat_name slug,
  stat_value_e3 int check (stat_value_e3 between -9999000 and 9999000),
  price_verdict price_verdict,
  price_odds american_odds,
  price_book slug,
  price_captured_at instant_ms,
  price_counted american_odds,
  net_units_e4 safe_integer not null,
  grader slug not null,
  last_line_id seq not null,
  check (num_nulls(price_odds, price_book, price_captured_at)
    = case when price_verdict in ('available', 'above_market') then 0 else 3 end),
  check ((price_counted is null) = (price_verdict is null or price_verdict = 'unseen')),
  check ((away_score is null) = (home_score is null)),
  check ((stat_name is null) = (stat_value_e3 is null))
);
comment on table settlements is 'The result of a pick. A pick settles once.';
comment on column settlements.home_score is 'The score that graded the pick, of the first half for first-half markets. Null if no score graded it.';
comment on column settlements.half is 'Whether only half of the stake counted, and the other half was returned.';
comment on column settlements.sets is 'Games won in each set, home first, if they graded the pick.';
comment on column settlements.played is 'Whether the game went its full distance. Null if not reported.';
comment on column settlements.stat_name is 'The statistic that graded a player market.';
comment on column settlements.stat_value_e3 is 'Its value in thousandths.';
comment on column settlements.price_verdict is 'Whether the price of the pick was on offer. Null for an imported pick.';
comment on column settlements.price_odds is 'The price that the pick was compared with.';
comment on column settlements.price_counted is 'The odds at which the pick counts. Null: the pick''s own, or, if the price is unseen, none.';
comment on column settlements.grader is
  'The basis of the result: score, first_half_score, sets, stat, result, cancelled, postponed, or claim.';
comment on column settlements.last_line_id is 'The newest id in lines at settling.';

create trigger picks_settled after insert on settlements referencing new table as added
  for each statement execute function picks_settled();
create trigger settlements_append_only before update or delete or truncate on settlements
  for each statement execute function refuse_change();
create trigger settlements_last_line before insert on settlements
  for each row execute function note_last_line();

create table claims (
  pick_id id primary key references picks,
  game_id id not null references games,
  result pick_result not null,
  half boolean not null default false check (not half or result in ('win', 'loss')),
  final_at instant_ms not null
);
comment on table claims is
  'Results that imported picks came with. A claim settles its own pick only, while no score, statistic, or result event decides it.';
comment on column claims.half is 'Whether only half of the stake counted.';
comment on column claims.final_at is 'Three hours after the start of the game.';

create index claims_by_game on claims (game_id);

create trigger claims_append_only before update or delete or truncate on claims
  for each statement execute function refuse_change();
create trigger claims_added after insert on claims referencing new table as added
  for each statement execute function results_added();

create table notices (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  at instant_ms not null,
  topic slug not null,
  text plain_text not null check (char_length(text) between 1 and 1000)
);
comment on table notices is 'Corrections and remarks by the operator. Each becomes an entry of the log.';

create unique index notices_corrections on notices (text) where topic = 'correction';

create trigger notices_append_only before update or delete or truncate on notices
  for each statement execute function refuse_change();
create trigger check_notice before insert on notices
  for each row execute function check_notice();
create trigger notices_made after insert on notices
  for each row execute function queue_event('notice');

create table operator_actions (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  at instant not null,
  operator plain_text not null check (char_length(operator) between 1 and 40),
  action slug not null,
  about text not null check (char_length(about) <= 500),
  rows int not null check (rows >= 0),
  request_id text not null check (char_length(request_id) <= 200)
);
comment on table operator_actions is 'Changes requested through the operator''s port, recorded before they are applied.';
comment on column operator_actions.operator is 'The name that belongs to the token.';
comment on column operator_actions.about is 'A summary of the first row.';
comment on column operator_actions.request_id is 'The X-Request-Id, which the process also logs.';

create trigger operator_actions_append_only before update or delete or truncate on operator_actions
  for each statement execute function refuse_change();

create table operator_outcomes (
  action_id id primary key references operator_actions,
  at instant not null,
  counts counts not null,
  refused int not null check (refused >= 0),
  refusals jsonb not null check (jsonb_typeof(refusals) = 'array'),
  picks uuid[] not null
);
comment on table operator_outcomes is
  'The outcome of an action. An action without one failed or was interrupted, and some of its rows could be stored.';
comment on column operator_outcomes.counts is 'Rows by outcome.';
comment on column operator_outcomes.refusals is 'The first 50 refused rows by index, each with the reason.';
comment on column operator_outcomes.picks is 'The picks that were stored.';

create index operator_outcomes_refused on operator_outcomes (action_id) where refused > 0;

create trigger operator_outcomes_append_only before update or delete or truncate on operator_outcomes
  for each statement execute function refuse_change();

create table operator_files (
  id uuid primary key,
  operator plain_text not null check (char_length(operator) between 1 and 40),
  name plain_text not null check (char_length(name) between 1 and 100),
  bytes bytea not null check (octet_length(bytes) between 1 and 8388608),
  kept_at instant not null default clock_timestamp()
);
comment on table operator_files is
  'Files uploaded to the operator''s port, kept for an hour between the dry run and the import. They may be removed at any time.';

create index operator_files_by_operator on operator_files (operator, kept_at);
