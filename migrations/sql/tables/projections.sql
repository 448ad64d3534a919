-- Projections of the log, from which boards are computed. `npm run cli -- rebuild` can rebuild all but the Picks of the Day.

create table reader_cursors (
  reader text primary key,
  next_seq seq not null,
  repairs int not null default 0
);
comment on table reader_cursors is 'The position of each reader in the log.';
comment on column reader_cursors.next_seq is 'The next entry to read.';
comment on column reader_cursors.repairs is 'Ranges of projections repaired: changes that no entry shows.';

create trigger check_cursor before update on reader_cursors
  for each row execute function check_cursor();
create trigger check_new_cursor before insert on reader_cursors
  for each row when (new.next_seq > 0) execute function check_cursor();

create table board_picks (
  pick_id id primary key,
  uuid uuid not null,
  capper_id int not null,
  tier tier not null,
  sport text not null,
  game_id id not null,
  starts_at instant,
  market slug not null,
  subject plain_text,
  side slug not null,
  line_e3 points_e3,
  pick plain_text not null,
  odds_american american_odds not null,
  stake_e4 int not null,
  book slug,
  source slug not null,
  provenance provenance not null,
  posted_at instant not null,
  author_key key_id,
  closed_at instant,
  closing_odds american_odds,
  closing_line_e3 points_e3,
  clv_bps int,
  edge_method text check (edge_method in ('power', 'margin_model')),
  edge_source text check (edge_source in ('provider', 'hand')),
  same_line boolean,
  edge_bps int,
  result pick_result,
  half boolean,
  settled_at instant,
  net_units_e4 safe_integer,
  price_verdict price_verdict,
  price_odds american_odds,
  price_book slug,
  price_captured_at instant,
  price_counted american_odds,
  counted_odds int generated always as
    (case when price_verdict = 'unseen' then null else coalesce(price_counted, odds_american) end) stored,
  clv_counted_bps bigint generated always as
    (case when clv_bps is null or coalesce(price_counted, odds_american) = odds_american then clv_bps
      else round(10000 * (
        case when price_counted > 0 then 1 + price_counted / 100.0 else 1 - 100.0 / nullif(price_counted, 0) end
        / nullif(case when closing_odds > 0 then 1 + closing_odds / 100.0 else 1 - 100.0 / nullif(closing_odds, 0) end, 0)
        - 1)) end) stored,
  sealed_at instant,
  sealed_in_time text check (sealed_in_time in ('witnessed', 'signed', 'late')),
  check (sealed_in_time is null or (sealed_at is not null and provenance = 'live'))
) with (fillfactor = 50);
comment on table board_picks is 'A pick with its closing, settlement, and seal in one row.';
comment on column board_picks.starts_at is 'The start of the game as known at posting.';
comment on column board_picks.same_line is 'Whether the closing price is at the pick''s own line.';
comment on column board_picks.edge_bps is
  'The edge against the fair closing probability at the pick''s own line. Null: not closed, or a side has no price.';
comment on column board_picks.edge_method is 'As in closings.';
comment on column board_picks.edge_source is 'As in closings.';
comment on column board_picks.price_verdict is
  'Whether the odds of a live pick were on offer. Provisional while the pick is pending, then as sealed.';
comment on column board_picks.price_odds is 'The price that the pick was compared with.';
comment on column board_picks.counted_odds is 'The odds at which the pick counts in figures. Null: in none.';
comment on column board_picks.clv_counted_bps is 'The CLV of the counted odds, against the closing odds as shown if they are not the posted ones.';
comment on column board_picks.sealed_at is 'When the first checkpoint that covers the pick was signed.';
comment on column board_picks.sealed_in_time is
  'For a live pick: whether a witnessed or only signed checkpoint covered it before the start. Null: no checkpoint yet, or no start.';

create unique index board_picks_by_uuid on board_picks (uuid);
create index board_picks_by_capper on board_picks (capper_id, posted_at desc, uuid);
create index board_picks_by_capper_same_line_clv on board_picks (capper_id, clv_counted_bps)
  include (price_verdict) where clv_counted_bps is not null and same_line;
create index board_picks_by_capper_settled on board_picks (capper_id, settled_at desc, posted_at desc, uuid desc)
  include (result, price_verdict) where result is not null;
create index board_picks_by_feed on board_picks (tier, sport, provenance, posted_at desc nulls last, uuid);
create index board_picks_by_feed_settled on board_picks (sport, provenance, settled_at desc nulls last, posted_at desc, uuid)
  where result is not null;
create index board_picks_by_game on board_picks (game_id, posted_at, uuid) include (market, side);
create index board_picks_by_posted on board_picks (posted_at desc, uuid);
create index board_picks_by_settled on board_picks (settled_at desc, posted_at desc, uuid) where result is not null;
create index board_picks_by_subject on board_picks (subject, sport, settled_at desc) include (market) where subject is not null;
create index board_picks_to_check on board_picks (pick_id)
  where result is null and provenance = 'live' and price_verdict is null;
create index board_picks_by_sport on board_picks (sport, pick_id);

-- Columns shared by all sums of settled picks. Dropped below.
create table sums (
  wins int not null default 0,
  losses int not null default 0,
  halves int not null default 0,
  pushes int not null default 0,
  voids int not null default 0,
  net_e4 safe_integer not null default 0,
  staked_e4 safe_integer not null default 0,
  break_even_e9 safe_integer not null default 0,
  flat_e6 safe_integer not null default 0,
  flat_variance_e6 safe_integer not null default 0,
  clv_sum safe_integer not null default 0,
  clv_sample int not null default 0,
  clv_moved_sample int not null default 0,
  edge_sum safe_integer not null default 0,
  edge_sample int not null default 0,
  late int not null default 0,
  unchecked int not null default 0,
  above_market int not null default 0,
  unseen int not null default 0
);
comment on column sums.net_e4 is 'Net units.';
comment on column sums.staked_e4 is 'Units staked on wins and losses.';
comment on column sums.halves is 'Wins and losses of which half of the stake counted. They have half the weight in the sums below.';
comment on column sums.break_even_e9 is 'Sum of 1/decimal over wins and losses, in billionths.';
comment on column sums.flat_e6 is 'Net units of one unit on each win and loss, in millionths.';
comment on column sums.flat_variance_e6 is 'Sum of weight^2 * (decimal - 1) over wins and losses, in millionths: the variance of flat_e6 by chance.';
comment on column sums.clv_sum is 'Sum of CLV in basis points over clv_sample picks.';
comment on column sums.clv_sample is 'Settled picks with a closing price at their own line.';
comment on column sums.clv_moved_sample is 'Settled picks with a closing price at another line.';
comment on column sums.edge_sum is 'Sum of edges in basis points over edge_sample picks.';
comment on column sums.edge_sample is 'Settled picks with an edge.';
comment on column sums.late is 'Settled picks that no checkpoint covered before the start.';
comment on column sums.unchecked is 'Settled picks without prices to compare with.';
comment on column sums.above_market is 'Settled picks that count at the market''s price: their odds were above it.';
comment on column sums.unseen is 'Settled picks that count in no other sum: no comparable price was stored.';

create table daily_rollups (
  capper_id int not null,
  sport text not null,
  market slug not null,
  provenance provenance not null,
  day day not null,
  posted int not null default 0,
  last_posted_at instant,
  like sums including all,
  primary key (capper_id, day, sport, market, provenance)
);
comment on table daily_rollups is 'Sums per capper, sport, market, and day.';
comment on column daily_rollups.day is 'Posted picks count on the day of posting, results on the day of settling.';

create index daily_rollups_by_day on daily_rollups (day);

create table capper_totals (
  capper_id int not null,
  sport text not null,
  market slug not null,
  provenance provenance not null,
  posted int not null default 0,
  last_posted_at instant,
  like sums including all,
  primary key (capper_id, sport, market, provenance)
) with (fillfactor = 70);
comment on table capper_totals is 'daily_rollups, summed over all days.';

create table follower_prices (
  pick_id id not null,
  delay int not null,
  odds_american american_odds,
  book slug,
  captured_at instant,
  net_units_e4 safe_integer,
  clv_bps int,
  edge_bps int,
  primary key (pick_id, delay)
);
comment on table follower_prices is
  'Followers'' prices of settled live picks, from the prices stored at settling. No row: no book was read.';
comment on column follower_prices.odds_american is 'Null: no book that was read priced the pick, or its game had started.';
comment on column follower_prices.delay is 'Minutes after posting.';
comment on column follower_prices.clv_bps is 'Against the closing odds as sealed. Null: not closed.';
comment on column follower_prices.edge_bps is 'As in board_picks, at these odds.';

create table follower_days (
  capper_id int not null,
  sport text not null,
  market slug not null,
  delay int not null,
  day day not null,
  like sums including all,
  primary key (capper_id, day, sport, market, delay)
);
comment on table follower_days is 'Sums of settled picks at followers'' odds, per capper, sport, market, delay, and day.';
comment on column follower_days.delay is 'Minutes after posting.';
comment on column follower_days.day is 'The day of settling.';

create index follower_days_by_day on follower_days (day);

create table follower_totals (
  capper_id int not null,
  sport text not null,
  market slug not null,
  delay int not null,
  like sums including all,
  primary key (capper_id, sport, market, delay)
) with (fillfactor = 70);
comment on table follower_totals is 'follower_days, summed over all days.';
comment on column follower_totals.delay is 'Minutes after posting.';

drop table sums;

create table capper_verdicts (
  capper_id int not null,
  sport text not null,
  market text not null,
  live int not null,
  voided int not null,
  wins int not null,
  losses int not null,
  halves int not null,
  flat_e6 safe_integer not null,
  flat_variance_e6 safe_integer not null,
  net_e4 safe_integer not null,
  games int not null,
  chance_pct percentage,
  edge_games int not null,
  edges_above int not null,
  edge_mean real_number not null,
  edge_deviation real_number not null,
  primary key (capper_id, sport, market)
) with (fillfactor = 70);
comment on table capper_verdicts is 'What the verdict on a capper depends on: settled live picks at prices that were on offer.';
comment on column capper_verdicts.sport is 'Empty: all sports. A part of a record with few results has no row.';
comment on column capper_verdicts.market is 'Empty: all markets.';
comment on column capper_verdicts.live is 'Settled live picks, whatever their price.';
comment on column capper_verdicts.voided is 'Those that were void before their start.';
comment on column capper_verdicts.halves is 'Wins and losses of which half of the stake counted.';
comment on column capper_verdicts.flat_e6 is 'Net units of one unit on each win and loss, in millionths.';
comment on column capper_verdicts.flat_variance_e6 is 'Its variance by chance, in millionths.';
comment on column capper_verdicts.games is 'Games whose earliest pick won or lost.';
comment on column capper_verdicts.chance_pct is 'The chance of those picks. Null: not needed for the verdict, because they are too few or only a part of the record.';
comment on column capper_verdicts.edge_games is 'Games with an edge.';
comment on column capper_verdicts.edges_above is 'Those with a positive one.';
comment on column capper_verdicts.edge_mean is 'The mean edge over games, in percent.';
comment on column capper_verdicts.edge_deviation is 'Its standard deviation over games, in percent.';

create table pick_blocks (
  block seq primary key check (block <= 9007199254741),
  last_posted_at instant not null
) with (fillfactor = 70);
comment on table pick_blocks is 'Per thousand picks by id: when one was last posted.';
comment on column pick_blocks.block is 'Block 0 contains ids 1 to 1000.';

create index pick_blocks_by_last_posted_at on pick_blocks (last_posted_at, block);

create table picks_of_the_day (
  day day primary key,
  pick_id id not null references picks,
  chosen_at instant not null
);
comment on table picks_of_the_day is 'The Pick of the Day, chosen once a day.';

create trigger picks_of_the_day_append_only before update or delete or truncate on picks_of_the_day
  for each statement execute function refuse_change();
