import type { Knex } from 'knex';

/**
 * Posting planned five statements for each batch of picks, which cost as much as running them, and recorded by two more who asks. Now it
 * asks for what it needs by one function and stores by another: a session plans what a function does once, also behind a pooler that knows
 * no prepared statements.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function public.posting_facts(keys text[], handles text[], names json,
        out known boolean, out cappers json, out games json, out sports json)
      language plpgsql stable set search_path = pg_catalog, public, pg_temp
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$ begin
      known := false;
      -- Who posts without keys has no right to look at them.
      if cardinality(keys) > 0 then
        known := exists (select from public.pick_requests r where r.idempotency_key = any(keys));
      end if;
      select
        (select json_agg(json_build_object('id', c.id, 'handle', c.handle, 'tier', c.tier, 'verified', c.verified,
            'displayName', c.display_name))
          from public.cappers c where c.handle = any(handles)),
        (select json_agg(json_build_object('id', g.id, 'sport', g.sport, 'name', g.name, 'homeKnown', g.home_known,
            'announcedStart', (extract(epoch from g.announced_start) * 1000)::bigint,
            'startsAt', (extract(epoch from g.starts_at) * 1000)::bigint, 'status', g.status,
            'homeScore', g.home_score, 'awayScore', g.away_score, 'homeHalfScore', g.home_half_score,
            'awayHalfScore', g.away_half_score, 'finalAt', (extract(epoch from g.final_at) * 1000)::bigint,
            'wasPostponed', g.was_postponed) order by g.id)
          from json_to_recordset(names) as w (sport text, game text, start timestamptz)
          cross join lateral (
            select * from public.games
            where sport = w.sport and name = w.game and announced_start between w.start and w.start
            union all
            select * from public.games
            where w.start is null and sport = w.sport and name = w.game and announced_start is not distinct from w.start) g),
        (select json_agg(json_build_object('key', s.key, 'ways', s.moneyline_ways) order by s.position, s.key)
          from public.sports s)
        into cappers, games, sports;
    end $$;
    comment on function public.posting_facts(text[], text[], json) is
      'What picks are judged by before they are posted: whether an Idempotency-Key was used before, and the cappers, games and sports that they name.';

    create function public.post_picks(given json, game_ids bigint[], game_names text[], asked json)
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
    comment on function public.post_picks(json, bigint[], text[], json) is
      'Locks games, claims Idempotency-Keys and stores live picks, and records who asks with what comes of it. With a record all picks are stored or none.';

    revoke execute on function public.posting_facts(text[], text[], json), public.post_picks(json, bigint[], text[], json) from public;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop function public.post_picks(json, bigint[], text[], json), public.posting_facts(text[], text[], json)',
  );
}
