import type { Knex } from 'knex';

/** Publishing of the log: signing keys, keys of witnesses, the chain of checkpoints, refusals to sign. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The log's signing keys (C2SP verifier keys). All but the first have an announcement.
    create table signing_keys (
      -- 1, 2, 3, ...: the order in which the keys took over.
      id int primary key check (id > 0),
      vkey text not null unique,
      note text,
      check ((id = 1) = (note is null))
    );
    create function key_announced() returns trigger language plpgsql as $$ begin
      insert into unsealed_events (kind, subject_id) select 'key', id from added where note is not null order by id;
      return null;
    end $$;
    create trigger key_announced after insert on signing_keys
      referencing new table as added for each statement execute function key_announced();
    alter table signing_keys enable always trigger key_announced;

    alter table unsealed_events drop constraint unsealed_events_kind_check,
      add constraint unsealed_events_kind_check check (kind in ('posted', 'closed', 'settled', 'key', 'notice'));
    alter table ledger_entries add column key_id int references signing_keys,
      add constraint ledger_entries_key check ((kind = 'key') = (key_id is not null));
    create unique index ledger_entries_by_key on ledger_entries (key_id) where key_id is not null;

    -- The keys of the witnesses that have cosigned checkpoints.
    create table witness_keys (vkey text primary key);

    -- Each checkpoint names the previous one, so that a removed one is noticed. The time of signing is not covered by any signature, so it
    -- moves to a mutable table.
    create table checkpoint_times (
      size bigint primary key,
      signed_at timestamptz not null
    );
    insert into checkpoint_times (size, signed_at) select size, signed_at from checkpoints;
    alter table checkpoints disable trigger checkpoints_append_only;
    alter table checkpoints drop column signed_at, add column previous bigint;
    update checkpoints set previous = (select max(b.size) from checkpoints b where b.size < checkpoints.size);
    alter table checkpoints add check (previous < size), add unique nulls not distinct (previous);
    alter table checkpoints enable always trigger checkpoints_append_only;

    -- Why and since when the publisher refuses to sign. Cleared when it signs again.
    create table publisher_refusals (
      id int generated always as identity primary key,
      since timestamptz not null,
      reason text not null,
      cleared_at timestamptz
    );
    create unique index publisher_refusals_open on publisher_refusals ((cleared_at is null)) where cleared_at is null;

    grant select, insert, update, delete on checkpoint_times, publisher_refusals to public_picks_service;
  `);
  for (const table of ['signing_keys', 'witness_keys']) {
    await knex.raw(`
      create trigger ${table}_append_only before update or delete or truncate on ${table}
        for each statement execute function refuse_change();
      alter table ${table} enable always trigger ${table}_append_only;
      grant select, insert on ${table} to public_picks_service;
    `);
  }
}

/** A migration never drops tables of the ledger. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
