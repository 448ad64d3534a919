import type { Knex } from 'knex';

/** Providers: the state of their feeds, the games that their events map to, and aliases of teams. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row for each polled feed: an account, a kind of request for one sport, a schedule.
    create table source_runs (
      source text primary key check (plain_text(source, 1, 100)),
      -- null: not polled yet.
      ran_at timestamptz,
      ok boolean not null,
      message text not null check (plain_text(message, 1, 500)),
      succeeded_at timestamptz,
      -- Failures in a row.
      failures int not null check (failures >= 0),
      -- The next poll; null: none until there is something to request. A feed is late if this is well in the past.
      next_at timestamptz,
      quota_remaining int,
      quota_used int,
      -- The start of the budget of credits, which are spread evenly from there to the end of the month.
      quota_from timestamptz,
      quota_at_start int,
      -- Validators for conditional requests.
      etag text,
      last_modified text,
      -- SHA-256 of the key that was used: a new key is tried at once.
      key_hash text
    );

    -- The game that an event of a source maps to, and the start that the source gave last. Only a start that the source itself changes
    -- moves the game; otherwise two sources that disagree would move it back and forth.
    create table source_events (
      source text not null check (plain_text(source, 1, 100)),
      event_id text not null check (plain_text(event_id, 1, 400)),
      game_id bigint not null references games,
      starts_at timestamptz not null check (whole_ms(starts_at)),
      seen_at timestamptz not null,
      primary key (source, event_id)
    );
    create index source_events_by_game on source_events (game_id);

    create table team_aliases (
      sport text not null references sports,
      alias text not null check (plain_text(alias, 1, 100)),
      team text not null check (plain_text(team, 1, 100)),
      primary key (sport, alias)
    );
  `);
  for (const table of ['source_runs', 'source_events', 'team_aliases'])
    await knex.raw(`grant select, insert, update, delete on ${table} to public_picks_service`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table source_runs, source_events, team_aliases');
}
