import type { Knex } from 'knex';

/** The rules of `src/rules` as functions of the database, for what it refuses. Property tests compare the two (test/migrations/rules.test.ts). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function pick_fits(market text, side text, line_e3 int, moneyline_ways int) returns boolean
      language sql immutable parallel safe
      return case
        when market in ('moneyline', 'first_half_moneyline') then
          line_e3 is null and (side in ('home', 'away') or (side = 'draw' and moneyline_ways = 3))
        when market in ('spread', 'first_half_spread') then line_e3 is not null and side in ('home', 'away')
        when market in ('total', 'first_half_total') then line_e3 is not null and side in ('over', 'under')
        when market = 'team_total' then
          line_e3 is not null and side in ('home_over', 'home_under', 'away_over', 'away_under')
        else true end;
    comment on function pick_fits(text, text, int, int) is
      'Whether a declared market has this side, and a line if it has lines. Any side and line fits another market.';

    create function graded_by(market text) returns text
      language sql immutable parallel safe
      return case
        when market in ('moneyline', 'spread', 'total', 'team_total') then 'score'
        when market in ('first_half_moneyline', 'first_half_spread', 'first_half_total') then 'first_half_score' end;
    comment on function graded_by(text) is 'Which score grades a market, named as settlements name it; null for one that is not declared.';

    create function score_result(market text, side text, line_e3 int, moneyline_ways int, home int, away int) returns text
      language plpgsql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
      declare
        margin int;
      begin
        if graded_by(market) is null or home is null or away is null or not pick_fits(market, side, line_e3, moneyline_ways) then
          return null;
        end if;
        if side = 'draw' then
          return case when home = away then 'win' else 'loss' end;
        end if;
        if market like '%moneyline' and moneyline_ways = 3 and home = away then
          return 'loss';
        end if;
        margin := case side
          when 'home' then (home - away) * 1000 + coalesce(line_e3, 0)
          when 'away' then (away - home) * 1000 + coalesce(line_e3, 0)
          when 'over' then (home + away) * 1000 - line_e3
          when 'under' then line_e3 - (home + away) * 1000
          when 'home_over' then home * 1000 - line_e3
          when 'home_under' then line_e3 - home * 1000
          when 'away_over' then away * 1000 - line_e3
          when 'away_under' then line_e3 - away * 1000 end;
        return case when margin > 0 then 'win' when margin < 0 then 'loss' else 'push' end;
      end $$;
    comment on function score_result(text, text, int, int, int, int) is
      'What the score that grades a market makes of a pick; null where no score decides it.';

    create function net_units(result text, stake_e4 int, odds_american int) returns bigint
      language sql immutable parallel safe
      return case result
        when 'loss' then -stake_e4::bigint
        when 'win' then case when odds_american > 0
          then (2 * stake_e4::bigint * odds_american + 100) / 200
          else (2 * stake_e4::bigint * 100 - odds_american) / (-2 * odds_american) end
        else 0 end;
    comment on function net_units(text, int, int) is
      'Net units of a settled pick in ten-thousandths, rounded exactly, halves away from zero.';

    -- Decimal odds as fractions: american_num / american_den.
    create function american_num(odds int) returns numeric
      language sql immutable parallel safe return case when odds > 0 then 100 + odds else 100 - odds end;
    create function american_den(odds int) returns numeric
      language sql immutable parallel safe return case when odds > 0 then 100 else -odds end;
    comment on function american_num(int) is 'Numerator of American odds as exact decimal odds.';
    comment on function american_den(int) is 'Denominator of American odds as exact decimal odds.';

    create function clv(posted int, num numeric, den numeric) returns int
      language sql immutable parallel safe
      return (sign(american_num(posted) * den - american_den(posted) * num)
        * div(20000 * abs(american_num(posted) * den - american_den(posted) * num) + american_den(posted) * num,
            2 * american_den(posted) * num))::int;
    comment on function clv(int, numeric, numeric) is
      'Closing line value in basis points of American odds against exact decimal odds, halves away from zero.';

    -- The scale of American odds without its gap: even money is 0, +101 is 1, -101 is -1.
    create function american_at(place int) returns int
      language sql immutable parallel safe return case when place >= 0 then place + 100 else place - 100 end;
    comment on function american_at(int) is 'American odds by their place from even money, which is +100.';

    create function clv_bounds(posted int, shown int, out least_bps int, out most_bps int)
      language plpgsql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
      declare
        place int := case when shown > 0 then shown - 100 else shown + 100 end;
        below int := american_at(greatest(place - 1, -99900));
        above int := american_at(least(place + 1, 99900));
      begin
        -- Odds shown for a median are the nearest ones, so it lies between the middles to the next odds on either side.
        least_bps := clv(posted,
          american_num(shown) * american_den(above) + american_num(above) * american_den(shown),
          2 * american_den(shown) * american_den(above));
        most_bps := clv(posted,
          american_num(shown) * american_den(below) + american_num(below) * american_den(shown),
          2 * american_den(shown) * american_den(below));
      end $$;
    comment on function clv_bounds(int, int) is
      'Between which basis points the closing line value lies where the closing is a median that is shown as these odds.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function clv_bounds(int, int), american_at(int), clv(int, numeric, numeric), american_den(int), american_num(int),
      net_units(text, int, int), score_result(text, text, int, int, int, int), graded_by(text), pick_fits(text, text, int, int)
  `);
}
