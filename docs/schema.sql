-- The database that `migrate` makes from migrations/sql, written by `npm run docs`.
-- Triggers always fire, also under replication. Each table lists the rights of the processes; the auditor may read.

-- The id of a row.
create domain id as bigint
  CHECK (VALUE >= 1 AND VALUE <= '9007199254740991'::bigint);

-- A position in the log, or a count of entries.
create domain seq as bigint
  CHECK (VALUE >= 0 AND VALUE <= '9007199254740991'::bigint);

-- An integer that JavaScript represents exactly.
create domain safe_integer as bigint
  CHECK (VALUE >= '-9007199254740991'::bigint AND VALUE <= '9007199254740991'::bigint);

-- A point in time that JavaScript can represent.
create domain instant as timestamp with time zone
  CHECK (VALUE >= '0001-01-01 00:00:00+00'::timestamp with time zone AND VALUE < '10000-01-01 00:00:00+00'::timestamp with time zone);

-- An instant in whole milliseconds, as in hashed bodies.
create domain instant_ms as timestamp with time zone
  CHECK (VALUE >= '0001-01-01 00:00:00+00'::timestamp with time zone AND VALUE < '10000-01-01 00:00:00+00'::timestamp with time zone AND VALUE = date_trunc('milliseconds'::text, VALUE));

-- A calendar day in US Eastern time.
create domain day as date
  CHECK (VALUE >= '0001-01-01'::date AND VALUE <= '9999-12-31'::date);

-- American odds.
create domain american_odds as integer
  CHECK (abs(VALUE) >= 100 AND abs(VALUE) <= 100000);

-- A line, in thousandths of a point.
create domain points_e3 as integer
  CHECK (abs(VALUE) <= 9999000);

-- A share in percent.
create domain percentage as double precision
  CHECK (VALUE >= 0::double precision AND VALUE <= 100::double precision);

-- A finite floating-point number.
create domain real_number as double precision
  CHECK (VALUE > '-Infinity'::double precision AND VALUE < 'Infinity'::double precision);

-- A SHA-256 hash.
create domain sha256_hash as bytea
  CHECK (octet_length(VALUE) = 32);

-- Up to 40 lower-case letters, digits, hyphens, or underscores.
create domain slug as text
  CHECK (VALUE ~ '^[a-z0-9][a-z0-9_-]*$'::text AND char_length(VALUE) <= 40);

-- Text without control characters.
create domain plain_text as text
  CHECK (VALUE !~ '[\u0001-\u001f\u007f-\u009f]'::text);

-- The operator's opinion of a capper.
create domain tier as text
  CHECK (VALUE = ANY (ARRAY['elite'::text, 'verified_sharp'::text, 'listed'::text]));

-- live: the service recorded the time of posting. imported: the time of posting is a claim.
create domain provenance as text
  CHECK (VALUE = ANY (ARRAY['live'::text, 'imported'::text]));

-- The result of a pick.
create domain pick_result as text
  CHECK (VALUE = ANY (ARRAY['win'::text, 'loss'::text, 'push'::text, 'void'::text]));

-- Whether a game went its full distance.
create domain extent as text
  CHECK (VALUE = ANY (ARRAY['full'::text, 'shortened'::text]));

-- Whether the price of a live pick was on offer.
create domain price_verdict as text
  CHECK (VALUE = ANY (ARRAY['available'::text, 'above_market'::text, 'unseen'::text, 'unchecked'::text]));

-- Games won in each set, home first: [[6, 4], [7, 6]].
create domain set_games as jsonb
  CHECK (jsonb_typeof(VALUE) = 'array'::text AND jsonb_array_length(VALUE) >= 1 AND jsonb_array_length(VALUE) <= 7 AND NOT jsonb_path_exists(VALUE, 'strict $[*]?(@.type() != "array" || @.size() != 2)'::jsonpath) AND NOT jsonb_path_exists(VALUE, '$[*][*]?(((@.type() != "number" || @ < 0) || @ > 99) || @ != @.floor())'::jsonpath));

-- The prices of sides: [{"side": "home", "odds_american": -110}].
create domain side_prices as jsonb
  CHECK (jsonb_typeof(VALUE) = 'array'::text AND NOT jsonb_path_exists(VALUE, 'strict $[*]?(@.type() != "object")'::jsonpath) AND NOT jsonb_path_exists(VALUE, '$[*]?(!(exists (@."side"?(@.type() == "string"))) || !(exists (@."odds_american"?(((@.type() == "number" && @ == @.floor()) && @ >= -100000) && @ <= 100000))))'::jsonpath));

-- The id of a capper's key: the SHA-256 hash of the public key, in hex.
create domain key_id as text
  CHECK (VALUE ~ '^[0-9a-f]{64}$'::text);

-- An Ed25519 public key in base64.
create domain ed25519_key as text
  CHECK (VALUE ~ '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$'::text);

-- An Ed25519 signature in base64.
create domain ed25519_signature as text
  CHECK (VALUE ~ '^[A-Za-z0-9+/]{85}[AQgw]==$'::text);

-- The kind of an entry of the log.
create domain event_kind as text
  CHECK (VALUE = ANY (ARRAY['posted'::text, 'closed'::text, 'settled'::text, 'key'::text, 'notice'::text, 'start_moved'::text, 'capper_key'::text, 'game_joined'::text, 'prices'::text, 'data'::text]));

-- Counts by name: {"added": 3}.
create domain counts as jsonb
  CHECK (jsonb_typeof(VALUE) = 'object'::text AND NOT jsonb_path_exists(VALUE, 'strict $.*?(@.type() != "number")'::jsonpath) AND octet_length(VALUE::text) <= 10000);

-- The valid sports. An operator can add sports.
-- Rights: web select; operator select; ingest select; sealing select; grading select; boards select; webhooks select; status select.
create table sports (
  key slug not null,
  label plain_text not null,
  -- Number of sides of the moneyline: 3 if the draw is one.
  moneyline_ways smallint not null,
  -- The usual length of an event, in minutes.
  event_minutes integer not null,
  "position" integer not null,
  PRIMARY KEY (key),
  CHECK (char_length(label::text) >= 1 AND char_length(label::text) <= 60),
  CHECK (event_minutes >= 1 AND event_minutes <= 1440),
  CHECK (moneyline_ways = ANY (ARRAY[2, 3]))
);

-- Cappers, who post picks. Tier and verification can change, but the handle cannot.
-- Rights: web select; sealing select; boards select; webhooks select; status select; operator select, insert, update (tier, verified, display_name); ingest select, insert, update (tier, verified, display_name).
create table cappers (
  id integer generated always as identity not null,
  handle text not null,
  -- The current tier. A pick keeps its capper's tier at posting.
  tier tier not null,
  verified boolean not null,
  display_name plain_text,
  created_at instant not null,
  PRIMARY KEY (id),
  UNIQUE (handle),
  CHECK (char_length(display_name::text) >= 1 AND char_length(display_name::text) <= 100),
  CHECK (handle ~ '^[a-z0-9][a-z0-9_-]{1,31}$'::text),
  CHECK (id > 0)
);
create index cappers_by_words ON cappers USING gin (words_of((handle || ' '::text) || COALESCE(display_name::text, ''::text)));
create trigger cappers_changed AFTER INSERT OR UPDATE ON cappers FOR EACH ROW EXECUTE FUNCTION note_change('capper');
create trigger cappers_identity BEFORE UPDATE ON cappers FOR EACH ROW EXECUTE FUNCTION keep_handle();
create trigger cappers_named AFTER INSERT OR UPDATE OF display_name ON cappers FOR EACH ROW EXECUTE FUNCTION note_capper_name();

-- Announced games.
-- Rights: sealing select; boards select; webhooks select; status select; operator select, insert, update (name, home_known, starts_at, status, home_score, away_score, home_half_score, away_half_score, sets, played, periods_e3, final_at, was_postponed, vouched_at); ingest select, insert, update (name, home_known, starts_at, status, home_score, away_score, home_half_score, away_half_score, sets, played, periods_e3, final_at, was_postponed, vouched_at); grading select, update (sport); web select, update (sport).
create table games (
  id bigint generated always as identity not null,
  sport text not null,
  -- The away team, " @ ", and the home team.
  name plain_text not null,
  -- The first announced start. Part of the identity, so it never changes.
  announced_start instant_ms,
  -- The day of a game that was announced without a start. Part of the identity, so it never changes.
  day day,
  -- The current start.
  starts_at instant_ms,
  -- The first start that passed and was moved afterwards. It holds for live picks. A trigger sets it.
  held_start instant_ms,
  status text default 'scheduled'::text not null,
  home_score integer,
  away_score integer,
  home_half_score integer,
  away_half_score integer,
  -- Games won in each set, home first.
  sets set_games,
  -- Whether the game went its full distance. Null if not reported.
  played extent,
  -- Number of periods played, in thousandths: 8500 is eight and a half innings.
  periods_e3 integer,
  competition plain_text,
  final_at instant_ms,
  -- If true, pending picks become void 48 hours after the announced start, unless the game ends before.
  was_postponed boolean default false not null,
  -- False while only calendars without a fixed order of teams list the game. Home and away can then be swapped.
  home_known boolean default true not null,
  -- When the game was first stored. A trigger sets it, in a live log by the database's clock.
  announced_at instant_ms not null,
  -- When a source, a file, or the operator announced the game. Null while only an imported sheet names it. A trigger sets it.
  vouched_at instant_ms,
  PRIMARY KEY (id),
  UNIQUE NULLS NOT DISTINCT (sport, name, announced_start, day),
  FOREIGN KEY (sport) REFERENCES sports(key),
  CHECK ((home_half_score IS NULL) = (away_half_score IS NULL)),
  CHECK ((status = 'final'::text) = (away_score IS NOT NULL)),
  CHECK ((status = 'final'::text) = (home_score IS NOT NULL)),
  CHECK (away_half_score >= 0 AND away_half_score <= away_score),
  CHECK (away_score >= 0 AND away_score <= 9999),
  CHECK (char_length(competition::text) >= 1 AND char_length(competition::text) <= 100),
  CHECK (char_length(name::text) >= 3 AND char_length(name::text) <= 200),
  CHECK (day IS NULL OR announced_start IS NULL),
  CHECK (final_at IS NULL OR (status = ANY (ARRAY['final'::text, 'cancelled'::text]))),
  CHECK (home_half_score >= 0 AND home_half_score <= home_score),
  CHECK (home_half_score IS NULL OR status = 'final'::text),
  CHECK (home_score >= 0 AND home_score <= 9999),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (periods_e3 >= 0 AND periods_e3 <= 99000),
  CHECK (played IS NULL OR status = 'final'::text),
  CHECK (sets IS NULL OR status = 'final'::text),
  CHECK (status = ANY (ARRAY['scheduled'::text, 'final'::text, 'postponed'::text, 'cancelled'::text]))
);
create index games_by_announced_start ON games (announced_start);
create index games_by_folded_name ON games (sport, lower(name::text), starts_at) INCLUDE (id, name);
create index games_by_start ON games (starts_at);
create index games_by_words ON games USING gin (words_of(name::text));
create index games_undecided ON games (sport, starts_at) WHERE status <> 'final'::text;
create trigger games_announced BEFORE INSERT ON games FOR EACH ROW EXECUTE FUNCTION note_announced();
create trigger games_announced_and_moved AFTER INSERT ON games FOR EACH ROW WHEN (new.starts_at::timestamp with time zone IS DISTINCT FROM new.announced_start::timestamp with time zone) EXECUTE FUNCTION note_start_move();
create trigger games_changed AFTER UPDATE ON games FOR EACH ROW WHEN (new.starts_at::timestamp with time zone IS DISTINCT FROM old.starts_at::timestamp with time zone OR new.status <> old.status) EXECUTE FUNCTION note_change('game');
create trigger games_due AFTER UPDATE ON games FOR EACH ROW WHEN (new.* IS DISTINCT FROM old.*) EXECUTE FUNCTION game_due();
create trigger games_identity BEFORE UPDATE ON games FOR EACH ROW EXECUTE FUNCTION keep_game();
create trigger games_mirrored AFTER UPDATE ON games FOR EACH ROW WHEN (new.status IS DISTINCT FROM old.status OR new.home_half_score IS DISTINCT FROM old.home_half_score OR new.sets::jsonb IS DISTINCT FROM old.sets::jsonb) EXECUTE FUNCTION mirror_game();
create trigger games_moved AFTER UPDATE ON games FOR EACH ROW WHEN (new.starts_at::timestamp with time zone IS DISTINCT FROM old.starts_at::timestamp with time zone) EXECUTE FUNCTION note_start_move();
create trigger games_named AFTER INSERT OR UPDATE OF name ON games FOR EACH ROW EXECUTE FUNCTION note_game_name();

-- Moves of games' starts, recorded by a trigger. Each becomes an entry of the log.
-- Rights: web select; sealing select; grading select; operator select; ingest select.
create table start_moves (
  id bigint generated always as identity not null,
  game_id id not null,
  -- The name of the game at that time.
  game plain_text not null,
  from_start instant_ms,
  to_start instant_ms,
  -- The time of the move, in a live log by the database's clock.
  at instant_ms not null,
  -- The process whose login moved the start, or owner.
  moved_by slug not null,
  PRIMARY KEY (id),
  CHECK (char_length(game::text) >= 3 AND char_length(game::text) <= 200),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (to_start::timestamp with time zone IS DISTINCT FROM from_start::timestamp with time zone)
);
create index start_moves_by_game ON start_moves (game_id, id);
create index start_moves_too_late ON start_moves (from_start) WHERE from_start::timestamp with time zone <= at::timestamp with time zone;
create trigger start_moves_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON start_moves FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger start_moves_made AFTER INSERT ON start_moves FOR EACH ROW EXECUTE FUNCTION queue_event('start_moved');

-- Games that turned out to be one fixture. The earlier one continues. Each join becomes an entry of the log.
-- Rights: web select; sealing select; boards select; status select; ingest select; operator select, insert (from_game, to_game).
create table game_joins (
  id bigint generated always as identity not null,
  -- The game that was stored later. It keeps its picks, and gets the scores of the other.
  from_game id not null,
  to_game id not null,
  -- Whether the games were joined before the start. If so, each also gets the prices of the other. A trigger sets it.
  prices boolean not null,
  -- The time of the join, in a live log by the database's clock. A trigger sets it.
  at instant_ms not null,
  -- The process whose login joined the games, or owner.
  joined_by slug not null,
  PRIMARY KEY (id),
  UNIQUE (from_game),
  FOREIGN KEY (from_game) REFERENCES games(id),
  FOREIGN KEY (to_game) REFERENCES games(id),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (to_game::bigint < from_game::bigint)
);
create index game_joins_by_game ON game_joins (to_game);
create trigger check_join BEFORE INSERT ON game_joins FOR EACH ROW EXECUTE FUNCTION check_join();
create trigger game_joins_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON game_joins FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger game_joins_made AFTER INSERT ON game_joins FOR EACH ROW EXECUTE FUNCTION queue_event('game_joined');
create trigger games_joined AFTER INSERT ON game_joins FOR EACH ROW EXECUTE FUNCTION join_games();

-- Prices of one side at one book at one instant. A week after a game, the grading worker removes prices that repeat their neighbors.
-- Rights: web select; boards select; webhooks select; status select; ingest select, insert; operator select, insert (game_id, market, subject, side, line_e3, odds_american, captured_at, closing, book, stored_at); grading select, delete; sealing select, update (price_seq).
create table lines (
  id bigint generated always as identity not null,
  game_id id not null,
  market slug not null,
  -- The player, team, or question that the market is about. Null for markets about the game itself.
  subject plain_text,
  side slug not null,
  line_e3 points_e3,
  odds_american american_odds not null,
  captured_at instant_ms not null,
  -- Whether the book marks the price as its closing price.
  closing boolean not null,
  book slug not null,
  -- Whether the price came from an operator or a file. False: from a provider.
  by_hand boolean default true not null,
  -- When the row was stored, in a live log by the database's clock. A trigger sets it.
  stored_at instant_ms not null,
  -- The number of the price in the log. Null until sealing gives it, once.
  price_seq seq,
  PRIMARY KEY (id),
  UNIQUE (price_seq),
  UNIQUE NULLS NOT DISTINCT (game_id, market, book, captured_at, subject, side, line_e3, odds_american, closing, by_hand),
  FOREIGN KEY (game_id) REFERENCES games(id),
  CHECK (char_length(subject::text) >= 1 AND char_length(subject::text) <= 80),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (price_seq::bigint > 0)
);
create index lines_unnumbered ON lines (id) WHERE price_seq IS NULL;
create trigger check_lines_removed AFTER DELETE ON lines REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION check_lines_removed();
create trigger keep_price BEFORE UPDATE ON lines FOR EACH ROW EXECUTE FUNCTION keep_price();
create trigger lines_added AFTER INSERT ON lines REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION lines_added();
create trigger lines_append_only BEFORE TRUNCATE ON lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger lines_mirrored AFTER INSERT ON lines REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mirror_rows();
create trigger note_price BEFORE INSERT ON lines FOR EACH ROW EXECUTE FUNCTION note_price();

-- Days on which a provider had prices for a sport, recorded by a trigger.
-- Rights: web select; operator select; sealing select; grading select; boards select; webhooks select; status select; ingest select.
create table priced_days (
  sport text not null,
  day day not null,
  -- When the first price stored for the day was captured.
  captured_at instant_ms not null,
  -- The id of that price in lines. That price can be removed later.
  line_id id not null,
  PRIMARY KEY (sport, day),
  FOREIGN KEY (sport) REFERENCES sports(key)
);
create trigger priced_days_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON priced_days FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The row that is locked while the first price of a day is stored, and shared by gradings.
-- Rights: ingest select, update (name); grading select, update (name).
create table price_locks (
  name text not null,
  PRIMARY KEY (name)
);
create trigger price_locks_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON price_locks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Results of selections that no score can grade. The first result of a selection stands.
-- Rights: sealing select; grading select; status select; operator select, insert; ingest select, insert.
create table results (
  id bigint generated always as identity not null,
  game_id id not null,
  market slug not null,
  subject plain_text,
  side slug not null,
  line_e3 points_e3,
  result pick_result not null,
  -- Whether only half of the stake counted.
  half boolean default false not null,
  final_at instant_ms not null,
  PRIMARY KEY (id),
  UNIQUE NULLS NOT DISTINCT (game_id, market, subject, side, line_e3),
  FOREIGN KEY (game_id) REFERENCES games(id),
  CHECK (NOT half OR (result::text = ANY (ARRAY['win'::text, 'loss'::text]))),
  CHECK (char_length(subject::text) >= 1 AND char_length(subject::text) <= 80),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint)
);
create trigger results_added AFTER INSERT ON results REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION results_added();
create trigger results_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON results FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger results_mirrored AFTER INSERT ON results REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mirror_rows();

-- Bets that became void before the start, such as those on a scratched player.
-- Rights: sealing select; grading select; status select; operator select, insert; ingest select, insert.
create table voids (
  id bigint generated always as identity not null,
  game_id id not null,
  market slug not null,
  subject plain_text not null,
  -- Picks on the market and subject that were posted by then are void.
  at instant_ms not null,
  reason plain_text not null,
  PRIMARY KEY (id),
  UNIQUE (game_id, market, subject, at),
  FOREIGN KEY (game_id) REFERENCES games(id),
  CHECK (char_length(reason::text) >= 1 AND char_length(reason::text) <= 300),
  CHECK (char_length(subject::text) >= 1 AND char_length(subject::text) <= 80),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint)
);
create trigger voids_added AFTER INSERT ON voids REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION results_added();
create trigger voids_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON voids FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger voids_mirrored AFTER INSERT ON voids REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mirror_rows();

-- Other names of a team, added by operators.
-- Rights: operator select, insert, update; ingest select; web select; boards select; sealing select; status select.
create table team_aliases (
  sport text not null,
  alias plain_text not null,
  team plain_text not null,
  PRIMARY KEY (sport, alias),
  FOREIGN KEY (sport) REFERENCES sports(key),
  CHECK (char_length(alias::text) >= 1 AND char_length(alias::text) <= 100),
  CHECK (char_length(team::text) >= 1 AND char_length(team::text) <= 100)
);

-- Other names of a player in their normal form, added by operators.
-- Rights: operator select, insert, update; web select; ingest select.
create table player_aliases (
  sport text not null,
  alias text not null,
  player text not null,
  PRIMARY KEY (sport, alias),
  FOREIGN KEY (sport) REFERENCES sports(key),
  CHECK (char_length(alias) >= 1 AND char_length(alias) <= 100),
  CHECK (char_length(player) >= 1 AND char_length(player) <= 100)
);

-- Spellings of the players and other subjects of a game. Prices, picks, results, and statistics take the subject of their spelling.
-- Rights: web select, insert; operator select, insert; ingest select, insert.
create table subjects (
  game_id id not null,
  -- The normal form of the spelling.
  form text not null,
  -- The text as first written.
  spelling plain_text not null,
  subject plain_text not null,
  PRIMARY KEY (game_id, form),
  FOREIGN KEY (game_id) REFERENCES games(id),
  CHECK (char_length(spelling::text) >= 1 AND char_length(spelling::text) <= 80),
  CHECK (char_length(subject::text) >= 1 AND char_length(subject::text) <= 80),
  CHECK (form <> ''::text)
);
create index subjects_by_form ON subjects (form);
create index subjects_by_words ON subjects USING gin (words_of(subject::text));
create trigger subjects_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON subjects FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger subjects_named AFTER INSERT ON subjects FOR EACH ROW EXECUTE FUNCTION note_subject_name();

-- The names that sources have for the subjects of a game: those of price lists and box scores. Readers see them instead of what a post wrote.
-- Rights: ingest select, insert; web select; boards select; webhooks select; status select.
create table subject_names (
  game_id id not null,
  subject plain_text not null,
  name plain_text not null,
  PRIMARY KEY (game_id, subject),
  FOREIGN KEY (game_id) REFERENCES games(id),
  CHECK (char_length(name::text) >= 1 AND char_length(name::text) <= 80),
  CHECK (char_length(subject::text) >= 1 AND char_length(subject::text) <= 80)
);
create trigger subject_named AFTER INSERT ON subject_names FOR EACH ROW WHEN (new.name::text IS DISTINCT FROM new.subject::text) EXECUTE FUNCTION note_game_of_subject();
create trigger subject_names_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON subject_names FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Statistics of players in games. The first value of a statistic stands.
-- Rights: sealing select; grading select; status select; operator select, insert; ingest select, insert.
create table stats (
  id bigint generated always as identity not null,
  game_id id not null,
  subject plain_text not null,
  -- A statistic that grades a player market, or played: 1 if the player played, otherwise 0.
  stat slug not null,
  -- In thousandths.
  value_e3 points_e3 not null,
  -- The reporter: a provider, operator, or import.
  source slug not null,
  final_at instant_ms not null,
  PRIMARY KEY (id),
  UNIQUE (game_id, subject, stat),
  FOREIGN KEY (game_id) REFERENCES games(id),
  CHECK (char_length(subject::text) >= 1 AND char_length(subject::text) <= 80),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint)
);
create trigger stats_added AFTER INSERT ON stats REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION results_added();
create trigger stats_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON stats FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger stats_mirrored AFTER INSERT ON stats REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mirror_rows();

-- Reasons why a source's last box score does not grade picks on a player.
-- Rights: ingest select, insert, delete; operator select; status select.
create table stat_gaps (
  game_id id not null,
  source slug not null,
  subject plain_text not null,
  reason plain_text not null,
  at instant_ms not null,
  PRIMARY KEY (game_id, source, subject),
  FOREIGN KEY (game_id) REFERENCES games(id),
  CHECK (char_length(reason::text) >= 1 AND char_length(reason::text) <= 300),
  CHECK (char_length(subject::text) >= 1 AND char_length(subject::text) <= 80)
);

-- The words of all names of games, cappers, and players, for search by similarity. A word can appear twice.
-- Rights: web select.
create table search_words (
  word text not null
);
create index search_words_by_trigram ON search_words USING gin (word gin_trgm_ops);
create index search_words_by_word ON search_words (word text_pattern_ops);

-- Invitations to cappers to register a key. Each is valid once.
-- Rights: operator select, insert; web select, update (used_at).
create table capper_invites (
  id integer generated always as identity not null,
  capper_id integer not null,
  -- The SHA-256 hash of the token. Only the capper has the token.
  token_hash sha256_hash not null,
  made_at instant not null,
  expires_at instant not null,
  used_at instant,
  PRIMARY KEY (id),
  UNIQUE (token_hash),
  FOREIGN KEY (capper_id) REFERENCES cappers(id),
  CHECK (id > 0)
);

-- Keys of cappers, added and revoked. Each row becomes an entry of the log.
-- Rights: web select, insert; operator select, insert; ingest select; sealing select; boards select; status select.
create table capper_keys (
  id bigint generated always as identity not null,
  capper_id integer not null,
  action text not null,
  key ed25519_key not null,
  key_id key_id not null,
  purpose text not null,
  -- Whether it is the first key of the capper.
  first boolean not null,
  -- When the statement was signed, by its author's clock.
  at instant_ms not null,
  made_by text not null,
  -- The signature of the statement by the added key. Null for a revocation.
  possession ed25519_signature,
  -- The capper's earlier key that also signed the statement.
  endorsed_by key_id,
  endorsement ed25519_signature,
  -- When the row was stored.
  stored_at instant_ms not null,
  PRIMARY KEY (id),
  UNIQUE (key_id, action),
  FOREIGN KEY (capper_id) REFERENCES cappers(id),
  CHECK ((action = 'add'::text) = (possession IS NOT NULL)),
  CHECK ((endorsed_by IS NULL) = (endorsement IS NULL)),
  CHECK (NOT first OR action = 'add'::text AND endorsed_by IS NULL),
  CHECK (action = 'add'::text OR (made_by = 'capper'::text) = (endorsed_by IS NOT NULL)),
  CHECK (action = 'revoke'::text OR made_by = 'capper'::text),
  CHECK (action = ANY (ARRAY['add'::text, 'revoke'::text])),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (key_id::text = encode(sha256(decode(key::text, 'base64'::text)), 'hex'::text)),
  CHECK (made_by = ANY (ARRAY['capper'::text, 'operator'::text])),
  CHECK (purpose = ANY (ARRAY['device'::text, 'recovery'::text]))
);
create index capper_keys_by_capper ON capper_keys (capper_id, id);
create unique index capper_keys_first ON capper_keys (capper_id) WHERE first;
create trigger capper_keys_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON capper_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger capper_keys_made AFTER INSERT ON capper_keys FOR EACH ROW EXECUTE FUNCTION queue_event('capper_key');
create trigger capper_keys_stored BEFORE INSERT ON capper_keys FOR EACH ROW EXECUTE FUNCTION note_capper_key();

-- Profiles of cappers, signed by them. Pages show the latest one with a valid signature.
-- Rights: web select, insert.
create table capper_profiles (
  id bigint generated always as identity not null,
  capper_id integer not null,
  -- The key that signed the profile.
  key_id key_id not null,
  display_name plain_text,
  link text,
  about plain_text,
  -- When the profile was signed, by its author's clock.
  at instant_ms not null,
  signature ed25519_signature not null,
  -- When the row was stored.
  stored_at instant_ms not null,
  PRIMARY KEY (id),
  UNIQUE (capper_id, at),
  FOREIGN KEY (capper_id) REFERENCES cappers(id),
  CHECK (char_length(about::text) >= 1 AND char_length(about::text) <= 280),
  CHECK (char_length(display_name::text) >= 1 AND char_length(display_name::text) <= 60),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (link ~ '^https://[!-~]+$'::text AND char_length(link) <= 200)
);
create trigger capper_profiles_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON capper_profiles FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger capper_profiles_stored AFTER INSERT ON capper_profiles FOR EACH ROW EXECUTE FUNCTION note_profile();

-- Posted picks.
-- Rights: sealing select; grading select; boards select; webhooks select; status select; web select, insert; operator select, insert; ingest select, insert.
create table picks (
  id bigint generated always as identity not null,
  uuid uuid not null,
  capper_id integer not null,
  -- The tier of the capper at posting.
  tier tier not null,
  game_id id not null,
  -- The start of the game as known at posting.
  starts_at instant_ms,
  market slug not null,
  -- The player, team, or question that the market is about. Null for markets about the game itself.
  subject plain_text,
  side slug not null,
  line_e3 points_e3,
  -- The selection in words.
  pick plain_text not null,
  odds_american american_odds not null,
  stake_e4 integer not null,
  -- The book that offered the odds. Null: none named.
  book slug,
  -- A label that says where the pick came from.
  source slug not null,
  provenance provenance not null,
  posted_at instant_ms not null,
  -- The capper's key that signed the pick. Null: unsigned.
  author_key key_id,
  -- Chosen by the author. It prevents anyone from posting the signed pick twice.
  author_nonce text,
  -- When the author signed the pick, by the author's clock.
  author_at instant_ms,
  author_signature ed25519_signature,
  -- The subject as the author spelled and signed it. Null: as the game names it.
  author_subject plain_text,
  PRIMARY KEY (id),
  UNIQUE (uuid),
  FOREIGN KEY (capper_id) REFERENCES cappers(id),
  FOREIGN KEY (game_id) REFERENCES games(id),
  CHECK (abs(EXTRACT(epoch FROM posted_at::timestamp with time zone - author_at::timestamp with time zone)) <= 120::numeric),
  CHECK (author_key IS NULL OR provenance::text = 'live'::text),
  CHECK (author_nonce ~ '^[A-Za-z0-9_-]{16,64}$'::text),
  CHECK (author_subject IS NULL OR author_key IS NOT NULL AND author_subject::text <> subject::text),
  CHECK (char_length(author_subject::text) >= 1 AND char_length(author_subject::text) <= 80),
  CHECK (char_length(pick::text) >= 1 AND char_length(pick::text) <= 300),
  CHECK (char_length(subject::text) >= 1 AND char_length(subject::text) <= 80),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (num_nulls(author_key, author_nonce, author_at, author_signature) = ANY (ARRAY[0, 4])),
  CHECK (posted_at::timestamp with time zone < starts_at::timestamp with time zone),
  CHECK (stake_e4 >= 100 AND stake_e4 <= 1000000 AND (stake_e4 % 100) = 0)
);
create index picks_by_game ON picks (game_id, capper_id);
create unique index picks_signed_once ON picks (author_key, author_nonce) WHERE author_key IS NOT NULL;
create trigger check_picks AFTER INSERT ON picks REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_picks();
create trigger picks_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON picks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger picks_posted AFTER INSERT ON picks REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION picks_posted();

-- Idempotency keys of live picks, each with its pick.
-- Rights: operator select, insert, delete.
create table pick_requests (
  idempotency_key text not null,
  -- A hash of the request, which distinguishes a repeated request from another pick under the same key.
  fingerprint bytea not null,
  pick_uuid uuid not null,
  posted_at instant not null,
  PRIMARY KEY (idempotency_key),
  CHECK (char_length(idempotency_key) >= 1 AND char_length(idempotency_key) <= 200)
);

-- The closing price of a pick. A pick without a closing price has no row.
-- Rights: grading insert, select (pick_id, last_line_id); ingest select (pick_id); web select; sealing select; boards select; webhooks select.
create table closings (
  pick_id id not null,
  -- The start of the game.
  closed_at instant_ms not null,
  odds_american american_odds not null,
  line_e3 points_e3,
  book slug,
  captured_at instant_ms not null,
  -- The prices of all sides of the market at the closing line: [{"side": "home", "odds_american": -110}].
  prices side_prices not null,
  clv_bps integer not null,
  -- The fair probability of the pick at its own line, in billionths. Null: no book had the whole market.
  fair_e9 integer,
  -- The number of books of which the fair probability is the median.
  fair_books integer,
  -- How the fair probability was computed: docs/rules/edge.md.
  edge_method text,
  -- Whether the prices came only from providers, or also from an operator or a file.
  edge_source text,
  -- The newest id in lines at closing. Later prices had no effect.
  last_line_id seq not null,
  PRIMARY KEY (pick_id),
  FOREIGN KEY (pick_id) REFERENCES picks(id),
  CHECK (captured_at::timestamp with time zone <= closed_at::timestamp with time zone),
  CHECK (edge_method = ANY (ARRAY['power'::text, 'margin_model'::text])),
  CHECK (edge_source = ANY (ARRAY['provider'::text, 'hand'::text])),
  CHECK (fair_books >= 1 AND fair_books <= 1000),
  CHECK (fair_e9 >= 1 AND fair_e9 <= 999999999),
  CHECK (jsonb_array_length(prices::jsonb) <= 10 AND octet_length(prices::text) <= 2000),
  CHECK (num_nulls(fair_e9, fair_books, edge_method, edge_source) = ANY (ARRAY[0, 4]))
);
create trigger closings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON closings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger closings_last_line BEFORE INSERT ON closings FOR EACH ROW EXECUTE FUNCTION note_last_line();
create trigger picks_closed AFTER INSERT ON closings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION picks_closed();

-- The result of a pick. A pick settles once.
-- Rights: grading insert, select (pick_id, last_line_id); ingest select (pick_id, result, last_line_id); web select; sealing select; boards select; webhooks select; status select.
create table settlements (
  pick_id id not null,
  result pick_result not null,
  -- Whether only half of the stake counted, and the other half was returned.
  half boolean default false not null,
  settled_at instant_ms not null,
  away_score integer,
  -- The score that graded the pick, of the first half for first-half markets. Null if no score graded it.
  home_score integer,
  -- Games won in each set, home first, if they graded the pick.
  sets set_games,
  -- Whether the game went its full distance. Null if not reported.
  played extent,
  -- The statistic that graded a player market.
  stat_name slug,
  -- Its value in thousandths.
  stat_value_e3 integer,
  -- Whether the price of the pick was on offer. Null for an imported pick.
  price_verdict price_verdict,
  -- The price that the pick was compared with.
  price_odds american_odds,
  price_book slug,
  price_captured_at instant_ms,
  -- The odds at which the pick counts. Null: the pick's own, or, if the price is unseen, none.
  price_counted american_odds,
  net_units_e4 safe_integer not null,
  -- The basis of the result: score, first_half_score, sets, stat, result, cancelled, postponed, or claim.
  grader slug not null,
  -- The newest id in lines at settling.
  last_line_id seq not null,
  PRIMARY KEY (pick_id),
  FOREIGN KEY (pick_id) REFERENCES picks(id),
  CHECK ((away_score IS NULL) = (home_score IS NULL)),
  CHECK ((price_counted IS NULL) = (price_verdict IS NULL OR price_verdict::text = 'unseen'::text)),
  CHECK ((stat_name IS NULL) = (stat_value_e3 IS NULL)),
  CHECK (NOT half OR (result::text = ANY (ARRAY['win'::text, 'loss'::text]))),
  CHECK (away_score >= 0 AND away_score <= 9999),
  CHECK (home_score >= 0 AND home_score <= 9999),
  CHECK (num_nulls(price_odds, price_book, price_captured_at) =
CASE
    WHEN price_verdict::text = ANY (ARRAY['available'::text, 'above_market'::text]) THEN 0
    ELSE 3
END),
  CHECK (stat_value_e3 >= '-9999000'::integer AND stat_value_e3 <= 9999000)
);
create trigger picks_settled AFTER INSERT ON settlements REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION picks_settled();
create trigger settlements_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON settlements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger settlements_last_line BEFORE INSERT ON settlements FOR EACH ROW EXECUTE FUNCTION note_last_line();

-- Results that imported picks came with. A claim settles its own pick only, while no score, statistic, or result event decides it.
-- Rights: sealing select; grading select; operator select, insert; ingest select, insert.
create table claims (
  pick_id id not null,
  game_id id not null,
  result pick_result not null,
  -- Whether only half of the stake counted.
  half boolean default false not null,
  -- Three hours after the start of the game.
  final_at instant_ms not null,
  PRIMARY KEY (pick_id),
  FOREIGN KEY (game_id) REFERENCES games(id),
  FOREIGN KEY (pick_id) REFERENCES picks(id),
  CHECK (NOT half OR (result::text = ANY (ARRAY['win'::text, 'loss'::text])))
);
create index claims_by_game ON claims (game_id);
create trigger claims_added AFTER INSERT ON claims REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION results_added();
create trigger claims_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON claims FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Corrections and remarks by the operator. Each becomes an entry of the log.
-- Rights: operator select, insert; ingest select, insert; web select; sealing select.
create table notices (
  id bigint generated always as identity not null,
  at instant_ms not null,
  topic slug not null,
  text plain_text not null,
  PRIMARY KEY (id),
  CHECK (char_length(text::text) >= 1 AND char_length(text::text) <= 1000),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint)
);
create unique index notices_corrections ON notices (text) WHERE topic::text = 'correction'::text;
create trigger check_notice BEFORE INSERT ON notices FOR EACH ROW EXECUTE FUNCTION check_notice();
create trigger notices_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON notices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create trigger notices_made AFTER INSERT ON notices FOR EACH ROW EXECUTE FUNCTION queue_event('notice');

-- Changes requested through the operator's port, recorded before they are applied.
-- Rights: operator select, insert.
create table operator_actions (
  id bigint generated always as identity not null,
  at instant not null,
  -- The name that belongs to the token.
  operator plain_text not null,
  action slug not null,
  -- A summary of the first row.
  about text not null,
  rows integer not null,
  -- The X-Request-Id, which the process also logs.
  request_id text not null,
  PRIMARY KEY (id),
  CHECK (char_length(about) <= 500),
  CHECK (char_length(operator::text) >= 1 AND char_length(operator::text) <= 40),
  CHECK (char_length(request_id) <= 200),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (rows >= 0)
);
create trigger operator_actions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON operator_actions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The outcome of an action. An action without one failed or was interrupted, and some of its rows could be stored.
-- Rights: operator select, insert.
create table operator_outcomes (
  action_id id not null,
  at instant not null,
  -- Rows by outcome.
  counts counts not null,
  refused integer not null,
  -- The first 50 refused rows by index, each with the reason.
  refusals jsonb not null,
  -- The picks that were stored.
  picks uuid[] not null,
  PRIMARY KEY (action_id),
  FOREIGN KEY (action_id) REFERENCES operator_actions(id),
  CHECK (jsonb_typeof(refusals) = 'array'::text),
  CHECK (refused >= 0)
);
create index operator_outcomes_refused ON operator_outcomes (action_id) WHERE refused > 0;
create trigger operator_outcomes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON operator_outcomes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Files uploaded to the operator's port, kept for an hour between the dry run and the import. They may be removed at any time.
-- Rights: operator select, insert (id, operator, name, bytes), delete.
create table operator_files (
  id uuid not null,
  operator plain_text not null,
  name plain_text not null,
  bytes bytea not null,
  kept_at instant default clock_timestamp() not null,
  PRIMARY KEY (id),
  CHECK (char_length(name::text) >= 1 AND char_length(name::text) <= 100),
  CHECK (char_length(operator::text) >= 1 AND char_length(operator::text) <= 40),
  CHECK (octet_length(bytes) >= 1 AND octet_length(bytes) <= 8388608)
);
create index operator_files_by_operator ON operator_files (operator, kept_at);

-- One row: whether the log is live, a replay of past days, or a demo. Chosen when the database is created.
-- Rights: web select; operator select; ingest select; sealing select; grading select; boards select; webhooks select; status select.
create table log_kind (
  id integer not null,
  kind text not null,
  PRIMARY KEY (id),
  CHECK (id = 1),
  CHECK (kind = ANY (ARRAY['live'::text, 'replay'::text, 'demo'::text]))
);
create trigger log_kind_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON log_kind FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One row: the origin of the log, stored at the first start.
-- Rights: sealing select, insert (id, origin); operator select, insert (id, origin); web select; ingest select; boards select; status select.
create table ledger_origin (
  id integer not null,
  origin text not null,
  -- Verifier keys of the earlier logs that new-origin continued, newest first. Statements that cappers signed for them count here.
  continues text[] default '{}'::text[] not null,
  PRIMARY KEY (id),
  CHECK (id = 1)
);
create trigger ledger_origin_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_origin FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The signing keys of the log, oldest first.
-- Rights: sealing select, insert; web select; operator select; boards select; status select.
create table signing_keys (
  id integer not null,
  vkey text not null,
  -- The announcement, signed by the previous key and by this one. The first key has none.
  note text,
  PRIMARY KEY (id),
  UNIQUE (vkey),
  CHECK ((id = 1) = (note IS NULL)),
  CHECK (id > 0)
);
create trigger key_announced AFTER INSERT ON signing_keys FOR EACH ROW WHEN (new.note IS NOT NULL) EXECUTE FUNCTION queue_event('key');
create trigger signing_keys_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON signing_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Numbered prices. Each batch is an entry of the log, before those of all events that used its prices.
-- Rights: sealing select, insert (from_seq, to_seq, root, rows); web select.
create table price_batches (
  id bigint generated always as identity not null,
  -- The price_seq of the first row.
  from_seq seq not null,
  to_seq seq not null,
  -- The root of the Merkle tree over the rows.
  root sha256_hash not null,
  -- The canonical rows, one a line, compressed (raw deflate). They stay after repeated prices were removed from lines.
  rows bytea not null,
  at instant default clock_timestamp() not null,
  PRIMARY KEY (id),
  UNIQUE (from_seq),
  UNIQUE (to_seq),
  CHECK (from_seq::bigint > 0),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (octet_length(rows) >= 1 AND octet_length(rows) <= 16777216),
  CHECK (to_seq::bigint >= from_seq::bigint AND to_seq::bigint <= (from_seq::bigint + 99999))
);
create trigger check_price_batch AFTER INSERT ON price_batches FOR EACH ROW EXECUTE FUNCTION check_price_batch();
create trigger price_batches_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON price_batches FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The signed indexes of the data files. Each is an entry of the log, and repeats the lines of the one before.
-- Rights: sealing select, insert; web select.
create table data_indexes (
  id bigint generated always as identity not null,
  note text not null,
  PRIMARY KEY (id),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (octet_length(note) >= 1 AND octet_length(note) <= 4194304)
);
create trigger data_indexed AFTER INSERT ON data_indexes FOR EACH ROW EXECUTE FUNCTION queue_event('data');
create trigger data_indexes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON data_indexes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The log: one row per event, numbered densely in sealing order.
-- Rights: sealing select, insert; web select; operator select; ingest select; boards select; webhooks select; status select.
create table ledger_entries (
  seq seq not null,
  kind event_kind not null,
  pick_id id,
  notice_id id,
  key_id integer,
  move_id id,
  capper_key_id id,
  join_id id,
  prices_id id,
  data_id id,
  -- The price_seq of the last price that a closing or settlement could use.
  prices_to seq,
  uuid uuid,
  capper text,
  -- Counts the picks of the capper from 1, in sealing order.
  capper_seq integer,
  -- The hash of the capper's previous pick.
  capper_prev sha256_hash,
  -- The hash of the body.
  hash sha256_hash not null,
  -- The hash of the pick's previous event.
  prev sha256_hash,
  -- The leaf of the Merkle tree: the hash of the entry.
  leaf_hash sha256_hash not null,
  -- The body of an entry that does not belong to a pick. Bodies of picks derive from their tables.
  body text,
  PRIMARY KEY (seq),
  UNIQUE (pick_id, kind),
  FOREIGN KEY (capper_key_id) REFERENCES capper_keys(id),
  FOREIGN KEY (data_id) REFERENCES data_indexes(id),
  FOREIGN KEY (join_id) REFERENCES game_joins(id),
  FOREIGN KEY (key_id) REFERENCES signing_keys(id),
  FOREIGN KEY (move_id) REFERENCES start_moves(id),
  FOREIGN KEY (notice_id) REFERENCES notices(id),
  FOREIGN KEY (pick_id) REFERENCES picks(id),
  FOREIGN KEY (prices_id) REFERENCES price_batches(id),
  CHECK ((kind::text = 'capper_key'::text) = (capper_key_id IS NOT NULL)),
  CHECK ((kind::text = 'data'::text) = (data_id IS NOT NULL)),
  CHECK ((kind::text = 'game_joined'::text) = (join_id IS NOT NULL)),
  CHECK ((kind::text = 'key'::text) = (key_id IS NOT NULL)),
  CHECK ((kind::text = 'notice'::text) = (notice_id IS NOT NULL)),
  CHECK ((kind::text = 'prices'::text) = (prices_id IS NOT NULL)),
  CHECK ((kind::text = 'start_moved'::text) = (move_id IS NOT NULL)),
  CHECK ((kind::text = ANY (ARRAY['posted'::text, 'closed'::text, 'settled'::text])) = (body IS NULL)),
  CHECK ((kind::text = ANY (ARRAY['posted'::text, 'closed'::text, 'settled'::text])) = (pick_id IS NOT NULL)),
  CHECK (capper_prev IS NULL OR kind::text = 'posted'::text),
  CHECK (capper_seq > 0),
  CHECK (pick_id IS NULL OR uuid IS NOT NULL AND capper IS NOT NULL AND capper_seq IS NOT NULL),
  CHECK (prev IS NOT NULL OR (kind::text <> ALL (ARRAY['closed'::text, 'settled'::text]))),
  CHECK (prices_to IS NULL OR prices_to::bigint > 0 AND (kind::text = ANY (ARRAY['closed'::text, 'settled'::text])))
);
create unique index ledger_entries_by_capper ON ledger_entries (capper, capper_seq) WHERE kind::text = 'posted'::text;
create unique index ledger_entries_by_capper_key ON ledger_entries (capper_key_id) WHERE capper_key_id IS NOT NULL;
create unique index ledger_entries_by_data ON ledger_entries (data_id) WHERE data_id IS NOT NULL;
create index ledger_entries_by_hash ON ledger_entries (SUBSTRING(hash FROM 1 FOR 8));
create unique index ledger_entries_by_join ON ledger_entries (join_id) WHERE join_id IS NOT NULL;
create unique index ledger_entries_by_key ON ledger_entries (key_id) WHERE key_id IS NOT NULL;
create unique index ledger_entries_by_move ON ledger_entries (move_id) WHERE move_id IS NOT NULL;
create unique index ledger_entries_by_notice ON ledger_entries (notice_id) WHERE notice_id IS NOT NULL;
create unique index ledger_entries_by_prices ON ledger_entries (prices_id) WHERE prices_id IS NOT NULL;
create trigger check_entries AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_entries();
create constraint trigger check_tile AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.seq::bigint + 1) % 256::bigint) = 0) EXECUTE FUNCTION check_tile();
create trigger ledger_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Roots of the full tiles of the Merkle tree, at levels 8, 16, and so on.
-- Rights: sealing select, insert; web select.
create table ledger_nodes (
  level smallint not null,
  index seq not null,
  hash sha256_hash not null,
  PRIMARY KEY (level, index),
  CHECK (level > 0)
);
create trigger check_nodes AFTER INSERT ON ledger_nodes FOR EACH ROW EXECUTE FUNCTION check_nodes();
create trigger ledger_nodes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_nodes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Signed checkpoints, with their cosignatures at publication.
-- Rights: sealing select, insert; web select; operator select; ingest select; boards select; status select.
create table checkpoints (
  size seq not null,
  root sha256_hash not null,
  note text not null,
  -- The size of the previous checkpoint. Each checkpoint has at most one successor, so checkpoints form one chain.
  previous seq,
  PRIMARY KEY (size),
  UNIQUE NULLS NOT DISTINCT (previous),
  FOREIGN KEY (previous) REFERENCES checkpoints(size),
  CHECK (previous::bigint < size::bigint),
  CHECK (size::bigint > 0),
  CHECK (split_part(note, '
'::text, 2) = size::text AND split_part(note, '
'::text, 3) = encode(root::bytea, 'base64'::text))
);
create trigger check_checkpoint AFTER INSERT ON checkpoints FOR EACH ROW EXECUTE FUNCTION check_checkpoint();
create trigger checkpoints_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- When each checkpoint was signed and cosigned, according to its note. The audit compares both.
-- Rights: sealing select, insert.
create table checkpoint_times (
  size seq not null,
  signed_at instant not null,
  -- Number of witnesses that had cosigned the checkpoint at publication.
  cosignatures integer default 0 not null,
  -- When WITNESS_QUORUM witnesses had cosigned it, by their clocks. Null without a quorum. Only this time supports the claim "before the game".
  witnessed_at instant,
  PRIMARY KEY (size),
  FOREIGN KEY (size) REFERENCES checkpoints(size),
  CHECK (cosignatures >= 0),
  CHECK (witnessed_at IS NULL OR cosignatures > 0)
);

-- When the first checkpoint that covered a pick was signed and witnessed, for picks that an earlier log covered. `new-origin` fills it from that log.
-- Rights: boards select.
create table earlier_seals (
  pick_id id not null,
  signed_at instant not null,
  witnessed_at instant,
  PRIMARY KEY (pick_id),
  FOREIGN KEY (pick_id) REFERENCES picks(id)
);
create trigger earlier_seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON earlier_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Keys of witnesses that have cosigned a checkpoint.
-- Rights: sealing select, insert; web select; operator select; boards select; status select.
create table witness_keys (
  vkey text not null,
  PRIMARY KEY (vkey)
);
create trigger witness_keys_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON witness_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One row: the process that publishes the next checkpoint, and the expiry of its lease. No transaction is open while it asks witnesses.
-- Rights: sealing select, insert, update, delete.
create table publisher_lease (
  id integer not null,
  holder uuid not null,
  until instant not null,
  PRIMARY KEY (id),
  CHECK (id = 1)
);

-- Reasons why the publisher does not publish.
-- Rights: sealing select, insert, update; status select.
create table publisher_refusals (
  id integer generated always as identity not null,
  -- refused: it does not sign. withheld: too few witnesses have cosigned. conflict: a witness has cosigned a different tree.
  kind text default 'refused'::text not null,
  since instant not null,
  reason text not null,
  cleared_at instant,
  PRIMARY KEY (id),
  CHECK (id > 0),
  CHECK (kind = ANY (ARRAY['refused'::text, 'withheld'::text, 'conflict'::text]))
);
create unique index publisher_refusals_open ON publisher_refusals (kind) WHERE cleared_at IS NULL;

-- Rows that sealing and publishing lock while they work.
-- Rights: sealing select, update (name).
create table sealing_locks (
  name text not null,
  PRIMARY KEY (name)
);
create trigger sealing_locks_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON sealing_locks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Stored events without an entry in the log, in the order in which they were stored.
-- Rights: sealing select, delete; web select; operator select; ingest select; status select.
create table unsealed_events (
  id bigint generated always as identity not null,
  kind event_kind not null,
  -- The id of the pick, signing key, notice, move of a start, capper's key, or join.
  subject_id id not null,
  PRIMARY KEY (id),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint)
);
create trigger check_unsealed_removed AFTER DELETE ON unsealed_events REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION check_unsealed_removed();
create trigger unsealed_events_append_only BEFORE UPDATE OR TRUNCATE ON unsealed_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Events that cannot be sealed, with the reason. Normally empty; `npm run cli -- events` puts them back.
-- Rights: sealing select, insert; status select; web select (kind, subject_id).
create table events_set_aside (
  -- The id that the event had in unsealed_events.
  id id not null,
  kind event_kind not null,
  subject_id id not null,
  reason plain_text not null,
  set_aside_at instant default clock_timestamp() not null,
  PRIMARY KEY (id),
  CHECK (char_length(reason::text) >= 1 AND char_length(reason::text) <= 1000)
);
create index events_set_aside_by_subject ON events_set_aside (subject_id);
create trigger events_set_aside_append_only BEFORE UPDATE OR TRUNCATE ON events_set_aside FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Rows outside the ledger that the service did not store, and that it ignored or rebuilt. Normally empty; `npm run cli -- events` deletes the list.
-- Rights: sealing select, insert; boards select, insert; webhooks select, insert; status select.
create table rows_set_aside (
  table_name slug not null,
  "row" plain_text not null,
  reason plain_text not null,
  set_aside_at instant default clock_timestamp() not null,
  PRIMARY KEY (table_name, "row"),
  CHECK (char_length("row"::text) >= 1 AND char_length("row"::text) <= 200),
  CHECK (char_length(reason::text) >= 1 AND char_length(reason::text) <= 1000)
);
create trigger rows_set_aside_append_only BEFORE UPDATE OR TRUNCATE ON rows_set_aside FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Picks without a settlement.
-- Rights: web select; operator select; ingest select; grading select; boards select; status select.
create table pending_picks (
  pick_id id not null,
  game_id id not null,
  market slug not null,
  subject plain_text,
  side slug not null,
  closed boolean default false not null,
  PRIMARY KEY (pick_id),
  FOREIGN KEY (game_id) REFERENCES games(id),
  FOREIGN KEY (pick_id) REFERENCES picks(id)
);
create index pending_picks_by_game ON pending_picks (game_id);

-- Games with pending picks, and when each is due for grading.
-- Rights: grading select, insert, delete; operator select; ingest select.
create table due_games (
  id bigint generated always as identity not null,
  game_id id not null,
  -- The start of the game, or 1970 for a game with new data, which is due at once.
  due_at instant not null,
  PRIMARY KEY (id),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint)
);
create index due_games_by_game ON due_games (game_id);
create index due_games_by_time ON due_games (due_at, game_id);

-- Imports of files in progress. Grading skips games with imported picks until the imports end or expire.
-- Rights: operator select, insert, update, delete; ingest select, insert, update, delete; grading select; status select.
create table open_imports (
  id bigint generated always as identity not null,
  until instant not null,
  PRIMARY KEY (id),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint)
);

-- Picks and results of sheets that were read with assumptions, until they are stored or withdrawn. Nothing of it is public.
-- Rights: operator select, insert, delete; ingest select, insert, delete.
create table waiting_imports (
  id bigint generated always as identity not null,
  due_at instant not null,
  about plain_text not null,
  picks integer not null,
  -- Rows by file and kind, each with its line.
  rows jsonb not null,
  PRIMARY KEY (id),
  CHECK (char_length(about::text) >= 1 AND char_length(about::text) <= 200),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (jsonb_typeof(rows) = 'array'::text AND octet_length(rows::text) <= 134217728),
  CHECK (picks >= 0)
);
create index waiting_imports_due ON waiting_imports (due_at);

-- Games with prices that can repeat their neighbors. The grading worker removes such prices, and the row.
-- Rights: grading select, delete.
create table priced_games (
  game_id id not null,
  PRIMARY KEY (game_id),
  FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE
);

-- Changed games and cappers, which make boards stale, and games with pending picks and new prices.
-- Rights: boards select, delete.
create table world_changes (
  id bigint generated always as identity not null,
  subject text not null,
  subject_id id not null,
  PRIMARY KEY (id),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (subject = ANY (ARRAY['game'::text, 'capper'::text, 'prices'::text]))
);

-- The position of each reader in the log.
-- Rights: boards select, insert, update (next_seq, repairs); webhooks select, update (next_seq); web select; operator select; ingest select; sealing select; status select.
create table reader_cursors (
  reader text not null,
  -- The next entry to read.
  next_seq seq not null,
  -- Ranges of projections repaired: changes that no entry shows.
  repairs integer default 0 not null,
  PRIMARY KEY (reader)
);
create trigger check_cursor BEFORE UPDATE ON reader_cursors FOR EACH ROW EXECUTE FUNCTION check_cursor();
create trigger check_new_cursor BEFORE INSERT ON reader_cursors FOR EACH ROW WHEN (new.next_seq::bigint > 0) EXECUTE FUNCTION check_cursor();

-- A pick with its closing, settlement, and seal in one row.
-- Rights: boards select, insert, update, delete; web select; sealing select; status select.
create table board_picks (
  pick_id id not null,
  uuid uuid not null,
  capper_id integer not null,
  tier tier not null,
  sport text not null,
  game_id id not null,
  -- The start of the game as known at posting.
  starts_at instant,
  market slug not null,
  subject plain_text,
  side slug not null,
  line_e3 points_e3,
  pick plain_text not null,
  odds_american american_odds not null,
  stake_e4 integer not null,
  book slug,
  source slug not null,
  provenance provenance not null,
  posted_at instant not null,
  author_key key_id,
  closed_at instant,
  closing_odds american_odds,
  closing_line_e3 points_e3,
  clv_bps integer,
  -- As in closings.
  edge_method text,
  -- As in closings.
  edge_source text,
  -- Whether the closing price is at the pick's own line.
  same_line boolean,
  -- The edge against the fair closing probability at the pick's own line. Null: not closed, or a side has no price.
  edge_bps integer,
  result pick_result,
  half boolean,
  settled_at instant,
  net_units_e4 safe_integer,
  -- Whether the odds of a live pick were on offer. Provisional while the pick is pending, then as sealed.
  price_verdict price_verdict,
  -- The price that the pick was compared with.
  price_odds american_odds,
  price_book slug,
  price_captured_at instant,
  price_counted american_odds,
  -- The odds at which the pick counts in figures. Null: in none.
  counted_odds integer generated always as (
CASE
    WHEN ((price_verdict)::text = 'unseen'::text) THEN NULL::integer
    ELSE (COALESCE(price_counted, odds_american))::integer
END) stored,
  -- The CLV of the counted odds, against the closing odds as shown if they are not the posted ones.
  clv_counted_bps bigint generated always as (
CASE
    WHEN ((clv_bps IS NULL) OR ((COALESCE(price_counted, odds_american))::integer = (odds_american)::integer)) THEN (clv_bps)::numeric
    ELSE round(((10000)::numeric * ((
    CASE
        WHEN ((price_counted)::integer > 0) THEN ((1)::numeric + ((price_counted)::numeric / 100.0))
        ELSE ((1)::numeric - (100.0 / (NULLIF((price_counted)::integer, 0))::numeric))
    END / NULLIF(
    CASE
        WHEN ((closing_odds)::integer > 0) THEN ((1)::numeric + ((closing_odds)::numeric / 100.0))
        ELSE ((1)::numeric - (100.0 / (NULLIF((closing_odds)::integer, 0))::numeric))
    END, (0)::numeric)) - (1)::numeric)))
END) stored,
  -- When the first checkpoint that covers the pick was signed.
  sealed_at instant,
  -- For a live pick: whether a witnessed or only signed checkpoint covered it before the start. Null: no checkpoint yet, or no start.
  sealed_in_time text,
  PRIMARY KEY (pick_id),
  CHECK (edge_method = ANY (ARRAY['power'::text, 'margin_model'::text])),
  CHECK (edge_source = ANY (ARRAY['provider'::text, 'hand'::text])),
  CHECK (sealed_in_time = ANY (ARRAY['witnessed'::text, 'signed'::text, 'late'::text])),
  CHECK (sealed_in_time IS NULL OR sealed_at IS NOT NULL AND provenance::text = 'live'::text)
) with (fillfactor=50);
create index board_picks_by_capper ON board_picks (capper_id, posted_at DESC, uuid);
create index board_picks_by_capper_same_line_clv ON board_picks (capper_id, clv_counted_bps) INCLUDE (price_verdict) WHERE clv_counted_bps IS NOT NULL AND same_line;
create index board_picks_by_capper_settled ON board_picks (capper_id, settled_at DESC, posted_at DESC, uuid DESC) INCLUDE (result, price_verdict) WHERE result IS NOT NULL;
create index board_picks_by_feed ON board_picks (tier, sport, provenance, posted_at DESC NULLS LAST, uuid);
create index board_picks_by_feed_settled ON board_picks (sport, provenance, settled_at DESC NULLS LAST, posted_at DESC, uuid) WHERE result IS NOT NULL;
create index board_picks_by_game ON board_picks (game_id, posted_at, uuid) INCLUDE (market, side);
create index board_picks_by_posted ON board_picks (posted_at DESC, uuid);
create index board_picks_by_settled ON board_picks (settled_at DESC, posted_at DESC, uuid) WHERE result IS NOT NULL;
create index board_picks_by_sport ON board_picks (sport, pick_id);
create index board_picks_by_subject ON board_picks (subject, sport, settled_at DESC) INCLUDE (market) WHERE subject IS NOT NULL;
create unique index board_picks_by_uuid ON board_picks (uuid);
create index board_picks_to_check ON board_picks (pick_id) WHERE result IS NULL AND provenance::text = 'live'::text AND price_verdict IS NULL;

-- Sums per capper, sport, market, and day.
-- Rights: boards select, insert, update, delete; web select.
create table daily_rollups (
  capper_id integer not null,
  sport text not null,
  market slug not null,
  provenance provenance not null,
  -- Posted picks count on the day of posting, results on the day of settling.
  day day not null,
  posted integer default 0 not null,
  last_posted_at instant,
  wins integer default 0 not null,
  losses integer default 0 not null,
  -- Wins and losses of which half of the stake counted. They have half the weight in the sums below.
  halves integer default 0 not null,
  pushes integer default 0 not null,
  voids integer default 0 not null,
  -- Net units.
  net_e4 safe_integer default 0 not null,
  -- Units staked on wins and losses.
  staked_e4 safe_integer default 0 not null,
  -- Sum of 1/decimal over wins and losses, in billionths.
  break_even_e9 safe_integer default 0 not null,
  -- Net units of one unit on each win and loss, in millionths.
  flat_e6 safe_integer default 0 not null,
  -- Sum of weight^2 * (decimal - 1) over wins and losses, in millionths: the variance of flat_e6 by chance.
  flat_variance_e6 safe_integer default 0 not null,
  -- Sum of CLV in basis points over clv_sample picks.
  clv_sum safe_integer default 0 not null,
  -- Settled picks with a closing price at their own line.
  clv_sample integer default 0 not null,
  -- Settled picks with a closing price at another line.
  clv_moved_sample integer default 0 not null,
  -- Sum of edges in basis points over edge_sample picks.
  edge_sum safe_integer default 0 not null,
  -- Settled picks with an edge.
  edge_sample integer default 0 not null,
  -- Settled picks that no checkpoint covered before the start.
  late integer default 0 not null,
  -- Settled picks without prices to compare with.
  unchecked integer default 0 not null,
  -- Settled picks that count at the market's price: their odds were above it.
  above_market integer default 0 not null,
  -- Settled picks that count in no other sum: no comparable price was stored.
  unseen integer default 0 not null,
  PRIMARY KEY (capper_id, day, sport, market, provenance)
);
create index daily_rollups_by_day ON daily_rollups (day);

-- daily_rollups, summed over all days.
-- Rights: boards select, insert, update, delete; web select.
create table capper_totals (
  capper_id integer not null,
  sport text not null,
  market slug not null,
  provenance provenance not null,
  posted integer default 0 not null,
  last_posted_at instant,
  wins integer default 0 not null,
  losses integer default 0 not null,
  -- Wins and losses of which half of the stake counted. They have half the weight in the sums below.
  halves integer default 0 not null,
  pushes integer default 0 not null,
  voids integer default 0 not null,
  -- Net units.
  net_e4 safe_integer default 0 not null,
  -- Units staked on wins and losses.
  staked_e4 safe_integer default 0 not null,
  -- Sum of 1/decimal over wins and losses, in billionths.
  break_even_e9 safe_integer default 0 not null,
  -- Net units of one unit on each win and loss, in millionths.
  flat_e6 safe_integer default 0 not null,
  -- Sum of weight^2 * (decimal - 1) over wins and losses, in millionths: the variance of flat_e6 by chance.
  flat_variance_e6 safe_integer default 0 not null,
  -- Sum of CLV in basis points over clv_sample picks.
  clv_sum safe_integer default 0 not null,
  -- Settled picks with a closing price at their own line.
  clv_sample integer default 0 not null,
  -- Settled picks with a closing price at another line.
  clv_moved_sample integer default 0 not null,
  -- Sum of edges in basis points over edge_sample picks.
  edge_sum safe_integer default 0 not null,
  -- Settled picks with an edge.
  edge_sample integer default 0 not null,
  -- Settled picks that no checkpoint covered before the start.
  late integer default 0 not null,
  -- Settled picks without prices to compare with.
  unchecked integer default 0 not null,
  -- Settled picks that count at the market's price: their odds were above it.
  above_market integer default 0 not null,
  -- Settled picks that count in no other sum: no comparable price was stored.
  unseen integer default 0 not null,
  PRIMARY KEY (capper_id, sport, market, provenance)
) with (fillfactor=70);

-- Followers' prices of settled live picks, from the prices stored at settling. No row: no book was read.
-- Rights: boards select, insert, update, delete; web select.
create table follower_prices (
  pick_id id not null,
  -- Minutes after posting.
  delay integer not null,
  -- Null: no book that was read priced the pick, or its game had started.
  odds_american american_odds,
  book slug,
  captured_at instant,
  net_units_e4 safe_integer,
  -- Against the closing odds as sealed. Null: not closed.
  clv_bps integer,
  -- As in board_picks, at these odds.
  edge_bps integer,
  PRIMARY KEY (pick_id, delay)
);

-- Sums of settled picks at followers' odds, per capper, sport, market, delay, and day.
-- Rights: boards select, insert, update, delete; web select.
create table follower_days (
  capper_id integer not null,
  sport text not null,
  market slug not null,
  -- Minutes after posting.
  delay integer not null,
  -- The day of settling.
  day day not null,
  wins integer default 0 not null,
  losses integer default 0 not null,
  -- Wins and losses of which half of the stake counted. They have half the weight in the sums below.
  halves integer default 0 not null,
  pushes integer default 0 not null,
  voids integer default 0 not null,
  -- Net units.
  net_e4 safe_integer default 0 not null,
  -- Units staked on wins and losses.
  staked_e4 safe_integer default 0 not null,
  -- Sum of 1/decimal over wins and losses, in billionths.
  break_even_e9 safe_integer default 0 not null,
  -- Net units of one unit on each win and loss, in millionths.
  flat_e6 safe_integer default 0 not null,
  -- Sum of weight^2 * (decimal - 1) over wins and losses, in millionths: the variance of flat_e6 by chance.
  flat_variance_e6 safe_integer default 0 not null,
  -- Sum of CLV in basis points over clv_sample picks.
  clv_sum safe_integer default 0 not null,
  -- Settled picks with a closing price at their own line.
  clv_sample integer default 0 not null,
  -- Settled picks with a closing price at another line.
  clv_moved_sample integer default 0 not null,
  -- Sum of edges in basis points over edge_sample picks.
  edge_sum safe_integer default 0 not null,
  -- Settled picks with an edge.
  edge_sample integer default 0 not null,
  -- Settled picks that no checkpoint covered before the start.
  late integer default 0 not null,
  -- Settled picks without prices to compare with.
  unchecked integer default 0 not null,
  -- Settled picks that count at the market's price: their odds were above it.
  above_market integer default 0 not null,
  -- Settled picks that count in no other sum: no comparable price was stored.
  unseen integer default 0 not null,
  PRIMARY KEY (capper_id, day, sport, market, delay)
);
create index follower_days_by_day ON follower_days (day);

-- follower_days, summed over all days.
-- Rights: boards select, insert, update, delete; web select.
create table follower_totals (
  capper_id integer not null,
  sport text not null,
  market slug not null,
  -- Minutes after posting.
  delay integer not null,
  wins integer default 0 not null,
  losses integer default 0 not null,
  -- Wins and losses of which half of the stake counted. They have half the weight in the sums below.
  halves integer default 0 not null,
  pushes integer default 0 not null,
  voids integer default 0 not null,
  -- Net units.
  net_e4 safe_integer default 0 not null,
  -- Units staked on wins and losses.
  staked_e4 safe_integer default 0 not null,
  -- Sum of 1/decimal over wins and losses, in billionths.
  break_even_e9 safe_integer default 0 not null,
  -- Net units of one unit on each win and loss, in millionths.
  flat_e6 safe_integer default 0 not null,
  -- Sum of weight^2 * (decimal - 1) over wins and losses, in millionths: the variance of flat_e6 by chance.
  flat_variance_e6 safe_integer default 0 not null,
  -- Sum of CLV in basis points over clv_sample picks.
  clv_sum safe_integer default 0 not null,
  -- Settled picks with a closing price at their own line.
  clv_sample integer default 0 not null,
  -- Settled picks with a closing price at another line.
  clv_moved_sample integer default 0 not null,
  -- Sum of edges in basis points over edge_sample picks.
  edge_sum safe_integer default 0 not null,
  -- Settled picks with an edge.
  edge_sample integer default 0 not null,
  -- Settled picks that no checkpoint covered before the start.
  late integer default 0 not null,
  -- Settled picks without prices to compare with.
  unchecked integer default 0 not null,
  -- Settled picks that count at the market's price: their odds were above it.
  above_market integer default 0 not null,
  -- Settled picks that count in no other sum: no comparable price was stored.
  unseen integer default 0 not null,
  PRIMARY KEY (capper_id, sport, market, delay)
) with (fillfactor=70);

-- What the verdict on a capper depends on: settled live picks at prices that were on offer.
-- Rights: boards select, insert, delete; web select.
create table capper_verdicts (
  capper_id integer not null,
  -- Empty: all sports. A part of a record with few results has no row.
  sport text not null,
  -- Empty: all markets.
  market text not null,
  -- Settled live picks, whatever their price.
  live integer not null,
  -- Those that were void before their start.
  voided integer not null,
  wins integer not null,
  losses integer not null,
  -- Wins and losses of which half of the stake counted.
  halves integer not null,
  -- Net units of one unit on each win and loss, in millionths.
  flat_e6 safe_integer not null,
  -- Its variance by chance, in millionths.
  flat_variance_e6 safe_integer not null,
  net_e4 safe_integer not null,
  -- Games whose earliest pick won or lost.
  games integer not null,
  -- The chance of those picks. Null: not needed for the verdict, because they are too few or only a part of the record.
  chance_pct percentage,
  -- Games with an edge.
  edge_games integer not null,
  -- Those with a positive one.
  edges_above integer not null,
  -- The mean edge over games, in percent.
  edge_mean real_number not null,
  -- Its standard deviation over games, in percent.
  edge_deviation real_number not null,
  PRIMARY KEY (capper_id, sport, market)
) with (fillfactor=70);

-- Per thousand picks by id: when one was last posted.
-- Rights: boards select, insert, update, delete; web select.
create table pick_blocks (
  -- Block 0 contains ids 1 to 1000.
  block seq not null,
  last_posted_at instant not null,
  PRIMARY KEY (block),
  CHECK (block::bigint <= '9007199254741'::bigint)
) with (fillfactor=70);
create index pick_blocks_by_last_posted_at ON pick_blocks (last_posted_at, block);

-- The Pick of the Day, chosen once a day.
-- Rights: boards select, insert; web select.
create table picks_of_the_day (
  day day not null,
  pick_id id not null,
  chosen_at instant not null,
  PRIMARY KEY (day),
  FOREIGN KEY (pick_id) REFERENCES picks(id)
);
create trigger picks_of_the_day_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON picks_of_the_day FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Each filter with a subscription. A column that is null matches everything.
-- Rights: web select, insert; webhooks select, update (head_seq); status select.
create table webhook_filters (
  id integer generated always as identity not null,
  capper_id integer,
  sport text,
  market slug,
  tier tier,
  kind text,
  team plain_text,
  player plain_text,
  -- The names of the team and of the player, as in webhook_events. An event matches that has one.
  about text[],
  -- The seq of the newest matching event. -1: none yet.
  head_seq safe_integer default '-1'::integer not null,
  PRIMARY KEY (id),
  UNIQUE NULLS NOT DISTINCT (capper_id, sport, market, tier, kind, team, player),
  FOREIGN KEY (capper_id) REFERENCES cappers(id),
  FOREIGN KEY (sport) REFERENCES sports(key),
  CHECK ((num_nulls(team, player) = 2) = (about IS NULL)),
  CHECK (char_length(player::text) >= 1 AND char_length(player::text) <= 100),
  CHECK (char_length(team::text) >= 1 AND char_length(team::text) <= 100),
  CHECK (head_seq::bigint >= '-1'::integer),
  CHECK (id > 0),
  CHECK (kind = ANY (ARRAY['posted'::text, 'settled'::text]))
);

-- Subscriptions. Each reads the log with a cursor, under a lease.
-- Rights: web select, insert, update; webhooks select, update, delete; status select (id, filter_id, status, platform, consecutive_failures, cursor_seq, retry_at); operator select (id, status).
create table webhook_subscriptions (
  id integer generated always as identity not null,
  filter_id integer not null,
  -- Null: a device, which has no account.
  owner_email plain_text,
  -- Encrypted with SECRET_KEY, like the secrets.
  target_url_sealed bytea not null,
  target_host plain_text not null,
  target_url_masked plain_text not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  rotated_at instant,
  -- Seconds after rotated_at during which the previous secret still signs.
  overlap_seconds integer default 86400 not null,
  -- The target's chat platform, or push. Null: an ordinary receiver.
  platform slug,
  -- Identifies a device by a hash of the endpoint and the keys that its browser made. It may follow several filters.
  device sha256_hash,
  -- The address that subscribed, an IPv6 address as its /64, for the limit per address. Erased when the subscription is revoked.
  client plain_text,
  created_at instant not null,
  status text default 'active'::text not null,
  paused_at instant,
  disabled_at instant,
  revoked_at instant,
  -- The next entry of the log to consider.
  cursor_seq seq not null,
  -- The cycle that cycle_sent and cycle_over refer to.
  cycle safe_integer default 0 not null,
  cycle_sent integer default 0 not null,
  cycle_over boolean default false not null,
  consecutive_failures integer default 0 not null,
  failed_cycle safe_integer,
  retry_at instant,
  -- Counts leases. Writes under an older generation are rejected.
  generation safe_integer default 0 not null,
  lease_until instant,
  last_delivery_at instant,
  last_status integer,
  last_error slug,
  PRIMARY KEY (id),
  UNIQUE (device, filter_id),
  FOREIGN KEY (filter_id) REFERENCES webhook_filters(id),
  CHECK ((owner_email IS NULL) = (NOT platform::text IS DISTINCT FROM 'push'::text)),
  CHECK (char_length(client::text) >= 1 AND char_length(client::text) <= 100),
  CHECK (char_length(owner_email::text) >= 3 AND char_length(owner_email::text) <= 254),
  CHECK (char_length(target_host::text) >= 1 AND char_length(target_host::text) <= 300),
  CHECK (char_length(target_url_masked::text) >= 1 AND char_length(target_url_masked::text) <= 400),
  CHECK (consecutive_failures >= 0),
  CHECK (device IS NULL OR owner_email IS NULL),
  CHECK (id > 0),
  CHECK (overlap_seconds >= 0 AND overlap_seconds <= 86400),
  CHECK (previous_secret_sealed IS NULL OR rotated_at IS NOT NULL),
  CHECK (status <> 'paused'::text OR paused_at IS NOT NULL),
  CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text, 'revoked'::text]))
) with (fillfactor=50);
create index webhook_subscriptions_by_client ON webhook_subscriptions (client) WHERE status = ANY (ARRAY['active'::text, 'paused'::text]);
create index webhook_subscriptions_by_email ON webhook_subscriptions (lower(owner_email::text));
create index webhook_subscriptions_chat ON webhook_subscriptions (filter_id, cursor_seq, id) WHERE status = 'active'::text AND platform::text <> 'push'::text;
create index webhook_subscriptions_ended ON webhook_subscriptions (COALESCE(revoked_at, disabled_at)) WHERE status <> 'active'::text;
create index webhook_subscriptions_failed ON webhook_subscriptions (failed_cycle) WHERE failed_cycle IS NOT NULL;
create index webhook_subscriptions_healthy ON webhook_subscriptions (filter_id, cursor_seq, id) WHERE status = 'active'::text AND platform IS NULL AND consecutive_failures = 0;
create index webhook_subscriptions_push ON webhook_subscriptions (filter_id, cursor_seq, id) WHERE status = 'active'::text AND platform::text = 'push'::text;
create index webhook_subscriptions_slow ON webhook_subscriptions (filter_id, cursor_seq, id) WHERE status = 'active'::text AND platform IS NULL AND consecutive_failures > 0;

-- Entries of the log that subscribers receive. Can be rebuilt from the log.
-- Rights: webhooks select, insert, update; web select; status select.
create table webhook_events (
  seq seq not null,
  pick_id id not null,
  kind text not null,
  capper_id integer not null,
  sport text not null,
  market slug not null,
  tier tier not null,
  -- The teams of the game, `team:` and a name in lower case, and the subject of the pick, `player:` and its text, sorted.
  about text[] not null,
  -- When the fanout read the entry.
  at instant not null,
  PRIMARY KEY (seq),
  CHECK (kind = ANY (ARRAY['posted'::text, 'settled'::text]))
);
create index webhook_events_by_capper ON webhook_events (capper_id, seq);
create index webhook_events_by_sport ON webhook_events (sport, seq);

-- One row: the latest fanout cycle, numbered by minutes since 1970.
-- Rights: webhooks select, insert, update; status select.
create table webhook_cycles (
  id integer not null,
  cycle safe_integer not null,
  started_at instant not null,
  PRIMARY KEY (id),
  CHECK (id = 1)
);

-- Requests to receivers, kept for 30 days. Partitioned by day, so that a whole day is removed by truncation.
-- Rights: web select, insert; webhooks select, insert, delete; operator select; status select.
create table webhook_attempts (
  -- The day of the attempt since 1970, modulo 35.
  slot smallint not null,
  subscription_id integer not null,
  at instant not null,
  delivery_id text not null,
  event text not null,
  pick_uuid uuid,
  picks smallint default 1 not null,
  status integer,
  error slug,
  duration_ms integer not null,
  -- The generation of the attempt's lease, if the subscription's row is updated only when the lease ends.
  generation safe_integer,
  -- The subscription's cursor after the attempt.
  next_seq seq,
  CHECK (duration_ms >= 0),
  CHECK (event = ANY (ARRAY['pick.posted'::text, 'pick.settled'::text, 'ping'::text, 'message'::text]))
) partition by LIST (slot);
create index webhook_attempts_by_at ON ONLY webhook_attempts (at);
create index webhook_attempts_by_subscription ON ONLY webhook_attempts (subscription_id, at DESC);
create table webhook_attempts_0 partition of webhook_attempts FOR VALUES IN ('0');
create table webhook_attempts_1 partition of webhook_attempts FOR VALUES IN ('1');
create table webhook_attempts_2 partition of webhook_attempts FOR VALUES IN ('2');
create table webhook_attempts_3 partition of webhook_attempts FOR VALUES IN ('3');
create table webhook_attempts_4 partition of webhook_attempts FOR VALUES IN ('4');
create table webhook_attempts_5 partition of webhook_attempts FOR VALUES IN ('5');
create table webhook_attempts_6 partition of webhook_attempts FOR VALUES IN ('6');
create table webhook_attempts_7 partition of webhook_attempts FOR VALUES IN ('7');
create table webhook_attempts_8 partition of webhook_attempts FOR VALUES IN ('8');
create table webhook_attempts_9 partition of webhook_attempts FOR VALUES IN ('9');
create table webhook_attempts_10 partition of webhook_attempts FOR VALUES IN ('10');
create table webhook_attempts_11 partition of webhook_attempts FOR VALUES IN ('11');
create table webhook_attempts_12 partition of webhook_attempts FOR VALUES IN ('12');
create table webhook_attempts_13 partition of webhook_attempts FOR VALUES IN ('13');
create table webhook_attempts_14 partition of webhook_attempts FOR VALUES IN ('14');
create table webhook_attempts_15 partition of webhook_attempts FOR VALUES IN ('15');
create table webhook_attempts_16 partition of webhook_attempts FOR VALUES IN ('16');
create table webhook_attempts_17 partition of webhook_attempts FOR VALUES IN ('17');
create table webhook_attempts_18 partition of webhook_attempts FOR VALUES IN ('18');
create table webhook_attempts_19 partition of webhook_attempts FOR VALUES IN ('19');
create table webhook_attempts_20 partition of webhook_attempts FOR VALUES IN ('20');
create table webhook_attempts_21 partition of webhook_attempts FOR VALUES IN ('21');
create table webhook_attempts_22 partition of webhook_attempts FOR VALUES IN ('22');
create table webhook_attempts_23 partition of webhook_attempts FOR VALUES IN ('23');
create table webhook_attempts_24 partition of webhook_attempts FOR VALUES IN ('24');
create table webhook_attempts_25 partition of webhook_attempts FOR VALUES IN ('25');
create table webhook_attempts_26 partition of webhook_attempts FOR VALUES IN ('26');
create table webhook_attempts_27 partition of webhook_attempts FOR VALUES IN ('27');
create table webhook_attempts_28 partition of webhook_attempts FOR VALUES IN ('28');
create table webhook_attempts_29 partition of webhook_attempts FOR VALUES IN ('29');
create table webhook_attempts_30 partition of webhook_attempts FOR VALUES IN ('30');
create table webhook_attempts_31 partition of webhook_attempts FOR VALUES IN ('31');
create table webhook_attempts_32 partition of webhook_attempts FOR VALUES IN ('32');
create table webhook_attempts_33 partition of webhook_attempts FOR VALUES IN ('33');
create table webhook_attempts_34 partition of webhook_attempts FOR VALUES IN ('34');

-- A row that a transaction locks while the fanout reads the log or a filter is created.
-- Rights: web select, update (name); webhooks select, update (name).
create table webhook_locks (
  name text not null,
  PRIMARY KEY (name)
);
create trigger webhook_locks_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON webhook_locks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The last poll of each source.
-- Rights: ingest select, insert, update, delete; operator select; status select; web select (source, ran_at, ok, message, next_at, left_out, quota_remaining, quota_used, quota_from, quota_at_start).
create table source_runs (
  source plain_text not null,
  ran_at instant,
  ok boolean not null,
  message plain_text not null,
  succeeded_at instant,
  -- Number of consecutive failed polls.
  failures integer not null,
  -- When the source is polled next.
  next_at instant,
  quota_remaining integer,
  quota_used integer,
  quota_from instant,
  quota_at_start integer,
  etag text,
  last_modified text,
  key_hash text,
  -- Number of games in a schedule's last response.
  listed integer,
  -- Number of games in a response about a day earlier, for comparison.
  listed_usually integer,
  -- When that response arrived.
  usual_at instant,
  -- Number of items that the last poll left out, by reason.
  left_out counts default '{}'::jsonb not null,
  PRIMARY KEY (source),
  CHECK (char_length(message::text) >= 1 AND char_length(message::text) <= 500),
  CHECK (char_length(source::text) >= 1 AND char_length(source::text) <= 100),
  CHECK (failures >= 0),
  CHECK (listed >= 0),
  CHECK (listed_usually >= 0)
);

-- The last request of each kind to a feed. Kept for two days, and for thirty if it was for a past day.
-- Rights: ingest select, insert, update, delete; operator select; status select.
create table source_requests (
  source plain_text not null,
  -- The form of the request and its span, such as month 202611.
  request plain_text not null,
  asked_at instant not null,
  etag text,
  last_modified text,
  -- Why the source does not answer requests of this form. It is tried again after a day.
  refusal plain_text,
  -- What is wrong with the answer, although it can be read.
  finding plain_text,
  -- When that was found first.
  found_at instant,
  PRIMARY KEY (source, request),
  CHECK ((finding IS NULL) = (found_at IS NULL)),
  CHECK (char_length(finding::text) >= 1 AND char_length(finding::text) <= 300),
  CHECK (char_length(refusal::text) >= 1 AND char_length(refusal::text) <= 300),
  CHECK (char_length(request::text) >= 1 AND char_length(request::text) <= 100),
  CHECK (char_length(source::text) >= 1 AND char_length(source::text) <= 100)
);

-- What a feed listed for each day, to notice answers that changed. Kept for four weeks.
-- Rights: ingest select, insert, update, delete; operator select.
create table source_days (
  source plain_text not null,
  day day not null,
  -- Number of requests made on that day.
  requests integer default 0 not null,
  -- Number of games that the last sound answer listed for that day.
  listed integer,
  -- When that answer arrived.
  seen_at instant,
  -- Fields that finished games had in answers of that day.
  had text[] default '{}'::text[] not null,
  -- Fields that no finished game had.
  lacked text[] default '{}'::text[] not null,
  PRIMARY KEY (source, day),
  CHECK ((listed IS NULL) = (seen_at IS NULL)),
  CHECK (char_length(source::text) >= 1 AND char_length(source::text) <= 100),
  CHECK (listed >= 0),
  CHECK (requests >= 0)
);

-- The game of each event of a source, by its opponents, and the start that the source last gave.
-- Rights: ingest select, insert, update, delete; operator select; status select; web select.
create table source_events (
  source plain_text not null,
  event_id plain_text not null,
  game_id id not null,
  starts_at instant_ms not null,
  seen_at instant not null,
  -- Number of consecutive responses without the event, or with other opponents.
  missed integer default 0 not null,
  -- When the first of these responses arrived.
  missed_since instant,
  -- Number of requests for the event's score, which is limited.
  score_asks integer default 0 not null,
  PRIMARY KEY (source, event_id, game_id),
  FOREIGN KEY (game_id) REFERENCES games(id),
  CHECK ((missed > 0) = (missed_since IS NOT NULL)),
  CHECK (char_length(event_id::text) >= 1 AND char_length(event_id::text) <= 400),
  CHECK (char_length(source::text) >= 1 AND char_length(source::text) <= 100),
  CHECK (missed >= 0),
  CHECK (score_asks >= 0)
);
create index source_events_by_game ON source_events (game_id);
create index source_events_by_start ON source_events (source, starts_at);

-- Each source's report of a game's end, kept for 30 days after the last report.
-- Rights: ingest select, insert, update, delete; operator select; status select.
create table source_scores (
  game_id id not null,
  source plain_text not null,
  state text not null,
  -- The score of a final or suspended game. Null with state final: the game is over, but its score cannot grade picks.
  home_score integer,
  away_score integer,
  home_half_score integer,
  away_half_score integer,
  sets set_games,
  played extent,
  periods_e3 integer,
  -- The reason if there is no score.
  note plain_text,
  -- When the source first gave exactly this report.
  said_at instant not null,
  PRIMARY KEY (game_id, source),
  FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE,
  CHECK ((home_half_score IS NULL) = (away_half_score IS NULL)),
  CHECK ((home_score IS NULL) = (away_score IS NULL)),
  CHECK (away_half_score >= 0),
  CHECK (away_score >= 0),
  CHECK (char_length(note::text) >= 1 AND char_length(note::text) <= 200),
  CHECK (char_length(source::text) >= 1 AND char_length(source::text) <= 100),
  CHECK (home_half_score >= 0),
  CHECK (home_score >= 0),
  CHECK (periods_e3 >= 0),
  CHECK (state = ANY (ARRAY['scheduled'::text, 'delayed'::text, 'in_progress'::text, 'suspended'::text, 'postponed'::text, 'cancelled'::text, 'final'::text]))
);
create index source_scores_by_time ON source_scores (said_at);

-- A row that a transaction locks while it applies a source's reports.
-- Rights: operator select, update (name); ingest select, update (name).
create table source_locks (
  name text not null,
  PRIMARY KEY (name)
);
create trigger source_locks_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON source_locks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Requests to The Odds API, which cost credits. Kept for 40 days.
-- Rights: ingest select, insert, delete; operator select; status select; web select.
create table odds_api_calls (
  id bigint generated always as identity not null,
  at instant not null,
  sport_key text not null,
  -- The requested event. Null: all events of the sport.
  event_id text,
  markets text[] not null,
  -- The past time of the requested prices. Null: current prices.
  snapshot_at instant,
  -- closing: the last request before starts with picks. earlier: a request with spare credits. repair: a request for missed closings.
  purpose text not null,
  credits integer not null,
  PRIMARY KEY (id),
  CHECK (credits >= 0),
  CHECK (id >= 1 AND id <= '9007199254740991'::bigint),
  CHECK (purpose = ANY (ARRAY['closing'::text, 'earlier'::text, 'repair'::text]))
);
create index odds_api_calls_by_time ON odds_api_calls (at);

-- One row: the state of the status worker after its last round, leased to one worker.
-- Rights: status select, insert, update; web select; operator select.
create table status_watch (
  id integer not null,
  state jsonb not null,
  written_at instant not null,
  holder uuid not null,
  held_until instant not null,
  PRIMARY KEY (id),
  CHECK (id = 1)
);

-- Incidents, and the messages about each that the chat channel received.
-- Rights: status select, insert, update; web select; operator select.
create table status_incidents (
  id uuid not null,
  check_name plain_text not null,
  title plain_text not null,
  status text not null,
  worst text not null,
  message text not null,
  affects text[] not null,
  opened_at instant not null,
  closed_at instant,
  told_status text,
  told_at instant,
  recovery_told_at instant,
  PRIMARY KEY (id),
  CHECK (char_length(check_name::text) >= 1 AND char_length(check_name::text) <= 200),
  CHECK (char_length(title::text) >= 1 AND char_length(title::text) <= 200),
  CHECK (closed_at::timestamp with time zone >= opened_at::timestamp with time zone),
  CHECK (status = ANY (ARRAY['degraded'::text, 'down'::text])),
  CHECK (told_status = ANY (ARRAY['degraded'::text, 'down'::text])),
  CHECK (worst = ANY (ARRAY['degraded'::text, 'down'::text]))
);
create index status_incidents_by_closing ON status_incidents (closed_at);
create unique index status_incidents_open ON status_incidents (check_name) WHERE closed_at IS NULL;

-- Rounds by outcome, per check and day.
-- Rights: status select, insert, update, delete; web select.
create table status_days (
  name text not null,
  day day not null,
  ok integer not null,
  degraded integer not null,
  down integer not null,
  PRIMARY KEY (day, name)
);

-- The progress of a demo. Empty in other logs.
-- Rights: ingest select, insert, update; web select; operator select; sealing select; grading select; boards select; status select.
create table demo_progress (
  id integer not null,
  until instant not null,
  PRIMARY KEY (id),
  CHECK (id = 1)
);

-- The role of each process. `migrate` writes it.
-- Rights: web select; operator select; ingest select; sealing select; grading select; boards select; webhooks select; status select.
create table login_roles (
  login slug not null,
  role name not null,
  PRIMARY KEY (login),
  UNIQUE (role)
);

-- Rejects checkpoints beyond the log, and those that do not follow the newest one.
create function check_checkpoint()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  if new.size > (select coalesce(max(seq) + 1, 0) from ledger_entries) then
    raise exception 'the log has fewer entries than the % of the checkpoint', new.size using errcode = 'PP004', table = 'checkpoints';
  end if;
  if new.previous is distinct from (select max(size) from checkpoints where size <> new.size) then
    raise exception 'checkpoint % does not follow the newest one', new.size using errcode = 'PP004', table = 'checkpoints';
  end if;
  return null;
end $$
;

-- Rejects moving another reader's cursor, and moving a cursor back or past the log.
create function check_cursor()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
declare
  owned_by text := case new.reader when 'webhooks' then 'webhooks' else 'boards' end;
  size bigint := (select coalesce(max(seq) + 1, 0) from ledger_entries);
begin
  if tg_op = 'UPDATE' and new.reader <> old.reader or exists (select from login_roles where role = current_user and login <> owned_by) then
    raise insufficient_privilege using message = format('only the login %s may move the cursor of %s', owned_by, new.reader);
  end if;
  -- Moving back would count entries twice, and moving past the log would skip entries.
  if exists (select from login_roles where role = current_user) and (
    new.next_seq > size or (tg_op = 'INSERT' and new.next_seq > 0)
    or (tg_op = 'UPDATE' and new.next_seq < old.next_seq and old.next_seq <= size)) then
    raise exception 'the cursor of % can only move forward, and not past the log', new.reader using errcode = 'PP004', table = 'reader_cursors';
  end if;
  return new;
end $$
;

-- Rejects entries without a stored event, and gaps in seq or in the chain of a capper or pick.
create function check_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $$
declare
  fault text;
begin
  select reason into fault from (
    select format('entries %s to %s do not continue the log', min(seq), max(seq)) as reason from added
    having max(seq) - min(seq) + 1 <> count(*)
      or (min(seq) > 0 and not exists (select from ledger_entries e where e.seq = (select min(seq) - 1 from added)))
    union all
    select format('entry %s: its event is not stored', a.seq)
    from added a join picks p on p.id = a.pick_id join cappers c on c.id = p.capper_id
    where (a.uuid, a.capper) <> (p.uuid, c.handle)
      or (a.kind = 'closed' and not exists (select from closings k where k.pick_id = a.pick_id))
      or (a.kind = 'settled' and not exists (select from settlements s where s.pick_id = a.pick_id))
    union all
    -- A broken chain would keep every later pick of the capper out of the log.
    select format('entry %s: it does not continue the chain of its capper or pick', a.seq)
    from added a
    where case a.kind
      when 'posted' then case a.capper_seq when 1 then a.capper_prev is not null
        else not exists (select from ledger_entries e where e.capper = a.capper and e.kind = 'posted'
          and e.capper_seq = a.capper_seq - 1 and e.hash = a.capper_prev) end
      when 'closed' then not exists (select from ledger_entries e where e.pick_id = a.pick_id and e.kind = 'posted'
          and (e.capper_seq, e.hash) = (a.capper_seq, a.prev))
      when 'settled' then not exists (select from ledger_entries e where e.pick_id = a.pick_id and e.kind in ('posted', 'closed')
          and (e.capper_seq, e.hash) = (a.capper_seq, a.prev))
      else false end) f
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = 'PP004', table = 'ledger_entries';
  end if;
  return null;
end $$
;

-- Completes a join of games. Rejects joins with a joined game, one of another sport, one of another day, and one that ended differently.
create function check_join()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
declare
  origin record;
  target record;
  other bigint;
begin
  perform from games where id in (new.from_game, new.to_game) order by id for update;
  select * into origin from games where id = new.from_game;
  select * into target from games where id = new.to_game;
  select to_game into other from game_joins where from_game in (new.from_game, new.to_game);
  if other is not null then
    raise exception 'one of them was joined into game % before', other using errcode = 'restrict_violation';
  elsif origin.sport <> target.sport then
    raise exception 'their sports differ' using errcode = 'restrict_violation';
  elsif abs(extract(epoch from origin.starts_at - target.starts_at)) > 25 * 3600
      or abs(coalesce(origin.day, (origin.starts_at at time zone 'America/New_York')::date)
        - coalesce(target.day, (target.starts_at at time zone 'America/New_York')::date)) > 2 then
    raise exception 'more than a day lies between their starts' using errcode = 'restrict_violation';
  elsif origin.status in ('final', 'cancelled') and target.status in ('final', 'cancelled')
      and (origin.status, origin.home_score, origin.away_score) is distinct from (target.status, target.home_score, target.away_score) then
    raise exception 'they ended differently' using errcode = 'restrict_violation';
  end if;
  new.at := service_clock();
  new.joined_by := coalesce((select login from login_roles where role = session_user), 'owner');
  new.prices := coalesce(new.at < (select min(starts_at) from games where id in (new.from_game, new.to_game)), true);
  return new;
end $$
;

-- Rejects removal of prices that picks depend on. Only prices of an ended game that repeat their neighbors can be removed.
create function check_lines_removed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $$
declare
  fault text;
begin
  with snapshots as (
    select game_id, market, book, by_hand, captured_at, bool_or(closing) as closing,
      array_agg(distinct concat_ws(' ', subject, side, coalesce(line_e3::text, '-'), odds_american)) as prices
    from removed group by game_id, market, book, by_hand, captured_at
  )
  select format('prices of game %s are in use', s.game_id) into fault
  from snapshots s
  join games g on g.id = s.game_id
  cross join lateral (select
    max(l.captured_at) filter (where l.captured_at < s.captured_at) as before,
    min(l.captured_at) filter (where l.captured_at > s.captured_at) as after,
    bool_or(l.captured_at = s.captured_at) as is_partial
    from lines l where l.game_id = s.game_id and l.market = s.market and l.book = s.book and l.by_hand = s.by_hand) n
  where exists (select from picks p where p.game_id = s.game_id and p.market = s.market)
    and (s.closing or n.before is null or n.after is null or n.is_partial or g.final_at is null
      -- It differs from an adjacent snapshot.
      or exists (select from (values (n.before), (n.after)) beside (at) where s.prices is distinct from (
        select array_agg(distinct concat_ws(' ', l.subject, l.side, coalesce(l.line_e3::text, '-'), l.odds_american)) from lines l
        where l.game_id = s.game_id and l.market = s.market and l.book = s.book and l.by_hand = s.by_hand
          and l.captured_at = beside.at))
      -- It was the latest snapshot at a start.
      or exists (select from (
          select g.announced_start as at union all select g.starts_at
          union all select m.from_start from start_moves m where m.game_id = s.game_id) start
        where start.at >= s.captured_at and start.at < n.after)
      -- It was the last snapshot before a live pick was posted, or the first one after.
      or exists (select from picks p where p.game_id = s.game_id and p.provenance = 'live'
        and p.posted_at >= n.before and p.posted_at < n.after)
      or exists (select from picks p join closings c on c.pick_id = p.id
        where p.game_id = s.game_id and p.market = s.market and c.book = s.book and c.captured_at = s.captured_at))
  limit 1;
  if fault is null then
    -- It gave a follower's price, among the prices that the settlement used: docs/rules/records.md#the-followers-price.
    select format('prices of game %s are in use', s.game_id) into fault
    from (select game_id, market, book, by_hand, captured_at, subject, min(id) as first_id from removed group by 1, 2, 3, 4, 5, 6) s
    join picks p on p.game_id = s.game_id and p.market = s.market and p.subject is not distinct from s.subject
      and p.provenance = 'live' and s.captured_at >= p.posted_at and s.captured_at <= p.posted_at + interval '75 minutes'
    left join settlements t on t.pick_id = p.id
    cross join unnest(array[5, 15, 60]) delay (minutes)
    cross join lateral (select p.posted_at + make_interval(mins => delay.minutes) as since) w
    where s.captured_at >= w.since and s.captured_at <= w.since + interval '15 minutes'
      and s.first_id <= coalesce(t.last_line_id, s.first_id)
      and not exists (select from lines l
        where l.game_id = s.game_id and l.market = s.market and l.book = s.book and l.by_hand = s.by_hand
          and l.captured_at >= w.since and l.captured_at < s.captured_at
          and l.subject is not distinct from s.subject and l.id <= coalesce(t.last_line_id, l.id))
    limit 1;
  end if;
  if fault is not null then
    raise exception '%', fault using errcode = 'PP005', table = 'lines';
  end if;
  return null;
end $$
;

-- Rejects nodes over entries that are not stored.
create function check_nodes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  -- Sealing stores the entries of a tile first. A node stored ahead of them would block the correct one.
  if new.level % 8 <> 0 or new.level > 48
    or ((new.index + 1)::numeric * 2::numeric ^ new.level) > (select coalesce(max(seq) + 1, 0) from ledger_entries) then
    raise exception 'node % of level % is ahead of the log', new.index, new.level using errcode = 'PP004', table = 'ledger_nodes';
  end if;
  return null;
end $$
;

-- Rejects notices in a live log with another time than the present.
create function check_notice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  if exists (select from log_kind where kind = 'live')
    and new.at not between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute' then
    raise exception 'a notice in a live log must have the current time, not %', new.at using errcode = 'PP001', table = 'notices';
  end if;
  return new;
end $$
;

-- Rejects picks with an impossible tier, start, post time, or author.
create function check_picks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $$
declare
  fault text;
begin
  select format('pick %s: %s', a.uuid, f.reason) into fault
  from added a
  join games g on g.id = a.game_id
  join cappers c on c.id = a.capper_id
  cross join log_kind k
  cross join (select exists (select from login_roles where role = session_user and login = 'web') as is_public) d
  cross join lateral (select case
    when d.is_public and a.author_key is null then 'its author has not signed it'
    when a.author_key is not null and not exists (
      select from capper_keys k where k.key_id = a.author_key and k.capper_id = a.capper_id and k.action = 'add'
        and k.purpose = 'device') then 'its author''s key is not a key of its capper'
    when a.author_key is not null and exists (
      select from capper_keys k where k.key_id = a.author_key and k.action = 'revoke') then 'its author''s key is revoked'
    when not c.verified then 'its capper is not verified'
    when a.tier <> c.tier then 'its tier is not the tier of its capper'
    when a.posted_at >= g.starts_at then 'it is posted after the start of its game'
    when k.kind = 'live' and a.posted_at > clock_timestamp() + interval '1 minute' then 'it is posted in the future'
    when a.provenance = 'imported' then
      case when a.starts_at is distinct from g.announced_start then 'its start is not the announced start of its game' end
    when a.starts_at is null then 'its game has no start'
    when exists (select from start_moves m where m.game_id = g.id and m.from_start <= m.at) then 'its game had a start that has passed'
    when a.starts_at is distinct from g.starts_at then 'its start is not the start of its game'
    when g.status in ('final', 'cancelled') then 'its game is over'
    when k.kind = 'live' and a.posted_at < clock_timestamp() - interval '1 minute' then 'it is posted in the past'
    when k.kind = 'live' and g.starts_at <= clock_timestamp() then 'its game has started'
    end as reason) f
  where f.reason is not null
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = 'PP001', table = 'picks';
  end if;
  return null;
end $$
;

-- Rejects gaps in the numbers of prices.
create function check_price_batch()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  if new.from_seq <> 1 + coalesce((select max(to_seq) from price_batches where id <> new.id), 0) then
    raise exception 'prices from % do not follow the last batch', new.from_seq using errcode = 'restrict_violation';
  end if;
  return null;
end $$
;

-- Rejects, at the end of a transaction, a completed tile without its node. The tree could not grow further.
create function check_tile()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  if not exists (select from ledger_nodes where level = 8 and index = new.seq / 256)
    or ((new.seq + 1) % 65536 = 0 and not exists (select from ledger_nodes where level = 16 and index = new.seq / 65536)) then
    raise exception 'entry %: the node that it completes is missing', new.seq using errcode = 'PP004', table = 'ledger_nodes';
  end if;
  return null;
end $$
;

-- Rejects removal of an event that is neither sealed nor set aside.
create function check_unsealed_removed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $$
declare
  fault text;
begin
  select format('the %s event of %s is not sealed', r.kind, r.subject_id) into fault
  from removed r
  where not exists (select from events_set_aside a where a.id = r.id)
    and not case r.kind
      when 'notice' then exists (select from ledger_entries e where e.notice_id = r.subject_id)
      when 'start_moved' then exists (select from ledger_entries e where e.move_id = r.subject_id)
      when 'game_joined' then exists (select from ledger_entries e where e.join_id = r.subject_id)
      when 'prices' then exists (select from ledger_entries e where e.prices_id = r.subject_id)
      when 'data' then exists (select from ledger_entries e where e.data_id = r.subject_id)
      when 'capper_key' then exists (select from ledger_entries e where e.capper_key_id = r.subject_id)
      when 'key' then exists (select from ledger_entries e where e.key_id = r.subject_id)
      else exists (select from ledger_entries e where e.pick_id = r.subject_id and e.kind = r.kind) end
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = 'PP005', table = 'unsealed_events';
  end if;
  return null;
end $$
;

-- Copies the rows of a table with ids above a limit from one game to another, with the subjects of the other.
create function copy_rows(origin bigint, target bigint, kind text, after bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into subjects (game_id, form, spelling, subject)
    select target, form, spelling, subject_in(target, origin, subject) from subjects where game_id = origin
    order by form on conflict do nothing;
  insert into subject_names (game_id, subject, name)
    select distinct on (1, 2) target, subject_in(target, origin, subject), name from subject_names where game_id = origin
    order by 1, 2, 3 on conflict do nothing;
  case kind
    when 'lines' then
      insert into lines (game_id, market, subject, side, line_e3, odds_american, captured_at, closing, book, by_hand)
        select target, market, subject_in(target, origin, subject), side, line_e3, odds_american, captured_at, closing, book, by_hand
        from lines where game_id = origin and id > after order by id on conflict do nothing;
    when 'results' then
      insert into results (game_id, market, subject, side, line_e3, result, half, final_at)
        select target, market, subject_in(target, origin, subject), side, line_e3, result, half, final_at
        from results where game_id = origin and id > after order by id on conflict do nothing;
    when 'voids' then
      insert into voids (game_id, market, subject, at, reason)
        select target, market, subject_in(target, origin, subject), at, reason
        from voids where game_id = origin and id > after order by id on conflict do nothing;
    when 'stats' then
      insert into stats (game_id, subject, stat, value_e3, source, final_at)
        select target, subject_in(target, origin, subject), stat, value_e3, source, final_at
        from stats where game_id = origin and id > after order by id on conflict do nothing;
  end case;
end $$
;

-- Makes a changed game with pending picks due at once.
create function game_due()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into due_games (game_id, due_at)
    select new.id, 'epoch' where exists (select from pending_picks p where p.game_id = new.id);
  return null;
end $$
;

-- Gives both games of a join the prices, results, and score of the other, and the earlier one the events of the sources.
create function join_games()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
declare
  origin record;
  target record;
  kind text;
begin
  update games set home_known = true where id in (new.from_game, new.to_game) and not home_known;
  update games set vouched_at = service_clock() where id = new.to_game and vouched_at is null
    and exists (select from games where id = new.from_game and vouched_at is not null);
  update source_events e set game_id = new.to_game where game_id = new.from_game
    and not exists (select from source_events o where (o.source, o.event_id, o.game_id) = (e.source, e.event_id, new.to_game));
  update source_scores s set game_id = new.to_game where game_id = new.from_game
    and not exists (select from source_scores o where (o.source, o.game_id) = (s.source, new.to_game));
  delete from source_events where game_id = new.from_game;
  delete from source_scores where game_id = new.from_game;
  foreach kind in array array['lines', 'results', 'voids', 'stats'] loop
    continue when kind = 'lines' and not new.prices;
    -- The rows that the other game gets come back as copies, which change nothing.
    perform copy_rows(new.from_game, new.to_game, kind, 0);
    perform copy_rows(new.to_game, new.from_game, kind, 0);
  end loop;
  select * into origin from games where id = new.from_game;
  select * into target from games where id = new.to_game;
  -- A change of the earlier game reaches the other through mirror_game.
  if target.status not in ('final', 'cancelled') and origin.status <> 'scheduled' then
    update games set status = origin.status, home_score = origin.home_score, away_score = origin.away_score,
      home_half_score = origin.home_half_score, away_half_score = origin.away_half_score, sets = origin.sets, played = origin.played,
      periods_e3 = origin.periods_e3, final_at = origin.final_at, was_postponed = was_postponed or origin.was_postponed
      where id = target.id;
  elsif target.status <> 'scheduled' and origin.status not in ('final', 'cancelled') then
    update games set status = target.status, home_score = target.home_score, away_score = target.away_score,
      home_half_score = target.home_half_score, away_half_score = target.away_half_score, sets = target.sets, played = target.played,
      periods_e3 = target.periods_e3, final_at = target.final_at, was_postponed = was_postponed or target.was_postponed
      where id = origin.id;
  end if;
  return null;
end $$
;

-- Returns the game that a game was joined into, by the entries of a log of that size; the game itself if none.
create function joined_game(game bigint, size bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  return (
    with recursive chain (id) as (
      select game
      union all
      select j.to_game from chain c join game_joins j on j.from_game = c.id join ledger_entries e on e.join_id = j.id and e.seq < size
    )
    select min(id) from chain);
end $$
;

-- Rejects changes of a game's identity and of its result, and sets held_start. Home and away can be swapped while they are a guess and nothing refers to the game.
create function keep_game()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  if (new.id, new.sport) <> (old.id, old.sport) or new.announced_start is distinct from old.announced_start
    or new.day is distinct from old.day
    or new.announced_at <> old.announced_at
    or (new.name <> old.name and (old.home_known
      or exists (select from picks where game_id = old.id)
      or exists (select from lines where game_id = old.id)
      or exists (select from results where game_id = old.id))) then
    raise exception 'the identity of a game never changes' using errcode = 'restrict_violation';
  end if;
  if old.vouched_at is null and new.vouched_at is not null then
    new.vouched_at := service_clock();
  elsif new.vouched_at is distinct from old.vouched_at then
    raise exception 'a game that was announced stays announced' using errcode = 'restrict_violation';
  end if;
  new.held_start := coalesce(old.held_start,
    case when new.starts_at is distinct from old.starts_at and old.starts_at <= service_clock() then old.starts_at end);
  if old.home_known and not new.home_known then
    raise exception 'a known home team stays known' using errcode = 'restrict_violation';
  end if;
  if old.status in ('final', 'cancelled')
    and (new.status, new.home_score, new.away_score, new.played, new.periods_e3, new.final_at)
      is distinct from (old.status, old.home_score, old.away_score, old.played, old.periods_e3, old.final_at) then
    raise exception 'game % has ended: a final score and the end of a game never change', old.id using errcode = 'PP005';
  end if;
  if old.home_half_score is not null
    and (new.home_half_score, new.away_half_score) is distinct from (old.home_half_score, old.away_half_score) then
    raise exception 'the score of a first half never changes' using errcode = 'restrict_violation';
  end if;
  if old.sets is not null and new.sets is distinct from old.sets then
    raise exception 'the sets of a match never change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$
;

-- Rejects changes of a handle.
create function keep_handle()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  if new.id <> old.id or new.handle <> old.handle then
    raise exception 'a handle never changes' using errcode = 'restrict_violation';
  end if;
  return new;
end $$
;

-- Rejects changes of prices, except the number that sealing gives each.
create function keep_price()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
declare
  numbered record := old;
begin
  numbered.price_seq := new.price_seq;
  if old.price_seq is not null or new is distinct from numbered then
    raise exception 'a stored price never changes, except that it is numbered once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$
;

-- Makes games with unclosed picks due at once, and lists priced days, games, and picks in priced_days, priced_games, and world_changes.
create function lines_added()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $$
begin
  insert into due_games (game_id, due_at)
    select a.game_id, 'epoch' from (select distinct game_id from added) a
    where exists (select from pending_picks p where p.game_id = a.game_id and not p.closed)
      and not exists (select from due_games d where d.game_id = a.game_id);
  -- The first price of a sport on a day changes the price checks of all pending picks of that sport.
  with fresh as (
    insert into priced_days (sport, day, captured_at, line_id)
      select g.sport, (a.captured_at at time zone 'America/New_York')::date, min(a.captured_at), min(a.id)
      from added a join games g on g.id = a.game_id where not a.by_hand group by 1, 2 order by 1, 2 on conflict do nothing
      returning sport
  )
  -- Includes games without pending picks, because another transaction could be about to commit one.
  insert into world_changes (subject, subject_id)
    select 'prices', game_id from (
      select a.game_id from added a join games g on g.id = a.game_id where g.status <> 'final'
      union select g.id from fresh f join games g on g.status <> 'final' and (g.sport = f.sport or not exists (select from priced_days))
      union select p.game_id from pending_picks p join added a on a.game_id = p.game_id
      union select p.game_id from pending_picks p join games g on g.id = p.game_id join fresh f on f.sport = g.sport or not exists (select from priced_days)) priced;
  insert into priced_games (game_id) select distinct game_id from added order by game_id on conflict do nothing;
  return null;
end $$
;

-- Copies the status and score of a game to the games joined into it. Their starts stay.
create function mirror_game()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  update games g set status = new.status, home_score = new.home_score, away_score = new.away_score, home_half_score = new.home_half_score,
      away_half_score = new.away_half_score, sets = new.sets, played = new.played, periods_e3 = new.periods_e3, final_at = new.final_at,
      was_postponed = g.was_postponed or new.was_postponed
    from game_joins j where j.to_game = new.id and g.id = j.from_game and g.status not in ('final', 'cancelled');
  update games g set home_half_score = coalesce(g.home_half_score, new.home_half_score),
      away_half_score = coalesce(g.away_half_score, new.away_half_score), sets = coalesce(g.sets, new.sets)
    from game_joins j where j.to_game = new.id and g.id = j.from_game and new.status = 'final'
      and g.status = 'final' and (g.home_score, g.away_score) = (new.home_score, new.away_score)
      and (g.home_half_score is null and new.home_half_score is not null or g.sets is null and new.sets is not null);
  return null;
end $$
;

-- Copies new prices, results, voids, and statistics of a game to the games joined into it.
create function mirror_rows()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $$
begin
  perform copy_rows(j.to_game, j.from_game, tg_table_name, a.first - 1)
    from (select game_id, min(id) as first from added group by game_id) a
    join game_joins j on j.to_game = a.game_id and (j.prices or tg_table_name <> 'lines');
  return null;
end $$
;

-- Sets announced_at, held_start, and vouched_at unless only a sheet names the game, overriding the statement.
create function note_announced()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  new.announced_at := service_clock();
  if new.vouched_at is not null then
    new.vouched_at := new.announced_at;
  end if;
  new.held_start := case when new.announced_start <= new.announced_at and new.starts_at is distinct from new.announced_start
    then new.announced_start end;
  return new;
end $$
;

-- Sets stored_at of a capper's key in a live log by the database's clock, overriding the statement.
create function note_capper_key()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  if exists (select from log_kind where kind = 'live') then
    new.stored_at := date_trunc('milliseconds', clock_timestamp());
  end if;
  return new;
end $$
;

-- Adds the words of a handle and a display name to search_words.
create function note_capper_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into search_words
    select w.word from unnest(tsvector_to_array(words_of(new.handle || ' ' || coalesce(new.display_name, '')))) as w (word)
    where not exists (select from search_words s where s.word = w.word);
  return null;
end $$
;

-- Lists a changed game or capper in world_changes.
create function note_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into world_changes (subject, subject_id) values (tg_argv[0], new.id);
  return null;
end $$
;

-- Adds the words of a game's name to search_words.
create function note_game_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into search_words
    select w.word from unnest(tsvector_to_array(words_of(new.name))) as w (word)
    where not exists (select from search_words s where s.word = w.word);
  return null;
end $$
;

-- Lists a game in world_changes if a source named a subject of it otherwise.
create function note_game_of_subject()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into world_changes (subject, subject_id) values ('game', new.game_id);
  return null;
end $$
;

-- Sets last_line_id to the newest id in lines, overriding the statement.
create function note_last_line()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  new.last_line_id := coalesce(pg_sequence_last_value('lines_id_seq'), 0);
  return new;
end $$
;

-- Clears price_seq. Sets stored_at, in a live log always, otherwise if the statement does not give it.
create function note_price()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  new.price_seq := null;
  if new.stored_at is null or exists (select from log_kind where kind = 'live') then
    new.stored_at := service_clock();
  end if;
  return new;
end $$
;

-- Lists a capper with a new profile in world_changes.
create function note_profile()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into world_changes (subject, subject_id) values ('capper', new.capper_id);
  return null;
end $$
;

-- Records a move of a game's start in start_moves.
create function note_start_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into start_moves (game_id, game, from_start, to_start, at, moved_by)
  values (new.id, new.name, case tg_op when 'INSERT' then new.announced_start else old.starts_at end, new.starts_at,
    service_clock(), coalesce((select login from login_roles where role = session_user), 'owner'));
  return null;
end $$
;

-- Adds the words of a player's or other subject's name to search_words.
create function note_subject_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into search_words
    select w.word from unnest(tsvector_to_array(words_of(new.subject))) as w (word)
    where not exists (select from search_words s where s.word = w.word);
  return null;
end $$
;

-- Marks picks as closed in pending_picks and lists their closings in unsealed_events. Rejects closings of settled picks and closings in the future.
create function picks_closed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $$
declare
  marked bigint;
begin
  if exists (select from added a join log_kind k on k.kind = 'live'
      where a.closed_at > clock_timestamp() + interval '1 minute') then
    raise exception 'a closing is in the future' using errcode = 'PP002', table = 'closings';
  end if;
  update pending_picks p set closed = true from added where p.pick_id = added.pick_id;
  get diagnostics marked = row_count;
  if marked < (select count(*) from added) then
    raise exception 'a pick that is settled cannot close' using errcode = 'PP002', table = 'closings';
  end if;
  insert into unsealed_events (kind, subject_id) select 'closed', pick_id from added order by closed_at, pick_id;
  return null;
end $$
;

-- Lists new picks in pending_picks and unsealed_events, and their games in due_games.
create function picks_posted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $$
begin
  insert into pending_picks (pick_id, game_id, market, subject, side)
    select id, game_id, market, subject, side from added;
  insert into unsealed_events (kind, subject_id) select 'posted', id from added order by id;
  insert into due_games (game_id, due_at)
    select g.id, case when news.any or g.starts_at is null then 'epoch' else g.starts_at end
    from (select game_id, bool_or(provenance = 'imported') as imported from added group by game_id) a
    join games g on g.id = a.game_id
    cross join lateral (select g.status <> 'scheduled' or g.was_postponed
      or exists (select from results r where r.game_id = g.id)
      or exists (select from voids v where v.game_id = g.id) as any) news
    where news.any or a.imported or not exists (select from due_games d where d.game_id = g.id);
  return null;
end $$
;

-- Removes picks from pending_picks and lists their settlements in unsealed_events. Rejects settlements in the future.
create function picks_settled()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $$
begin
  if exists (select from added a join log_kind k on k.kind = 'live'
      where a.settled_at > clock_timestamp() + interval '1 minute') then
    raise exception 'a settlement is in the future' using errcode = 'PP003', table = 'settlements';
  end if;
  delete from pending_picks p using added where p.pick_id = added.pick_id;
  insert into unsealed_events (kind, subject_id) select 'settled', pick_id from added order by settled_at, pick_id;
  return null;
end $$
;

-- Lists a new notice, key, capper's key, move of a start, join of games, or index of data files in unsealed_events.
create function queue_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into unsealed_events (kind, subject_id) values (tg_argv[0], new.id);
  return null;
end $$
;

-- Rejects changes of append-only tables, also by the owner.
create function refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  raise exception '% on % is refused: the table is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$
;

-- Makes games with new results, statistics, claims, or voids and pending picks due at once.
create function results_added()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  insert into due_games (game_id, due_at)
    select distinct a.game_id, timestamptz 'epoch' from added a
    where exists (select from pending_picks p where p.game_id = a.game_id);
  return null;
end $$
;

-- Returns the database's clock. In a replay or demo, returns the service's clock if the transaction has set it.
create function service_clock()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  return date_trunc('milliseconds', case when exists (select from log_kind where kind = 'live') then clock_timestamp()
    else coalesce(nullif(current_setting('public_picks.now', true), '')::timestamptz, clock_timestamp()) end);
end $$
;

-- Returns the subject of a game that has the spelling of a subject of another game.
create function subject_in(target bigint, origin bigint, named text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $$
begin
  return coalesce((
    select t.subject from subjects o join subjects t on t.game_id = target and t.form = o.form
    where o.game_id = origin and o.subject = named order by t.subject = named, t.form limit 1), named);
end $$
;

-- Returns the words of a name without case, accents, and punctuation.
create function words_of(name text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $$
  select pg_catalog.to_tsvector('pg_catalog.simple', pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(pg_catalog.normalize(name, 'NFKD'), '[\u0300-\u036F]', '', 'g'),
    '[^a-zA-Z0-9\u0080-\uFFFF]+', ' ', 'g'))
$$
;
