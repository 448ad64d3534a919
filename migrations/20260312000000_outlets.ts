import type { Knex } from 'knex';

/**
 * What readers get from elsewhere (caches in front, the published log as files) may fall behind while everything here is well. The
 * process that updates it records failures here, for the status.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table outlets (
      name text primary key check (name ~ '^[a-z-]{1,40}$'),
      updated_at timestamptz check (isfinite(updated_at)),
      failing_since timestamptz check (isfinite(failing_since)),
      error text check (length(error) <= 300)
    );
    comment on table outlets is
      'Where readers get answers without asking this service, such as the caches in front: when it was last brought up to date, and since when that fails.';
    comment on column outlets.failing_since is 'Null while it is up to date.';
    comment on column outlets.error is 'What the last failure said; for operators, never public.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table outlets');
}
