import type { Knex } from 'knex';

/** Providers: how their feeds are doing, which of their events is which game, and what else they call a team. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row for each feed that is being asked: an account, a kind of question for one sport, a schedule.
    create table source_runs (
      source text primary key check (plain_text(source, 1, 100)),
      -- null: to be asked, and not asked yet.
      ran_at timestamptz,
      ok boolean not null,
      message text not null check (plain_text(message, 1, 500)),
      succeeded_at timestamptz,
      -- Failures in a row.
      failures int not null check (failures >= 0),
      -- When it is asked next; null: not before there is something to ask. A feed is late when this has long passed.
      next_at timestamptz,
      quota_remaining int,
      quota_used int,
      -- Where the counting of credits began: they are spent evenly from there to the end of the month.
      quota_from timestamptz,
      quota_at_start int,
      -- For conditional requests.
      etag text,
      last_modified text,
      -- SHA-256 of the key that it was asked with: another one is tried at once.
      key_hash text
    );

    -- Which game an event of a source is, and the start that the source gave last: only a start that the source itself changes
    -- moves the game, or two sources that disagree would move it to and fro.
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
