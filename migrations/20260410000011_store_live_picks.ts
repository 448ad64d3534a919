import type { Knex } from 'knex';

/**
 * `post_picks` gives back all columns of what it stores, and its caller has them all but the id: planning, writing and reading them takes a
 * fifteenth of the statement. `store_live_picks` gives one value, and reads no JSON twice. The release before calls `post_picks`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function public.store_live_picks(given json, keyed boolean, game_ids bigint[], game_names text[], asked json) returns json
      language plpgsql set search_path = pg_catalog, public, pg_temp
      -- The plan is kept while the tables grow.
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
    declare
      answer json;
      missing bigint;
    begin
      -- Who posts without keys has no right to look at them.
      if not keyed then
        with r as materialized (
          select * from json_to_recordset(given) as w ("uuid" uuid, "capperId" int, "tier" text, "gameId" bigint, "startsAt" timestamptz,
            "market" text, "side" text, "lineE3" int, "pick" text, "oddsAmerican" int, "stakeE4" int, "book" text, "source" text,
            "provenance" text, "postedAt" timestamptz)),
        locked as materialized (
          select g.id from public.games g
          where g.id = any(game_ids) and concat(g.id, ' ', g.name) = any(game_names) order by g.id for share),
        stored as (
          insert into public.picks (uuid, capper_id, tier, game_id, starts_at, market, side, line_e3, pick, odds_american, stake_e4, book,
            source, provenance, posted_at)
          select r."uuid", r."capperId", r."tier", r."gameId", r."startsAt", r."market", r."side", r."lineE3", r."pick", r."oddsAmerican",
            r."stakeE4", r."book", r."source", r."provenance", r."postedAt"
          from r where r."gameId" = any(array(select l.id from locked l))
          returning id, uuid, body_version)
        select json_agg(json_build_array(s.uuid, s.id, s.body_version)), (select count(*) from r) - count(*) into answer, missing
        from stored s;
      else
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
          returning q.pick_uuid),
        stored as (
          insert into public.picks (uuid, capper_id, tier, game_id, starts_at, market, side, line_e3, pick, odds_american, stake_e4, book,
            source, provenance, posted_at)
          select r."uuid", r."capperId", r."tier", r."gameId", r."startsAt", r."market", r."side", r."lineE3", r."pick", r."oddsAmerican",
            r."stakeE4", r."book", r."source", r."provenance", r."postedAt"
          from r
          where r.uuid = any(array(select c.pick_uuid from claimed c))
            or (r.key is null and r."gameId" = any(array(select l.id from locked l)))
          returning id, uuid, body_version)
        select json_agg(json_build_array(s.uuid, s.id, s.body_version)), (select count(*) from r) - count(*) into answer, missing
        from stored s;
      end if;
      if asked is null then return answer; end if;
      if missing > 0 then
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
      return answer;
    end $$;
    comment on function public.store_live_picks(json, boolean, bigint[], text[], json) is
      'Locks games, claims Idempotency-Keys and stores live picks, and records who asks with what comes of it. With a record all picks are stored or none. Gives the uuid, id and body version of each that is stored.';

    revoke execute on function public.store_live_picks(json, boolean, bigint[], text[], json) from public;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function public.store_live_picks(json, boolean, bigint[], text[], json)');
}
