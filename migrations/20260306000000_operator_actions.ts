import type { Knex } from 'knex';

/** Who changed what through the operator's port, and what came of it: docs/decisions/0043-operators-by-name.md. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table operator_actions (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      operator text not null check (plain_text(operator, 1, 40)),
      action text not null check (slug(action)),
      about text not null check (length(about) <= 500),
      rows int not null check (rows >= 0),
      request_id text not null
    );
    create table operator_outcomes (
      action_id bigint primary key references operator_actions,
      at timestamptz not null,
      counts jsonb not null,
      refused int not null check (refused >= 0),
      refusals jsonb not null,
      picks uuid[] not null
    );
    create index operator_outcomes_refused on operator_outcomes (action_id) where refused > 0;
    comment on table operator_actions is
      'Changes asked for through the operator''s port, each recorded under the operator''s name before it is made.';
    comment on column operator_actions.about is 'The first row in a few words.';
    comment on column operator_actions.request_id is 'The X-Request-Id, as in the log of the process.';
    comment on table operator_outcomes is
      'What came of an action. One without an outcome failed or was cut off: rows may or may not have been stored.';
    comment on column operator_outcomes.counts is 'Rows by outcome.';
    comment on column operator_outcomes.refusals is 'The first 50 refused rows by index, each with the reason.';
    comment on column operator_outcomes.picks is 'The picks that were stored.';
  `);
  for (const table of ['operator_actions', 'operator_outcomes'])
    await knex.raw(`
      create trigger ${table}_append_only before update or delete or truncate on ${table}
        for each statement execute function refuse_change();
      alter table ${table} enable always trigger ${table}_append_only;
    `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table operator_outcomes, operator_actions');
}
