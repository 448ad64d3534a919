create or replace function copy_rows(origin bigint, target bigint, kind text, after bigint) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into subjects (game_id, form, spelling, subject)
    select target, form, spelling, subject_in(target, origin, subject) from subjects where game_id = origin
    order by form on conflict do nothing;
  insert into subject_names (game_id, subject, name)
    select distinct on (1, 2) target, subject_in(target, origin, subject), name from subject_names where game_id = origin
    order by 1, 2, 3 on conflict do nothing;
  case kind
    when 'lines' then
      insert into lines (game_id, market, subject, side, line_e3, odds_american, captured_at, closing, book, by_hand)
        select target, market, subject_in(target, origin, subject), side, line_e3, odds_american, captured_at, closing, book, by_hand
        from lines where game_id = origin and id > after order by id on conflict do nothing;
    when 'results' then
      insert into results (game_id, market, subject, side, line_e3, result, half, final_at)
        select target, market, subject_in(target, origin, subject), side, line_e3, result, half, final_at
        from results where game_id = origin and id > after order by id on conflict do nothing;
    when 'voids' then
      insert into voids (game_id, market, subject, at, reason)
        select target, market, subject_in(target, origin, subject), at, reason
        from voids where game_id = origin and id > after order by id on conflict do nothing;
    when 'stats' then
      insert into stats (game_id, subject, stat, value_e3, source, final_at)
        select target, subject_in(target, origin, subject), stat, value_e3, source, final_at
        from stats where game_id = origin and id > after order by id on conflict do nothing;
  end case;
end $$;
comment on function copy_rows(bigint, bigint, text, bigint) is
  'Copies the rows of a table with ids above a limit from one game to another, with the subjects of the other.';
