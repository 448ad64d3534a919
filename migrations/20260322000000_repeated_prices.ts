import type { Knex } from 'knex';

/**
 * Prices that repeat the one before and the one after may be removed once the game is over (docs/decisions/0056-repeated-prices.md).
 * `priced_games` lists the games to look at; a trigger fills it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table priced_games (game_id bigint primary key references games on delete cascade);
    comment on table priced_games is
      'Games that prices came in for since repeated ones were last removed. Filled by a trigger of lines, emptied by grading.';

    create function public.lines_listed() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.priced_games (game_id) select distinct game_id from added order by game_id on conflict do nothing;
      return null;
    end $$;
    revoke execute on function public.lines_listed() from public;
    comment on function public.lines_listed() is 'Lists games in priced_games that prices come in for.';
    create trigger lines_listed after insert on lines
      referencing new table as added for each statement execute function public.lines_listed();
    alter table lines enable always trigger lines_listed;

    create or replace function public.check_lines_removed() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
      declare
        fault text;
      begin
        select format('picks rest on the prices of game %s', r.game_id)
        from (
          select game_id, market, book, captured_at, bool_or(closing) as closing,
            array_agg(distinct concat_ws(' ', side, coalesce(line_e3::text, '-'), odds_american)) as prices
          from removed group by game_id, market, book, captured_at
        ) r
        join public.games g on g.id = r.game_id
        cross join lateral (select
          (select max(l.captured_at) from public.lines l
            where l.game_id = r.game_id and l.market = r.market and l.book = r.book and l.captured_at < r.captured_at) as before,
          (select min(l.captured_at) from public.lines l
            where l.game_id = r.game_id and l.market = r.market and l.book = r.book and l.captured_at > r.captured_at) as after) n
        where exists (select from public.picks p where p.game_id = r.game_id and p.market = r.market)
          and (r.closing or n.before is null or n.after is null or g.final_at is null
            -- Part of a snapshot, or one that differs from those beside it.
            or exists (select from public.lines l
              where l.game_id = r.game_id and l.market = r.market and l.book = r.book and l.captured_at = r.captured_at)
            or exists (select from (values (n.before), (n.after)) beside (at) where r.prices is distinct from (
              select array_agg(distinct concat_ws(' ', l.side, coalesce(l.line_e3::text, '-'), l.odds_american)) from public.lines l
              where l.game_id = r.game_id and l.market = r.market and l.book = r.book and l.captured_at = beside.at))
            -- The latest one at a start.
            or exists (select from (
                select g.announced_start as at union all select g.starts_at
                union all select e.starts_at from public.earlier_starts e where e.game_id = r.game_id) s
              where s.at >= r.captured_at and s.at < n.after)
            or exists (select from public.picks p join public.closings c on c.pick_id = p.id
              where p.game_id = r.game_id and p.market = r.market and c.book = r.book and c.captured_at = r.captured_at))
        limit 1 into fault;
        if fault is not null then
          raise exception '%', fault using errcode = 'PP005', table = 'lines';
        end if;
        return null;
      end $$;
    comment on function public.check_lines_removed() is
      'Refuses to remove prices of a market that picks are on, but those of an ended game that repeat the ones beside them.';
    comment on table lines is
      'Prices of one side at one book, as they were seen. Input of closings. A week after a game those that repeat their neighbours go.';
  `);
}

/** What the ledger rests on is never taken back. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
