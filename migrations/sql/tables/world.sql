-- Sports, cappers, games, prices, and results.

create table sports (
  key slug primary key,
  label plain_text not null check (char_length(label) between 1 and 60),
  moneyline_ways smallint not null check (moneyline_ways in (2, 3)),
  event_minutes int not null check (event_minutes between 1 and 1440),
  position int not null
);
comment on table sports is 'The valid sports. An operator can add sports.';
comment on column sports.moneyline_ways is 'Number of sides of the moneyline: 3 if the draw is one.';
comment on column sports.event_minutes is 'The usual length of an event, in minutes.';

insert into sports (position, key, label, moneyline_ways, event_minutes) values
  (1, 'nba', 'NBA', 2, 150),
  (2, 'nfl', 'NFL', 2, 195),
  (3, 'mlb', 'MLB', 2, 180),
  (4, 'nhl', 'NHL', 2, 155),
  (5, 'ncaaf', 'College Football', 2, 210),
  (6, 'ncaab', 'College Basketball', 2, 135),
  (7, 'wnba', 'WNBA', 2, 135),
  (8, 'mma', 'MMA', 2, 60),
  (9, 'soccer', 'Soccer', 3, 120),
  (10, 'tennis', 'Tennis', 2, 150);

create table cappers (
  id int generated always as identity primary key check (id > 0),
  handle text not null unique check (handle ~ '^[a-z0-9][a-z0-9_-]{1,31}$'),
  tier tier not null,
  verified boolean not null,
  display_name plain_text check (char_length(display_name) between 1 and 100),
  created_at instant not null
);
comment on table cappers is 'Cappers, who post picks. Tier and verification can change, but the handle cannot.';
comment on column cappers.tier is 'The current tier. A pick keeps its capper''s tier at posting.';

create index cappers_by_words on cappers using gin (words_of(handle || ' ' || coalesce(display_name, '')));

create trigger cappers_changed after insert or update on cappers
  for each row execute function note_change('capper');
create trigger cappers_identity before update on cappers
  for each row execute function keep_handle();
create trigger cappers_named after insert or update of display_name on cappers
  for each row execute function note_capper_name();

create table games (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  sport text not null references sports,
  name plain_text not null check (char_length(name) between 3 and 200),
  announced_start instant_ms,
  day day check (day is null or announced_start is null),
  starts_at instant_ms,
  held_start instant_ms,
  status text not null default 'scheduled' check (status in ('scheduled', 'final', 'postponed', 'cancelled')),
  home_score int check (home_score between 0 and 9999),
  away_score int check (away_score between 0 and 9999),
  home_half_score int check (home_half_score between 0 and home_score),
  away_half_score int check (away_half_score between 0 and away_score),
  sets set_games check (sets is null or status = 'final'),
  played extent check (played is null or status = 'final'),
  periods_e3 int check (periods_e3 between 0 and 99000),
  competition plain_text check (char_length(competition) between 1 and 100),
  final_at instant_ms check (final_at is null or status in ('final', 'cancelled')),
  was_postponed boolean not null default false,
  home_known boolean not null default true,
  announced_at instant_ms not null,
  vouched_at instant_ms,
  unique nulls not distinct (sport, name, announced_start, day),
  check ((status = 'final') = (home_score is not null)),
  check ((status = 'final') = (away_score is not null)),
  check ((home_half_score is null) = (away_half_score is null)),
  check (home_half_score is null or status = 'final')
);
comment on table games is 'Announced games.';
comment on column games.name is 'The away team, " @ ", and the home team.';
comment on column games.announced_start is 'The first announced start. Part of the identity, so it never changes.';
comment on column games.day is 'The day of a game that was announced without a start. Part of the identity, so it never changes.';
comment on column games.starts_at is 'The current start.';
comment on column games.held_start is 'The first start that passed and was moved afterwards. It holds for live picks. A trigger sets it.';
comment on column games.sets is 'Games won in each set, home first.';
comment on column games.played is 'Whether the game went its full distance. Null if not reported.';
comment on column games.periods_e3 is 'Number of periods played, in thousandths: 8500 is eight and a half innings.';
comment on column games.was_postponed is
  'If true, pending picks become void 48 hours after the announced start, unless the game ends before.';
comment on column games.vouched_at is
  'When a source, a file, or the operator announced the game. Null while only an imported sheet names it. A trigger sets it.';
comment on column games.home_known is
  'False while only calendars without a fixed order of teams list the game. Home and away can then be swapped.';

comment on column games.announced_at is 'When the game was first stored. A trigger sets it, in a live log by the database''s clock.';

create index games_by_announced_start on games (announced_start);
create index games_by_folded_name on games (sport, lower(name), starts_at) include (id, name);
create index games_by_start on games (starts_at);
create index games_undecided on games (sport, starts_at) where status <> 'final';
create index games_by_words on games using gin (words_of(name));

create trigger games_identity before update on games
  for each row execute function keep_game();
create trigger games_changed after update on games
  for each row when (new.starts_at is distinct from old.starts_at or new.status <> old.status)
  execute function note_change('game');
create trigger games_due after update on games
  for each row when (new.* is distinct from old.*) execute function game_due();
create trigger games_announced before insert on games
  for each row execute function note_announced();
create trigger games_announced_and_moved after insert on games
  for each row when (new.starts_at is distinct from new.announced_start) execute function note_start_move();
create trigger games_moved after update on games
  for each row when (new.starts_at is distinct from old.starts_at) execute function note_start_move();
create trigger games_named after insert or update of name on games
  for each row execute function note_game_name();

create table start_moves (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  game_id id not null,
  game plain_text not null check (char_length(game) between 3 and 200),
  from_start instant_ms,
  to_start instant_ms check (to_start is distinct from from_start),
  at instant_ms not null,
  moved_by slug not null
);
comment on table start_moves is 'Moves of games'' starts, recorded by a trigger. Each becomes an entry of the log.';
comment on column start_moves.game is 'The name of the game at that time.';
comment on column start_moves.at is 'The time of the move, in a live log by the database''s clock.';
comment on column start_moves.moved_by is 'The process whose login moved the start, or owner.';

create index start_moves_by_game on start_moves (game_id, id);
create index start_moves_too_late on start_moves (from_start) where from_start <= at;

create trigger start_moves_append_only before update or delete or truncate on start_moves
  for each statement execute function refuse_change();
create trigger start_moves_made after insert on start_moves
  for each row execute function queue_event('start_moved');

create table game_joins (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  from_game id not null unique references games,
  to_game id not null references games check (to_game < from_game),
  prices boolean not null,
  at instant_ms not null,
  joined_by slug not null
);
comment on table game_joins is
  'Games that turned out to be one fixture. The earlier one continues. Each join becomes an entry of the log.';
comment on column game_joins.from_game is 'The game that was stored later. It keeps its picks, and gets the scores of the other.';
comment on column game_joins.prices is
  'Whether the games were joined before the start. If so, each also gets the prices of the other. A trigger sets it.';
comment on column game_joins.at is 'The time of the join, in a live log by the database''s clock. A trigger sets it.';
comment on column game_joins.joined_by is 'The process whose login joined the games, or owner.';

create index game_joins_by_game on game_joins (to_game);

create trigger check_join before insert on game_joins
  for each row execute function check_join();
create trigger game_joins_append_only before update or delete or truncate on game_joins
  for each statement execute function refuse_change();
create trigger games_joined after insert on game_joins
  for each row execute function join_games();
create trigger game_joins_made after insert on game_joins
  for each row execute function queue_event('game_joined');
create trigger games_mirrored after update on games
  for each row when ((new.status, new.home_half_score, new.sets) is distinct from (old.status, old.home_half_score, old.sets))
  execute function mirror_game();

create table lines (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  game_id id not null references games,
  market slug not null,
  subject plain_text check (char_length(subject) between 1 and 80),
  side slug not null,
  line_e3 points_e3,
  odds_american american_odds not null,
  captured_at instant_ms not null,
  closing boolean not null,
  book slug not null,
  by_hand boolean not null default true,
  stored_at instant_ms not null,
  price_seq seq unique check (price_seq > 0),
  unique nulls not distinct (game_id, market, book, captured_at, subject, side, line_e3, odds_american, closing, by_hand)
);
comment on table lines is
  'Prices of one side at one book at one instant. A week after a game, the grading worker removes prices that repeat their neighbors.';
comment on column lines.subject is 'The player, team, or question that the market is about. Null for markets about the game itself.';
comment on column lines.by_hand is 'Whether the price came from an operator or a file. False: from a provider.';
comment on column lines.stored_at is 'When the row was stored, in a live log by the database''s clock. A trigger sets it.';
comment on column lines.price_seq is 'The number of the price in the log. Null until sealing gives it, once.';
comment on column lines.closing is 'Whether the book marks the price as its closing price.';

create index lines_unnumbered on lines (id) where price_seq is null;

create trigger lines_append_only before truncate on lines
  for each statement execute function refuse_change();
create trigger keep_price before update on lines
  for each row execute function keep_price();
create trigger check_lines_removed after delete on lines referencing old table as removed
  for each statement execute function check_lines_removed();
create trigger note_price before insert on lines
  for each row execute function note_price();
create trigger lines_added after insert on lines referencing new table as added
  for each statement execute function lines_added();

create trigger lines_mirrored after insert on lines referencing new table as added
  for each statement execute function mirror_rows();

create table priced_days (
  sport text not null references sports,
  day day not null,
  captured_at instant_ms not null,
  line_id id not null,
  primary key (sport, day)
);
comment on table priced_days is 'Days on which a provider had prices for a sport, recorded by a trigger.';
comment on column priced_days.captured_at is 'When the first price stored for the day was captured.';
comment on column priced_days.line_id is 'The id of that price in lines. That price can be removed later.';

create trigger priced_days_append_only before update or delete or truncate on priced_days
  for each statement execute function refuse_change();

create table price_locks (
  name text primary key
);
comment on table price_locks is 'The row that is locked while the first price of a day is stored, and shared by gradings.';

insert into price_locks values ('firstPrices');

create trigger price_locks_append_only before update or delete or truncate on price_locks
  for each statement execute function refuse_change();

create table results (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  game_id id not null references games,
  market slug not null,
  subject plain_text check (char_length(subject) between 1 and 80),
  side slug not null,
  line_e3 points_e3,
  result pick_result not null,
  half boolean not null default false check (not half or result in ('win', 'loss')),
  final_at instant_ms not null,
  unique nulls not distinct (game_id, market, subject, side, line_e3)
);
create trigger results_mirrored after insert on results referencing new table as added
  for each statement execute function mirror_rows();
comment on column results.half is 'Whether only half of the stake counted.';
comment on table results is 'Results of selections that no score can grade. The first result of a selection stands.';

create trigger results_append_only before update or delete or truncate on results
  for each statement execute function refuse_change();
create trigger results_added after insert on results referencing new table as added
  for each statement execute function results_added();

create table voids (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  game_id id not null references games,
  market slug not null,
  subject plain_text not null check (char_length(subject) between 1 and 80),
  at instant_ms not null,
  reason plain_text not null check (char_length(reason) between 1 and 300),
  unique (game_id, market, subject, at)
);
comment on table voids is 'Bets that became void before the start, such as those on a scratched player.';
comment on column voids.at is 'Picks on the market and subject that were posted by then are void.';

create trigger voids_append_only before update or delete or truncate on voids
  for each statement execute function refuse_change();
create trigger voids_added after insert on voids referencing new table as added
  for each statement execute function results_added();

create trigger voids_mirrored after insert on voids referencing new table as added
  for each statement execute function mirror_rows();

create table team_aliases (
  sport text not null references sports,
  alias plain_text not null check (char_length(alias) between 1 and 100),
  team plain_text not null check (char_length(team) between 1 and 100),
  primary key (sport, alias)
);
comment on table team_aliases is 'Other names of a team, added by operators.';

create table player_aliases (
  sport text not null references sports,
  alias text not null check (char_length(alias) between 1 and 100),
  player text not null check (char_length(player) between 1 and 100),
  primary key (sport, alias)
);
comment on table player_aliases is 'Other names of a player in their normal form, added by operators.';

create table subjects (
  game_id id not null references games,
  form text not null check (form <> ''),
  spelling plain_text not null check (char_length(spelling) between 1 and 80),
  subject plain_text not null check (char_length(subject) between 1 and 80),
  primary key (game_id, form)
);
comment on table subjects is
  'Spellings of the players and other subjects of a game. Prices, picks, results, and statistics take the subject of their spelling.';
comment on column subjects.form is 'The normal form of the spelling.';
comment on column subjects.spelling is 'The text as first written.';

create index subjects_by_form on subjects (form);
create index subjects_by_words on subjects using gin (words_of(subject));

create trigger subjects_named after insert on subjects
  for each row execute function note_subject_name();
create trigger subjects_append_only before update or delete or truncate on subjects
  for each statement execute function refuse_change();

create table subject_names (
  game_id id not null references games,
  subject plain_text not null check (char_length(subject) between 1 and 80),
  name plain_text not null check (char_length(name) between 1 and 80),
  primary key (game_id, subject)
);
comment on table subject_names is
  'The names that sources have for the subjects of a game: those of price lists and box scores. Readers see them instead of what a post wrote.';

create trigger subject_names_append_only before update or delete or truncate on subject_names
  for each statement execute function refuse_change();
create trigger subject_named after insert on subject_names for each row
  when (new.name is distinct from new.subject) execute function note_game_of_subject();

create table stats (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  game_id id not null references games,
  subject plain_text not null check (char_length(subject) between 1 and 80),
  stat slug not null,
  value_e3 points_e3 not null,
  source slug not null,
  final_at instant_ms not null,
  unique (game_id, subject, stat)
);
comment on table stats is 'Statistics of players in games. The first value of a statistic stands.';
comment on column stats.stat is 'A statistic that grades a player market, or played: 1 if the player played, otherwise 0.';
comment on column stats.value_e3 is 'In thousandths.';
comment on column stats.source is 'The reporter: a provider, operator, or import.';

create trigger stats_append_only before update or delete or truncate on stats
  for each statement execute function refuse_change();
create trigger stats_added after insert on stats referencing new table as added
  for each statement execute function results_added();

create trigger stats_mirrored after insert on stats referencing new table as added
  for each statement execute function mirror_rows();

create table stat_gaps (
  game_id id not null references games,
  source slug not null,
  subject plain_text not null check (char_length(subject) between 1 and 80),
  reason plain_text not null check (char_length(reason) between 1 and 300),
  at instant_ms not null,
  primary key (game_id, source, subject)
);
comment on table stat_gaps is 'Reasons why a source''s last box score does not grade picks on a player.';

create table search_words (
  word text not null
);
comment on table search_words is
  'The words of all names of games, cappers, and players, for search by similarity. A word can appear twice.';

create index search_words_by_trigram on search_words using gin (word gin_trgm_ops);
create index search_words_by_word on search_words (word text_pattern_ops);
