import type { Knex } from 'knex';

/** Events of a source by start: what an answer should have listed is found without reading all that the source ever listed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index source_events_by_start on source_events (source, starts_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index source_events_by_start');
}
