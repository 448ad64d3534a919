import type { Knex } from 'knex';

/**
 * The function `post_picks` read the picks that it was given three times, which took an eighth of its time for an array of them. One
 * statement locks the games, claims the keys and stores the picks now.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function public.post_picks(given json, game_ids bigint[], game_names text[], asked json)
      returns setof public.picks
      language plpgsql set search_path = pg_catalog, public, pg_temp
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    declare
      stored bigint;
    begin
      -- Who posts without keys has no right to look at them.
      if given->0->>'key' is null then
        return query
          with r as materialized (
            select * from json_to_recordset(given) as w (key text, "uuid" uuid, "capperId" int, "tier" text, "gameId" bigint,
              "startsAt" timestamptz, "market" text, "side" text, "lineE3" int, "pick" text, "oddsAmerican" int, "stakeE4" int, "book" text,
              "source" text, "provenance" text, "postedAt" timestamptz)),
          locked as materialized (
            select g.id from public.games g
            where g.id = any(game_ids) and concat(g.id, ' ', g.name) = any(game_names) order by g.id for share)
          insert into public.picks (uuid, capper_id, tier, game_id, starts_at, market, side, line_e3, pick, odds_american, stake_e4, book,
            source, provenance, posted_at)
          select r."uuid", r."capperId", r."tier", r."gameId", r."startsAt", r."market", r."side", r."lineE3", r."pick", r."oddsAmerican",
            r."stakeE4", r."book", r."source", r."provenance", r."postedAt"
          from r where r."gameId" = any(array(select l.id from locked l)) and r.key is null
          returning *;
      else
        return query
          with r as materialized (
            select * from json_to_recordset(given) as w (key text, print text, "uuid" uuid, "capperId" int, "tier" text, "gameId" bigint,
              "startsAt" timestamptz, "market" text, "side" text, "lineE3" int, "pick" text, "oddsAmerican" int, "stakeE4" int, "book" text,
              "source" text, "provenance" text, "postedAt" timestamptz)),
          locked as materialized (
            select g.id from public.games g
            where g.id = any(game_ids) and concat(g.id, ' ', g.name) = any(game_names) order by g.id for share),
          claimed as (
            insert into public.pick_requests as q (idempotency_key, fingerprint, pick_uuid, posted_at)
            select r.key, decode(r.print, 'hex'), r.uuid, r."postedAt"
            from r where r.key is not null and r."gameId" = any(array(select l.id from locked l))
            order by r.key
            on conflict do nothing
            returning q.pick_uuid)
          insert into public.picks (uuid, capper_id, tier, game_id, starts_at, market, side, line_e3, pick, odds_american, stake_e4, book,
            source, provenance, posted_at)
          select r."uuid", r."capperId", r."tier", r."gameId", r."startsAt", r."market", r."side", r."lineE3", r."pick", r."oddsAmerican",
            r."stakeE4", r."book", r."source", r."provenance", r."postedAt"
          from r
          where r."gameId" = any(array(select l.id from locked l)) and (r.key is null or r.uuid = any(array(select c.pick_uuid from claimed c)))
          returning *;
      end if;
      get diagnostics stored = row_count;
      if asked is null then return; end if;
      if stored < json_array_length(given) then
        raise exception 'some of these picks cannot be posted with the others' using errcode = 'PP006';
      end if;
      with w as materialized (
        select * from json_to_recordset(asked) as w (at timestamptz, operator text, action text, about text, rows int, request_id text,
          counts jsonb, refused int, refusals jsonb, picks uuid[])),
      a as (
        insert into public.operator_actions as o (at, operator, action, about, rows, request_id)
        select w.at, w.operator, w.action, w.about, w.rows, w.request_id from w
        returning o.id, o.request_id)
      insert into public.operator_outcomes (action_id, at, counts, refused, refusals, picks)
      select a.id, w.at, w.counts, w.refused, w.refusals, w.picks from a join w using (request_id);
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function public.post_picks(given json, game_ids bigint[], game_names text[], asked json)
      returns setof public.picks
      language plpgsql set search_path = pg_catalog, public, pg_temp
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    declare
      locked bigint[];
      claimed uuid[];
      stored bigint;
    begin
      locked := array(
        select g.id from public.games g
        where g.id = any(game_ids) and concat(g.id, ' ', g.name) = any(game_names) order by g.id for share);
      if exists (select from json_to_recordset(given) as r (key text) where r.key is not null) then
        with c as (
          insert into public.pick_requests as q (idempotency_key, fingerprint, pick_uuid, posted_at)
          select r.key, decode(r.print, 'hex'), r.uuid, r."postedAt"
          from json_to_recordset(given) as r (key text, print text, "uuid" uuid, "gameId" bigint, "postedAt" timestamptz)
          where r.key is not null and r."gameId" = any(locked)
          order by r.key
          on conflict do nothing
          returning q.pick_uuid)
        select array_agg(c.pick_uuid) into claimed from c;
      end if;
      return query
        insert into public.picks (uuid, capper_id, tier, game_id, starts_at, market, side, line_e3, pick, odds_american, stake_e4, book,
          source, provenance, posted_at)
        select r."uuid", r."capperId", r."tier", r."gameId", r."startsAt", r."market", r."side", r."lineE3", r."pick", r."oddsAmerican",
          r."stakeE4", r."book", r."source", r."provenance", r."postedAt"
        from json_to_recordset(given) as r (key text, "uuid" uuid, "capperId" int, "tier" text, "gameId" bigint, "startsAt" timestamptz,
          "market" text, "side" text, "lineE3" int, "pick" text, "oddsAmerican" int, "stakeE4" int, "book" text, "source" text,
          "provenance" text, "postedAt" timestamptz)
        where r."gameId" = any(locked) and (r.key is null or r.uuid = any(claimed))
        returning *;
      get diagnostics stored = row_count;
      if asked is null then return; end if;
      if stored < json_array_length(given) then
        raise exception 'some of these picks cannot be posted with the others' using errcode = 'PP006';
      end if;
      with a as (
        insert into public.operator_actions as o (at, operator, action, about, rows, request_id)
        select w.at, w.operator, w.action, w.about, w.rows, w.request_id
        from json_to_recordset(asked) as w (at timestamptz, operator text, action text, about text, rows int, request_id text)
        returning o.id, o.request_id)
      insert into public.operator_outcomes (action_id, at, counts, refused, refusals, picks)
      select a.id, w.at, w.counts, w.refused, w.refusals, w.picks
      from a join json_to_recordset(asked)
        as w (at timestamptz, request_id text, counts jsonb, refused int, refusals jsonb, picks uuid[]) using (request_id);
    end $$;
  `);
}
