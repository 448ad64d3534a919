import type { Knex } from 'knex';

/** What the status worker knows: the newest findings, incidents and what the chat was told of them, and each day's history. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row: what the last round found, with the counters that open and close incidents. The holder is the one worker that writes.
    create table status_watch (
      id int primary key check (id = 1),
      version bigint not null,
      state jsonb not null,
      written_at timestamptz not null,
      holder uuid not null,
      held_until timestamptz not null
    );

    create table status_incidents (
      id uuid primary key,
      check_name text not null check (plain_text(check_name, 1, 200)),
      title text not null check (plain_text(title, 1, 200)),
      status text not null check (status in ('degraded', 'down')),
      worst text not null check (worst in ('degraded', 'down')),
      message text not null,
      -- The checks that this incident explains, and which have none of their own therefore.
      affects text[] not null,
      opened_at timestamptz not null,
      closed_at timestamptz,
      -- What the chat has taken: null where it was not told yet.
      told_status text check (told_status in ('degraded', 'down')),
      told_at timestamptz,
      recovery_told_at timestamptz,
      check (closed_at >= opened_at)
    );
    create unique index status_incidents_open on status_incidents (check_name) where closed_at is null;
    create index status_incidents_by_closing on status_incidents (closed_at);

    -- How many rounds of an ET day found a check how. A day without a row was not measured.
    create table status_days (
      name text not null,
      day date not null,
      ok int not null,
      degraded int not null,
      down int not null,
      primary key (day, name)
    );
  `);
  for (const table of ['status_watch', 'status_incidents', 'status_days'])
    await knex.raw(`grant select, insert, update, delete on ${table} to public_picks_service`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table status_days, status_incidents, status_watch');
}
