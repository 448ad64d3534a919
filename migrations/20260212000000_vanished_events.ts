import type { Knex } from 'knex';

/**
 * What a source no longer lists, how often it was asked for a score, and how much it usually lists:
 * docs/decisions/0036-vanished-events.md. Games are found by the start first announced as well as by the one now known.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table source_events
      add column missed int not null default 0 check (missed >= 0),
      add column missed_since timestamptz,
      add column score_asks int not null default 0 check (score_asks >= 0),
      add constraint missed_since_first check ((missed > 0) = (missed_since is not null));
    comment on column source_events.missed is 'Full answers in a row that no longer listed the event. 0: listed.';
    comment on column source_events.missed_since is 'When the first of these answers came.';
    comment on column source_events.score_asks is 'Requests for its score so far; there is a limit.';

    alter table source_runs
      add column listed int check (listed >= 0),
      add column listed_usually int check (listed_usually >= 0),
      add column usual_at timestamptz;
    comment on column source_runs.listed is 'Games in the last answer of a schedule.';
    comment on column source_runs.listed_usually is 'Games in an answer of about a day before, which later ones are compared with.';
    comment on column source_runs.usual_at is 'When that answer came.';

    create index games_by_announced_start on games (announced_start);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index games_by_announced_start;
    alter table source_runs drop column listed, drop column listed_usually, drop column usual_at;
    alter table source_events drop column missed, drop column missed_since, drop column score_asks;
  `);
}
