import type { Knex } from 'knex';

/**
 * Events that cannot be sealed are set aside, so that sealing goes on for the others: docs/decisions/0033-events-set-aside.md. No event that
 * is stored leaves the list of unsealed ones by another way.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table events_set_aside (
      id bigint primary key,
      kind text not null check (kind in ('posted', 'closed', 'settled', 'key', 'notice')),
      subject_id bigint not null,
      reason text not null check (plain_text(reason, 1, 1000)),
      set_aside_at timestamptz not null default clock_timestamp()
    );
    create index events_set_aside_by_subject on events_set_aside (subject_id);
    comment on table events_set_aside is
      'Events that could not be sealed, with the reason. Empty where all is well; npm run cli -- events puts them back.';
    comment on column events_set_aside.id is 'The id that it had in unsealed_events.';

    create function check_unsealed_removed() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
      declare
        fault text;
      begin
        select format('the %s event of %s is not sealed', r.kind, r.subject_id)
        from removed r
        where case r.kind
            when 'posted' then exists (select from public.picks p where p.id = r.subject_id)
            when 'closed' then exists (select from public.closings c where c.pick_id = r.subject_id)
            when 'settled' then exists (select from public.settlements s where s.pick_id = r.subject_id)
            when 'notice' then exists (select from public.notices n where n.id = r.subject_id)
            else exists (select from public.signing_keys k where k.id = r.subject_id)
          end
          and not exists (select from public.events_set_aside a where a.id = r.id)
          and not case r.kind
            when 'notice' then exists (select from public.ledger_entries e where e.notice_id = r.subject_id)
            when 'key' then exists (select from public.ledger_entries e where e.key_id = r.subject_id)
            else exists (select from public.ledger_entries e where e.pick_id = r.subject_id and e.kind = r.kind)
          end
        limit 1 into fault;
        if fault is not null then
          raise exception '%', fault using errcode = 'PP005', table = 'unsealed_events';
        end if;
        return null;
      end $$;
    revoke execute on function check_unsealed_removed() from public;
    comment on function check_unsealed_removed() is 'Refuses to let a stored event be forgotten before it is sealed or set aside.';
    create trigger check_unsealed_removed after delete on unsealed_events referencing old table as removed
      for each statement execute function check_unsealed_removed();
    alter table unsealed_events enable always trigger check_unsealed_removed;

    create trigger events_set_aside_refuse before update or truncate on events_set_aside
      for each statement execute function refuse_removal();
    alter table events_set_aside enable always trigger events_set_aside_refuse;
  `);
}

/** An event that is set aside would be forgotten. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
