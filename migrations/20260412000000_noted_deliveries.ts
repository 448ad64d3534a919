import type { Knex } from 'knex';

/**
 * Between two deliveries of one lease only the attempt is stored. It says how far it brought its subscription; the subscription's row follows
 * when the lease ends or is renewed. That row is wide, has 15 constraints and 11 indexes, and took more than half of what a delivery cost here.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table public.webhook_attempts add column generation bigint, add column next_seq bigint;
    comment on column public.webhook_attempts.generation is
      'The lease under which its subscription was sent it, where the subscription''s row followed later.';
    comment on column public.webhook_attempts.next_seq is 'The first seq that its subscription was left with then.';

    create function public.note_deliveries(ids int[], generations bigint[], rotated float8[], nexts bigint[], slots smallint[], at float8[],
        deliveries text[], events text[], picks uuid[], counts smallint[], statuses int[], took int[]) returns table (id int, stored boolean)
      language plpgsql set search_path = pg_catalog, public, pg_temp
      -- The plan is kept while the table grows.
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    #variable_conflict use_column
    begin
      insert into public.webhook_attempts
          (slot, subscription_id, at, delivery_id, event, pick_uuid, picks, status, duration_ms, generation, next_seq)
        select g.slot, g.id, to_timestamp(g.at / 1000), g.delivery, g.event, g.pick, g.count, g.status, g.took, g.generation, g.next
        from unnest(slots, ids, at, deliveries, events, picks, counts, statuses, took, generations, nexts)
          as g (slot, id, at, delivery, event, pick, count, status, took, generation, next);
      return query
        select g.id, coalesce(s.generation = g.generation, false)
        from unnest(ids, generations, rotated) as g (id, generation, rotated) left join public.webhook_subscriptions s on s.id = g.id
        where (s.generation = g.generation and s.status = 'active'
          and s.rotated_at is not distinct from to_timestamp(g.rotated / 1000)) is not true;
    end $$;
    comment on function public.note_deliveries(int[], bigint[], float8[], bigint[], smallint[], float8[], text[], text[], uuid[], smallint[],
      int[], int[]) is 'Stores deliveries of leases that go on. Returns the subscriptions that were changed, or are not the holder''s any more.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function public.note_deliveries(int[], bigint[], float8[], bigint[], smallint[], float8[], text[], text[], uuid[], smallint[],
      int[], int[]);
    alter table public.webhook_attempts drop column generation, drop column next_seq;
  `);
}
