import type { Knex } from 'knex';

/**
 * Instants are of years that bodies can write. A start at infinity passed every check and could not be sealed, nor could any event after it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function whole_ms(at timestamptz) returns boolean
      language sql immutable parallel safe
      return at >= timestamptz '0001-01-01 00:00:00+00' and at < timestamptz '10000-01-01 00:00:00+00'
        and extract(microseconds from at at time zone 'UTC')::bigint % 1000 = 0;
    comment on function whole_ms(timestamptz) is 'Whether an instant is of whole milliseconds, of the years 1 to 9999.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function whole_ms(at timestamptz) returns boolean
      language sql immutable parallel safe
      return extract(microseconds from at at time zone 'UTC')::bigint % 1000 = 0;
  `);
}
