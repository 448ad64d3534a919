import type { Knex } from 'knex';

/**
 * Whether this log is of the real world: `live`, `replay` (its processes run on a set clock) or `demo` (its picks are made up). A log
 * that is not live says so in an entry of its own. docs/decisions/0027-kinds-of-logs.md
 * @param kind of a log without picks. A log with picks of the demo is a demo, any other one with picks is live
 */
export function logKind(kind: string): Knex.Migration {
  return { up: (knex) => up(knex, kind), down };
}

async function up(knex: Knex, kind: string): Promise<void> {
  await knex.raw(`
    create table log_kind (
      id int primary key check (id = 1),
      kind text not null check (kind in ('live', 'replay', 'demo'))
    );
    comment on table log_kind is
      'Whether this is a live log, a replay or a demo. One row, made with the database; append-only.';
  `);
  await knex.raw(
    `insert into log_kind (id, kind)
     select 1, case
       when exists (select from demo_progress) then 'demo'
       when exists (select from picks) or exists (select from ledger_entries) then 'live'
       else ? end`,
    [kind],
  );
  await knex.raw(`
    insert into notices (at, topic, text)
    select date_trunc('milliseconds', clock_timestamp()), 'log-kind', case kind
      when 'demo' then 'This log is a demonstration: its cappers, games and picks are made up.'
      else 'This log is a replay: its processes ran on a set clock, so its times prove nothing.' end
    from log_kind where kind <> 'live';

    create trigger log_kind_append_only before update or delete or truncate on log_kind
      for each statement execute function refuse_change();
    alter table log_kind enable always trigger log_kind_append_only;
  `);
}

/** What picks are worth rests on it. */
function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
