import type { Knex } from 'knex';

/** Append-only tables: what happened. */
const appendOnly = ['picks', 'closings', 'settlements', 'notices', 'ledger_entries'];

/** Mutable tables: reference data, work queues, and projections of the log, which can be rebuilt. */
const changing = [
  'sports',
  'cappers',
  'games',
  'lines',
  'results',
  'pick_requests',
  'pending_picks',
  'unsealed_events',
  'repriced_games',
  'world_changes',
  'reader_cursors',
  'board_picks',
  'daily_rollups',
  'capper_streaks',
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$ begin
      create role public_picks_service nologin;
    exception when duplicate_object or unique_violation then null;
    end $$;
    -- Since PostgreSQL 16 the creator of a role may administer it, but not switch to it. If another role created it, that one must grant it.
    do $$ begin
      if not (select rolsuper from pg_roles where rolname = current_user) then
        execute format('grant public_picks_service to %I', current_user);
      end if;
    exception when insufficient_privilege then null;
    end $$;
    grant usage on schema public to public_picks_service;
    grant select on knex_migrations to public_picks_service;

    create function plain_text(given text, shortest int, longest int) returns boolean
      language sql immutable parallel safe
      return char_length(given) between shortest and longest and given !~ '[\\u0001-\\u001f\\u007f-\\u009f]';
    create function slug(given text) returns boolean
      language sql immutable parallel safe return given ~ '^[a-z0-9][a-z0-9_-]{0,39}$';
    create function american(odds int) returns boolean
      language sql immutable parallel safe return abs(odds) between 100 and 100000;
    create function whole_ms(at timestamptz) returns boolean
      language sql immutable parallel safe
      return extract(microseconds from at at time zone 'UTC')::bigint % 1000 = 0;

    create table sports (
      key text primary key check (slug(key)),
      label text not null check (plain_text(label, 1, 60)),
      moneyline_ways smallint not null check (moneyline_ways in (2, 3)),
      event_minutes int not null check (event_minutes between 1 and 1440),
      position int not null
    );
    insert into sports (position, key, label, moneyline_ways, event_minutes) values
      (1, 'nba', 'NBA', 2, 150), (2, 'nfl', 'NFL', 2, 195), (3, 'mlb', 'MLB', 2, 180), (4, 'nhl', 'NHL', 2, 155),
      (5, 'ncaaf', 'College Football', 2, 210), (6, 'ncaab', 'College Basketball', 2, 135),
      (7, 'wnba', 'WNBA', 2, 135), (8, 'mma', 'MMA', 2, 60), (9, 'soccer', 'Soccer', 3, 120),
      (10, 'tennis', 'Tennis', 2, 150);

    create table cappers (
      id int generated always as identity primary key,
      handle text not null unique check (handle ~ '^[a-z0-9][a-z0-9_-]{1,31}$'),
      tier text not null check (tier in ('elite', 'verified_sharp', 'listed')),
      verified boolean not null,
      display_name text check (plain_text(display_name, 1, 100)),
      created_at timestamptz not null
    );

    create table games (
      id bigint generated always as identity primary key,
      sport text not null references sports,
      name text not null check (plain_text(name, 3, 200)),
      announced_start timestamptz check (whole_ms(announced_start)),
      starts_at timestamptz check (whole_ms(starts_at)),
      status text not null default 'scheduled' check (status in ('scheduled', 'final', 'postponed', 'cancelled')),
      home_score int check (home_score between 0 and 9999),
      away_score int check (away_score between 0 and 9999),
      final_at timestamptz check (whole_ms(final_at)),
      was_postponed boolean not null default false,
      unique nulls not distinct (sport, name, announced_start),
      check ((status = 'final') = (home_score is not null) and (status = 'final') = (away_score is not null)),
      check (final_at is null or status in ('final', 'cancelled'))
    );
    create index games_by_start on games (starts_at);

    create table lines (
      id bigint generated always as identity primary key,
      game_id bigint not null references games,
      market text not null check (slug(market)),
      side text not null check (slug(side)),
      line_e3 int check (abs(line_e3) <= 9999000),
      odds_american int not null check (american(odds_american)),
      captured_at timestamptz not null check (whole_ms(captured_at)),
      closing boolean not null,
      book text not null check (slug(book)),
      unique nulls not distinct (game_id, market, book, captured_at, side, line_e3, odds_american, closing)
    );

    create table results (
      id bigint generated always as identity primary key,
      game_id bigint not null references games,
      market text not null check (slug(market)),
      side text not null check (slug(side)),
      line_e3 int,
      result text not null check (result in ('win', 'loss', 'push', 'void')),
      final_at timestamptz not null check (whole_ms(final_at)),
      unique nulls not distinct (game_id, market, side, line_e3)
    );

    create table picks (
      id bigint generated always as identity primary key,
      uuid uuid not null unique,
      capper_id int not null references cappers,
      tier text not null check (tier in ('elite', 'verified_sharp', 'listed')),
      game_id bigint not null references games,
      starts_at timestamptz check (whole_ms(starts_at)),
      market text not null check (slug(market)),
      side text not null check (slug(side)),
      line_e3 int check (line_e3 % 500 = 0 and abs(line_e3) <= 9999000),
      pick text not null check (plain_text(pick, 1, 300)),
      odds_american int not null check (american(odds_american)),
      stake_e4 int not null check (stake_e4 between 100 and 1000000 and stake_e4 % 100 = 0),
      book text check (slug(book)),
      source text not null check (slug(source)),
      posted_at timestamptz not null check (whole_ms(posted_at)),
      check (posted_at < starts_at)
    );
    create index picks_by_game on picks (game_id);

    create table closings (
      pick_id bigint primary key references picks,
      closed_at timestamptz not null check (whole_ms(closed_at)),
      odds_american int not null check (american(odds_american)),
      line_e3 int,
      book text check (slug(book)),
      captured_at timestamptz not null check (whole_ms(captured_at)),
      prices jsonb not null check (jsonb_typeof(prices) = 'array'),
      clv_bps int not null,
      check (captured_at <= closed_at)
    );

    create table settlements (
      pick_id bigint primary key references picks,
      result text not null check (result in ('win', 'loss', 'push', 'void')),
      settled_at timestamptz not null check (whole_ms(settled_at)),
      away_score int,
      home_score int,
      net_units_e4 bigint not null,
      grader text not null check (slug(grader)),
      -- A win at the shortest odds may round to 0.
      check (case result when 'win' then net_units_e4 >= 0 when 'loss' then net_units_e4 < 0 else net_units_e4 = 0 end),
      check ((away_score is null) = (home_score is null))
    );

    create table notices (
      id bigint generated always as identity primary key,
      at timestamptz not null check (whole_ms(at)),
      topic text not null check (slug(topic)),
      text text not null check (plain_text(text, 1, 1000))
    );

    -- A repeated correction is recorded once.
    create unique index notices_corrections on notices (text) where topic = 'correction';

    create table ledger_entries (
      seq bigint primary key check (seq >= 0),
      kind text not null check (kind in ('posted', 'closed', 'settled', 'key', 'notice')),
      pick_id bigint references picks,
      notice_id bigint references notices,
      uuid uuid,
      capper text,
      capper_seq int check (capper_seq > 0),
      capper_prev bytea check (octet_length(capper_prev) = 32),
      hash bytea not null check (octet_length(hash) = 32),
      prev bytea check (octet_length(prev) = 32),
      leaf_hash bytea not null check (octet_length(leaf_hash) = 32),
      body text,
      unique (pick_id, kind),
      check ((kind in ('posted', 'closed', 'settled')) = (pick_id is not null)),
      check ((kind = 'notice') = (notice_id is not null)),
      check ((kind in ('key', 'notice')) = (body is not null)),
      check (pick_id is null or (uuid is not null and capper is not null and capper_seq is not null)),
      check (kind not in ('closed', 'settled') or prev is not null),
      check (kind = 'posted' or capper_prev is null)
    );
    create unique index ledger_entries_by_capper on ledger_entries (capper, capper_seq) where kind = 'posted';
    create unique index ledger_entries_by_notice on ledger_entries (notice_id) where notice_id is not null;

    -- The live pick that was posted under an Idempotency-Key.
    create table pick_requests (
      idempotency_key text primary key check (char_length(idempotency_key) between 1 and 200),
      fingerprint bytea not null,
      pick_uuid uuid not null,
      posted_at timestamptz not null
    );

    -- Work queues: the cost of finding work depends on what is pending, not on the history. Kept by triggers, in the same transaction.
    create table pending_picks (
      pick_id bigint primary key references picks,
      game_id bigint not null references games,
      market text not null,
      closed boolean not null default false
    );
    create index pending_picks_by_game on pending_picks (game_id);
    create table unsealed_events (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('posted', 'closed', 'settled', 'notice')),
      subject_id bigint not null
    );
    create table repriced_games (
      id bigint generated always as identity primary key,
      game_id bigint not null references games
    );
    create table world_changes (
      id bigint generated always as identity primary key,
      subject text not null check (subject in ('game', 'capper')),
      subject_id bigint not null
    );

    create function picks_posted() returns trigger language plpgsql as $$ begin
      insert into pending_picks (pick_id, game_id, market) select id, game_id, market from added;
      insert into unsealed_events (kind, subject_id) select 'posted', id from added order by id;
      return null;
    end $$;
    create function picks_closed() returns trigger language plpgsql as $$ begin
      update pending_picks set closed = true from added where pending_picks.pick_id = added.pick_id;
      insert into unsealed_events (kind, subject_id)
        select 'closed', pick_id from added order by closed_at, pick_id;
      return null;
    end $$;
    create function picks_settled() returns trigger language plpgsql as $$ begin
      delete from pending_picks using added where pending_picks.pick_id = added.pick_id;
      insert into unsealed_events (kind, subject_id)
        select 'settled', pick_id from added order by settled_at, pick_id;
      return null;
    end $$;
    create function notices_made() returns trigger language plpgsql as $$ begin
      insert into unsealed_events (kind, subject_id) select 'notice', id from added order by id;
      return null;
    end $$;
    create trigger picks_posted after insert on picks
      referencing new table as added for each statement execute function picks_posted();
    create trigger picks_closed after insert on closings
      referencing new table as added for each statement execute function picks_closed();
    create trigger picks_settled after insert on settlements
      referencing new table as added for each statement execute function picks_settled();
    create trigger notices_made after insert on notices
      referencing new table as added for each statement execute function notices_made();
    alter table picks enable always trigger picks_posted;
    alter table closings enable always trigger picks_closed;
    alter table settlements enable always trigger picks_settled;
    alter table notices enable always trigger notices_made;

    create function refuse_change() returns trigger language plpgsql as $$ begin
      raise exception '% on % is refused: the ledger is append-only', tg_op, tg_table_name
        using errcode = 'restrict_violation';
    end $$;

    create function keep_identity() returns trigger language plpgsql as $$ begin
      if tg_table_name = 'cappers' then
        if new.handle <> old.handle then
          raise exception 'a handle never changes' using errcode = 'restrict_violation';
        end if;
      else
        if (new.sport, new.name) <> (old.sport, old.name) or new.announced_start is distinct from old.announced_start then
          raise exception 'the identity of a game never changes' using errcode = 'restrict_violation';
        end if;
        if old.status = 'final'
            and (new.status, new.home_score, new.away_score) is distinct from (old.status, old.home_score, old.away_score) then
          raise exception 'a final score never changes' using errcode = 'restrict_violation';
        end if;
      end if;
      return new;
    end $$;
    create trigger cappers_identity before update on cappers for each row execute function keep_identity();
    create trigger games_identity before update on games for each row execute function keep_identity();

    create function note_change() returns trigger language plpgsql as $$ begin
      insert into world_changes (subject, subject_id) values (tg_argv[0], new.id);
      return null;
    end $$;
    create trigger cappers_changed after insert or update on cappers for each row execute function note_change('capper');
    create trigger games_changed after update on games for each row
      when (new.starts_at is distinct from old.starts_at or new.status <> old.status) execute function note_change('game');

    -- Projections of the log, and the cursor of each of its readers.
    create table reader_cursors (
      reader text primary key,
      next_seq bigint not null check (next_seq >= 0)
    );
    create table board_picks (
      pick_id bigint primary key,
      uuid uuid not null,
      capper_id int not null,
      tier text not null,
      sport text not null,
      game_id bigint not null,
      market text not null,
      side text not null,
      line_e3 int,
      pick text not null,
      odds_american int not null,
      stake_e4 int not null,
      source text not null,
      posted_at timestamptz not null,
      closed_at timestamptz,
      closing_odds int,
      clv_bps int,
      same_line boolean,
      result text,
      settled_at timestamptz,
      net_units_e4 bigint
    );
    create unique index board_picks_by_uuid on board_picks (uuid);
    create index board_picks_by_capper on board_picks (capper_id, posted_at desc, uuid);
    create index board_picks_by_capper_settled
      on board_picks (capper_id, settled_at desc, posted_at desc, uuid desc) where result is not null;
    create index board_picks_by_capper_clv on board_picks (capper_id, clv_bps) where clv_bps is not null;
    create index board_picks_by_settled on board_picks (settled_at desc, posted_at desc, uuid) where result is not null;
    create index board_picks_by_sport_settled
      on board_picks (sport, settled_at desc, posted_at desc, uuid) where result is not null;
    create index board_picks_by_posted on board_picks (posted_at desc, uuid);
    create index board_picks_by_tier on board_picks (tier, posted_at desc, uuid);
    create index board_picks_by_game on board_picks (game_id, market, side);

    create table daily_rollups (
      capper_id int not null,
      sport text not null,
      market text not null,
      day date not null,
      posted int not null default 0,
      last_posted_at timestamptz,
      wins int not null default 0,
      losses int not null default 0,
      pushes int not null default 0,
      voids int not null default 0,
      net_e4 bigint not null default 0,
      staked_e4 bigint not null default 0,
      clv_sum bigint not null default 0,
      clv_sample int not null default 0,
      clv_same_line_sample int not null default 0,
      primary key (capper_id, sport, market, day)
    );
    create index daily_rollups_by_day on daily_rollups (day);

    create table capper_streaks (
      capper_id int primary key,
      kind text check (kind in ('W', 'L')),
      length int not null,
      since timestamptz,
      last_settled_at timestamptz,
      last_posted_at timestamptz,
      last_uuid uuid
    );
  `);

  for (const table of appendOnly) {
    await knex.raw(`
      create trigger ${table}_append_only before update or delete or truncate on ${table}
        for each statement execute function refuse_change();
      alter table ${table} enable always trigger ${table}_append_only;
      grant select, insert on ${table} to public_picks_service;
    `);
  }
  for (const table of changing) {
    await knex.raw(`grant select, insert, update, delete on ${table} to public_picks_service`);
  }
}

/** A migration never drops tables of the ledger. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
