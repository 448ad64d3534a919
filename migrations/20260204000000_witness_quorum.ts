import type { Knex } from 'knex';

/** What witnesses said of each checkpoint, and what else than a refusal keeps the publisher from publishing. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    alter table checkpoint_times
      add column cosignatures int not null default 0 check (cosignatures >= 0),
      add column witnessed_at timestamptz check (witnessed_at is null or cosignatures > 0);
    -- Every signature after the log's own is a witness's.
    update checkpoint_times t set cosignatures = greatest(regexp_count(c.note, '\n— ') - 1, 0)
      from checkpoints c where c.size = t.size;
    comment on table checkpoint_times is
      'When each checkpoint was signed, which no signature covers, and what its cosignatures say.';
    comment on column checkpoint_times.cosignatures is 'Witnesses that had cosigned it when it was published.';
    comment on column checkpoint_times.witnessed_at is
      'When as many witnesses as WITNESS_QUORUM asked for had cosigned it, by their clocks; null where it asked for none. Before this instant a pick under it was known, which alone carries the claim "before the game".';

    alter table publisher_refusals
      add column kind text not null default 'refused' check (kind in ('refused', 'withheld', 'conflict'));
    drop index publisher_refusals_open;
    create unique index publisher_refusals_open on publisher_refusals (kind) where cleared_at is null;
    comment on table publisher_refusals is 'What keeps the publisher from publishing, and since when.';
    comment on column publisher_refusals.kind is
      'refused: it will not sign. withheld: too few witnesses have cosigned. conflict: a witness has seen another tree.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index publisher_refusals_open;
    delete from publisher_refusals where kind <> 'refused';
    alter table publisher_refusals drop column kind;
    create unique index publisher_refusals_open on publisher_refusals ((cleared_at is null)) where cleared_at is null;
    alter table checkpoint_times drop column witnessed_at, drop column cosignatures;
  `);
}
