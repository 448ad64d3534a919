import type { Knex } from 'knex';

/** State of the status worker: the latest findings, incidents and the alerts sent for them, and the history of each day. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row: the findings of the last round, with the counters that open and close incidents. The holder has the lease to write it.
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
      -- The checks that this incident explains, which therefore have no incident of their own.
      affects text[] not null,
      opened_at timestamptz not null,
      closed_at timestamptz,
      -- The alerts that the chat has accepted: null if not sent yet.
      told_status text check (told_status in ('degraded', 'down')),
      told_at timestamptz,
      recovery_told_at timestamptz,
      check (closed_at >= opened_at)
    );
    create unique index status_incidents_open on status_incidents (check_name) where closed_at is null;
    create index status_incidents_by_closing on status_incidents (closed_at);

    -- Number of rounds of an ET day by status of a check. A day without a row was not measured.
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
