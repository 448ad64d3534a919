import type { Knex } from 'knex';

/** What each source says became of a game, and what a run left out: docs/decisions/0035-several-sources.md. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table source_scores (
      game_id bigint not null references games on delete cascade,
      source text not null check (plain_text(source, 1, 100)),
      state text not null
        check (state in ('scheduled', 'delayed', 'in_progress', 'suspended', 'postponed', 'cancelled', 'final')),
      home_score int check (home_score >= 0),
      away_score int check (away_score >= 0),
      home_half_score int check (home_half_score >= 0),
      away_half_score int check (away_half_score >= 0),
      note text check (plain_text(note, 1, 200)),
      said_at timestamptz not null,
      primary key (game_id, source),
      check ((home_score is null) = (away_score is null) and (home_half_score is null) = (away_half_score is null))
    );
    create index source_scores_by_time on source_scores (said_at);
    comment on table source_scores is
      'What each source says became of a game, as long as it matters: until 30 days after the last word on a game that has ended.';
    comment on column source_scores.home_score is 'Null with state final: over, without a score that picks may be graded by.';
    comment on column source_scores.note is 'Why there is no score.';
    comment on column source_scores.said_at is 'Since when the source has said exactly this.';

    alter table source_runs add column left_out jsonb not null default '{}';
    comment on column source_runs.left_out is 'What the last run left out: counts by reason.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table source_runs drop column left_out;
    drop table source_scores;
  `);
}
