import type { Knex } from 'knex';

/**
 * What was asked of The Odds API for credits. Calls are planned around starts with picks on them, so planning must know which markets of
 * which sport or event were asked for, and when: docs/decisions/0039-credits-for-closing-prices.md.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table odds_api_calls (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      sport_key text not null,
      event_id text,
      markets text[] not null,
      snapshot_at timestamptz,
      purpose text not null check (purpose in ('closing', 'earlier', 'repair')),
      credits int not null check (credits >= 0)
    );
    create index odds_api_calls_by_time on odds_api_calls (at);
    comment on table odds_api_calls is
      'Requests for prices to The Odds API, which cost credits. Kept for 40 days.';
    comment on column odds_api_calls.event_id is 'The event that was asked for alone. Null: all events of the sport.';
    comment on column odds_api_calls.snapshot_at is 'The past instant whose prices were asked for. Null: the prices of then.';
    comment on column odds_api_calls.purpose is
      'closing: the last call before starts with picks. earlier: with credits that are left. repair: for closings that were missed.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table odds_api_calls');
}
