-- Column types. Each has bounds that JavaScript represents exactly: integers within 2^53, instants of the years 1 to 9999. A suffix names
-- the unit: _e3 thousandths, _e4 ten-thousandths, _bps basis points.

create extension if not exists pg_trgm;

create domain id as bigint check (value between 1 and 9007199254740991);
comment on domain id is 'The id of a row.';

create domain seq as bigint check (value between 0 and 9007199254740991);
comment on domain seq is 'A position in the log, or a count of entries.';

create domain safe_integer as bigint check (value between -9007199254740991 and 9007199254740991);
comment on domain safe_integer is 'An integer that JavaScript represents exactly.';

create domain instant as timestamptz check (value >= '0001-01-01 00:00:00Z' and value < '10000-01-01 00:00:00Z');
comment on domain instant is 'A point in time that JavaScript can represent.';

create domain instant_ms as timestamptz check (
  value >= '0001-01-01 00:00:00Z' and value < '10000-01-01 00:00:00Z' and value = date_trunc('milliseconds', value));
comment on domain instant_ms is 'An instant in whole milliseconds, as in hashed bodies.';

create domain day as date check (value between '0001-01-01' and '9999-12-31');
comment on domain day is 'A calendar day in US Eastern time.';

create domain american_odds as int check (abs(value) between 100 and 100000);
comment on domain american_odds is 'American odds.';

create domain points_e3 as int check (abs(value) <= 9999000);
comment on domain points_e3 is 'A line, in thousandths of a point.';

create domain percentage as double precision check (value between 0 and 100);
comment on domain percentage is 'A share in percent.';

create domain real_number as double precision check (value > '-Infinity' and value < 'Infinity');
comment on domain real_number is 'A finite floating-point number.';

create domain sha256_hash as bytea check (octet_length(value) = 32);
comment on domain sha256_hash is 'A SHA-256 hash.';

create domain slug as text check (value ~ '^[a-z0-9][a-z0-9_-]*$' and char_length(value) <= 40);
comment on domain slug is 'Up to 40 lower-case letters, digits, hyphens, or underscores.';

create domain plain_text as text check (value !~ '[\u0001-\u001f\u007f-\u009f]');
comment on domain plain_text is 'Text without control characters.';

create domain tier as text check (value in ('elite', 'verified_sharp', 'listed'));
comment on domain tier is 'The operator''s opinion of a capper.';

create domain provenance as text check (value in ('live', 'imported'));
comment on domain provenance is
  'live: the service recorded the time of posting. imported: the time of posting is a claim.';

create domain pick_result as text check (value in ('win', 'loss', 'push', 'void'));
comment on domain pick_result is 'The result of a pick.';

create domain extent as text check (value in ('full', 'shortened'));
comment on domain extent is 'Whether a game went its full distance.';

create domain price_verdict as text check (value in ('available', 'above_market', 'unseen', 'unchecked'));
comment on domain price_verdict is 'Whether the price of a live pick was on offer.';

create domain set_games as jsonb check (
  jsonb_typeof(value) = 'array' and jsonb_array_length(value) between 1 and 7
  and not jsonb_path_exists(value, 'strict $[*] ? (@.type() != "array" || @.size() != 2)')
  and not jsonb_path_exists(value, 'lax $[*][*] ? (@.type() != "number" || @ < 0 || @ > 99 || @ != @.floor())'));
comment on domain set_games is 'Games won in each set, home first: [[6, 4], [7, 6]].';

create domain side_prices as jsonb check (
  jsonb_typeof(value) = 'array'
  and not jsonb_path_exists(value, 'strict $[*] ? (@.type() != "object")')
  and not jsonb_path_exists(value, 'lax $[*] ? (!exists(@.side ? (@.type() == "string"))
    || !exists(@.odds_american ? (@.type() == "number" && @ == @.floor() && @ >= -100000 && @ <= 100000)))'));
comment on domain side_prices is 'The prices of sides: [{"side": "home", "odds_american": -110}].';

create domain key_id as text check (value ~ '^[0-9a-f]{64}$');
comment on domain key_id is 'The id of a capper''s key: the SHA-256 hash of the public key, in hex.';

create domain ed25519_key as text check (value ~ '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$');
comment on domain ed25519_key is 'An Ed25519 public key in base64.';

create domain ed25519_signature as text check (value ~ '^[A-Za-z0-9+/]{85}[AQgw]==$');
comment on domain ed25519_signature is 'An Ed25519 signature in base64.';

create domain event_kind as text check (value in ('posted', 'closed', 'settled', 'key', 'notice', 'start_moved', 'capper_key', 'game_joined', 'prices', 'data'));
comment on domain event_kind is 'The kind of an entry of the log.';

create domain counts as jsonb check (
  jsonb_typeof(value) = 'object' and not jsonb_path_exists(value, 'strict $.* ? (@.type() != "number")')
  and octet_length(value::text) <= 10000);
comment on domain counts is 'Counts by name: {"added": 3}.';
