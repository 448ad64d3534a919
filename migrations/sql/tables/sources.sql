-- Providers: their reports and polls.

create table source_runs (
  source plain_text primary key check (char_length(source) between 1 and 100),
  ran_at instant,
  ok boolean not null,
  message plain_text not null check (char_length(message) between 1 and 500),
  succeeded_at instant,
  failures int not null check (failures >= 0),
  next_at instant,
  quota_remaining int,
  quota_used int,
  quota_from instant,
  quota_at_start int,
  etag text,
  last_modified text,
  key_hash text,
  listed int check (listed >= 0),
  listed_usually int check (listed_usually >= 0),
  usual_at instant,
  left_out counts not null default '{}'
);
comment on table source_runs is 'The last poll of each source.';
comment on column source_runs.failures is 'Number of consecutive failed polls.';
comment on column source_runs.next_at is 'When the source is polled next.';
comment on column source_runs.listed is 'Number of games in a schedule''s last response.';
comment on column source_runs.listed_usually is 'Number of games in a response about a day earlier, for comparison.';
comment on column source_runs.usual_at is 'When that response arrived.';
comment on column source_runs.left_out is 'Number of items that the last poll left out, by reason.';

create table source_requests (
  source plain_text not null check (char_length(source) between 1 and 100),
  request plain_text not null check (char_length(request) between 1 and 100),
  asked_at instant not null,
  etag text,
  last_modified text,
  refusal plain_text check (char_length(refusal) between 1 and 300),
  finding plain_text check (char_length(finding) between 1 and 300),
  found_at instant,
  primary key (source, request),
  check ((finding is null) = (found_at is null))
);
comment on table source_requests is 'The last request of each kind to a feed. Kept for two days, and for thirty if it was for a past day.';
comment on column source_requests.request is 'The form of the request and its span, such as month 202611.';
comment on column source_requests.refusal is 'Why the source does not answer requests of this form. It is tried again after a day.';
comment on column source_requests.finding is 'What is wrong with the answer, although it can be read.';
comment on column source_requests.found_at is 'When that was found first.';

create table source_days (
  source plain_text not null check (char_length(source) between 1 and 100),
  day day not null,
  requests int not null default 0 check (requests >= 0),
  listed int check (listed >= 0),
  seen_at instant,
  had text[] not null default '{}',
  lacked text[] not null default '{}',
  primary key (source, day),
  check ((listed is null) = (seen_at is null))
);
comment on table source_days is 'What a feed listed for each day, to notice answers that changed. Kept for four weeks.';
comment on column source_days.requests is 'Number of requests made on that day.';
comment on column source_days.listed is 'Number of games that the last sound answer listed for that day.';
comment on column source_days.seen_at is 'When that answer arrived.';
comment on column source_days.had is 'Fields that finished games had in answers of that day.';
comment on column source_days.lacked is 'Fields that no finished game had.';

create table source_events (
  source plain_text not null check (char_length(source) between 1 and 100),
  event_id plain_text not null check (char_length(event_id) between 1 and 400),
  game_id id not null references games,
  starts_at instant_ms not null,
  seen_at instant not null,
  missed int not null default 0 check (missed >= 0),
  missed_since instant,
  score_asks int not null default 0 check (score_asks >= 0),
  primary key (source, event_id, game_id),
  check ((missed > 0) = (missed_since is not null))
);
comment on table source_events is 'The game of each event of a source, by its opponents, and the start that the source last gave.';
comment on column source_events.missed is 'Number of consecutive responses without the event, or with other opponents.';
comment on column source_events.missed_since is 'When the first of these responses arrived.';
comment on column source_events.score_asks is 'Number of requests for the event''s score, which is limited.';

create index source_events_by_game on source_events (game_id);
create index source_events_by_start on source_events (source, starts_at);

create table source_scores (
  game_id id not null references games on delete cascade,
  source plain_text not null check (char_length(source) between 1 and 100),
  state text not null
    check (state in ('scheduled', 'delayed', 'in_progress', 'suspended', 'postponed', 'cancelled', 'final')),
  home_score int check (home_score >= 0),
  away_score int check (away_score >= 0),
  home_half_score int check (home_half_score >= 0),
  away_half_score int check (away_half_score >= 0),
  sets set_games,
  played extent,
  periods_e3 int check (periods_e3 >= 0),
  note plain_text check (char_length(note) between 1 and 200),
  said_at instant not null,
  primary key (game_id, source),
  check ((home_score is null) = (away_score is null)),
  check ((home_half_score is null) = (away_half_score is null))
);
comment on table source_scores is 'Each source''s report of a game''s end, kept for 30 days after the last report.';
comment on column source_scores.home_score is 'The score of a final or suspended game. Null with state final: the game is over, but its score cannot grade picks.';
comment on column source_scores.note is 'The reason if there is no score.';
comment on column source_scores.said_at is 'When the source first gave exactly this report.';

create index source_scores_by_time on source_scores (said_at);

create table source_locks (
  name text primary key
);
comment on table source_locks is 'A row that a transaction locks while it applies a source''s reports.';

insert into source_locks values ('sources');

create trigger source_locks_append_only before update or delete or truncate on source_locks
  for each statement execute function refuse_change();

create table odds_api_calls (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  at instant not null,
  sport_key text not null,
  event_id text,
  markets text[] not null,
  snapshot_at instant,
  purpose text not null check (purpose in ('closing', 'earlier', 'repair')),
  credits int not null check (credits >= 0)
);
comment on table odds_api_calls is 'Requests to The Odds API, which cost credits. Kept for 40 days.';
comment on column odds_api_calls.event_id is 'The requested event. Null: all events of the sport.';
comment on column odds_api_calls.snapshot_at is 'The past time of the requested prices. Null: current prices.';
comment on column odds_api_calls.purpose is
  'closing: the last request before starts with picks. earlier: a request with spare credits. repair: a request for missed closings.';

create index odds_api_calls_by_time on odds_api_calls (at);
