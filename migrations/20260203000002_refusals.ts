import type { Knex } from 'knex';

/**
 * The database refuses what cannot be true, from processes and from the owner alike: docs/decisions/0032-what-the-database-refuses.md.
 *
 * Each function checks a statement's rows at once, with a few index look-ups a row, and raises an error of the class `PP`.
 */
export async function up(knex: Knex): Promise<void> {
  for (const check of checks) await knex.raw(sqlOf(check));
  await knex.raw(`
    create function refuse_removal() returns trigger language plpgsql
      set search_path = pg_catalog, public, pg_temp as $$ begin
      raise exception '% on % is refused: what is stored rests on it', tg_op, tg_table_name using errcode = 'PP005';
    end $$;
    comment on function refuse_removal() is 'Refuses a statement that would take away what stored picks rest on.';
  `);
  for (const [table, statements] of Object.entries(refused)) {
    await knex.raw(`
      create trigger ${table}_refuse_${statements[0]} before ${statements.join(' or ')} on ${table}
        for each statement execute function refuse_removal();
      alter table ${table} enable always trigger ${table}_refuse_${statements[0]};
    `);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const { name, table } of checks) {
    await knex.raw(`drop trigger ${name} on ${table}; drop function ${name}()`);
  }
  for (const [table, statements] of Object.entries(refused))
    await knex.raw(`drop trigger ${table}_refuse_${statements[0]} on ${table}`);
  await knex.raw('drop function refuse_removal()');
}

/** Statements that no process needs: what they took away could not be told from what was never there. */
const refused: Record<string, readonly string[]> = {
  pending_picks: ['truncate'],
  unsealed_events: ['update', 'truncate'],
  lines: ['update', 'truncate'],
  results: ['update', 'truncate'],
};

interface Check {
  name: string;
  table: string;
  about: string;
  on: 'insert' | 'update' | 'delete';
  code: string;
  /** A query of the reasons to refuse the rows `added` or `removed`: none where they are in order. */
  faults: string;
}

/** Rows as an `on` demands them. */
function sqlOf({ name, table, about, on, code, faults }: Check): string {
  const rows = {
    insert: 'new table as added',
    update: 'old table as removed new table as added',
    delete: 'old table as removed',
  };
  return `
    create function ${name}() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp
      -- A plan that was made while tables were small is kept: it must not scan them.
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
      declare
        fault text;
      begin
        ${faults}
        limit 1 into fault;
        if fault is not null then
          raise exception '%', fault using errcode = '${code}', table = '${table}';
        end if;
        return null;
      end $$;
    revoke execute on function ${name}() from public;
    comment on function ${name}() is '${about}';
    create trigger ${name} after ${on} on ${table} referencing ${rows[on]}
      for each statement execute function ${name}();
    alter table ${table} enable always trigger ${name};
  `;
}

/** Whether an instant lies after the present one, which only a live log knows. */
const ahead = (instant: string) =>
  `(k.kind = 'live' and ${instant} > clock_timestamp() + interval '1 minute')`;

const checks: readonly Check[] = [
  {
    name: 'check_picks',
    table: 'picks',
    about: 'Refuses picks whose time, start, tier or side cannot be true.',
    on: 'insert',
    code: 'PP001',
    faults: `
      select format('pick %s: %s', a.uuid, f.reason)
      from added a
      join public.games g on g.id = a.game_id
      join public.sports s on s.key = g.sport
      join public.cappers c on c.id = a.capper_id
      cross join public.log_kind k
      cross join lateral (select case
        when not c.verified then 'its capper is not verified'
        when a.tier <> c.tier then 'its tier is not the tier of its capper'
        when not public.pick_fits(a.market, a.side, a.line_e3, s.moneyline_ways) then 'its market has no such side or line'
        when a.posted_at >= g.starts_at then 'it is posted after the start of its game'
        when ${ahead('a.posted_at')} then 'it is posted in the future'
        when a.provenance = 'imported' then
          case when a.starts_at is distinct from g.announced_start then 'its start is not the one that its game was announced for' end
        when a.starts_at is distinct from g.starts_at then 'its start is not the start of its game'
        when g.status in ('final', 'cancelled') then 'its game is over'
        when k.kind = 'live' and a.posted_at < clock_timestamp() - interval '1 minute' then 'it is posted in the past'
        when k.kind = 'live' and g.starts_at <= clock_timestamp() then 'its game has started'
        end as reason) f
      where f.reason is not null`,
  },
  {
    name: 'check_closings',
    table: 'closings',
    about: 'Refuses closings whose instant, line, prices or closing line value cannot be true.',
    on: 'insert',
    code: 'PP002',
    faults: `
      select format('closing of pick %s: %s', a.pick_id, f.reason)
      from added a
      join public.picks p on p.id = a.pick_id
      join public.games g on g.id = p.game_id
      cross join public.log_kind k
      cross join lateral (select case
        when a.closed_at is distinct from g.starts_at then 'it is not at the start of its game'
        when ${ahead('a.closed_at')} then 'its game has not started'
        when exists (select from public.settlements s where s.pick_id = a.pick_id) then 'the pick is settled'
        when a.book is distinct from p.book then 'it is of another book'
        when a.book is null and a.line_e3 is distinct from p.line_e3 then 'it is at another line'
        when exists (select from jsonb_array_elements(a.prices) as e (price)
            where jsonb_typeof(price) <> 'object' or price - 'side' - 'odds_american' <> '{}'
              or jsonb_typeof(price->'side') is distinct from 'string' or not public.slug(price->>'side')
              or jsonb_typeof(price->'odds_american') is distinct from 'number'
              or price->>'odds_american' !~ '^-{0,1}[0-9]{3,6}$' or not public.american((price->>'odds_american')::int))
          then 'its prices are not sides with American odds'
        when (select count(distinct price->>'side') < count(*) from jsonb_array_elements(a.prices) as e (price))
          then 'a side has two prices'
        when not a.prices @> jsonb_build_array(jsonb_build_object('side', p.side, 'odds_american', a.odds_american))
          then 'its odds are not among its prices'
        when not exists (select from public.lines l
            where l.game_id = p.game_id and l.market = p.market and l.captured_at = a.captured_at and l.side = p.side
              and (a.book is null or (l.book = a.book and l.odds_american = a.odds_american))
              and (a.line_e3 is null or l.line_e3 = a.line_e3))
          then 'no such price was seen at that instant'
        when a.book is not null
            and a.clv_bps <> public.clv(p.odds_american, public.american_num(a.odds_american), public.american_den(a.odds_american))
          then 'its closing line value is not what its prices give'
        when a.book is null and not (
            select a.clv_bps between b.least_bps and b.most_bps from public.clv_bounds(p.odds_american, a.odds_american) b)
          then 'no median shown as these odds has its closing line value'
        end as reason) f
      where f.reason is not null`,
  },
  {
    name: 'check_settlements',
    table: 'settlements',
    about: 'Refuses settlements that the score, the result or the end of the game does not give.',
    on: 'insert',
    code: 'PP003',
    faults: `
      select format('settlement of pick %s: %s', a.pick_id, f.reason)
      from added a
      join public.picks p on p.id = a.pick_id
      join public.games g on g.id = p.game_id
      join public.sports s on s.key = g.sport
      cross join public.log_kind k
      cross join lateral (select
        case public.graded_by(p.market) when 'score' then g.home_score else g.home_half_score end as home,
        case public.graded_by(p.market) when 'score' then g.away_score else g.away_half_score end as away) o
      cross join lateral (select case when g.status = 'final' then
        public.score_result(p.market, p.side, p.line_e3, s.moneyline_ways, o.home, o.away) end as result) d
      cross join lateral (select case
        when a.net_units_e4 <> public.net_units(a.result, p.stake_e4, p.odds_american) then 'its units are not what stake and odds give'
        when ${ahead('a.settled_at')} then 'it is settled in the future'
        when a.settled_at < g.starts_at and a.result <> 'void' then 'its game had not started'
        when a.grader in ('score', 'first_half_score') then case
          when d.result is null or a.grader <> public.graded_by(p.market) then 'no score decides it'
          when a.result <> d.result then 'its result is not what the score gives'
          when a.home_score is distinct from o.home or a.away_score is distinct from o.away then 'its score is not that of its game'
          when a.settled_at is distinct from g.final_at then 'it is not settled when its game ended' end
        when a.home_score is not null then 'a score did not grade it'
        when a.grader = 'cancelled' then case
          when a.result <> 'void' or g.status <> 'cancelled' then 'its game was not cancelled'
          when a.settled_at is distinct from g.final_at then 'it is not settled when its game was cancelled' end
        when a.grader = 'postponed' then case
          when a.result <> 'void' or not g.was_postponed or g.announced_start is null then 'its game was not postponed'
          when a.settled_at <> g.announced_start + interval '48 hours' then 'it is not settled 48 hours after the announced start'
          when g.final_at <= a.settled_at then 'its game ended within 48 hours' end
        when a.grader = 'result' then case
          when d.result is not null then 'the score decides it'
          when not exists (select from public.results r
              where r.game_id = p.game_id and r.market = p.market and r.side = p.side and r.line_e3 is not distinct from p.line_e3
                and r.result = a.result and r.final_at = a.settled_at) then 'there is no such result' end
        else 'nothing decides it' end as reason) f
      where f.reason is not null`,
  },
  {
    name: 'check_entries',
    table: 'ledger_entries',
    about: 'Refuses entries that do not continue the log, or whose event is not stored.',
    on: 'insert',
    code: 'PP004',
    faults: `
      select reason from (
        select format('entries %s to %s do not continue the log', min(seq), max(seq)) as reason from added
        having max(seq) - min(seq) + 1 <> count(*)
          or (min(seq) > 0 and not exists (select from public.ledger_entries e where e.seq = (select min(seq) - 1 from added)))
        union all
        select format('entry %s: its event is not stored', a.seq) from added a
        left join public.picks p on p.id = a.pick_id
        left join public.cappers c on c.id = p.capper_id
        where case a.kind
          when 'posted' then (a.uuid, a.capper) is distinct from (p.uuid, c.handle)
          when 'closed' then (a.uuid, a.capper) is distinct from (p.uuid, c.handle)
            or not exists (select from public.closings k where k.pick_id = a.pick_id)
          when 'settled' then (a.uuid, a.capper) is distinct from (p.uuid, c.handle)
            or not exists (select from public.settlements k where k.pick_id = a.pick_id)
          else false end) f`,
  },
  {
    name: 'check_checkpoints',
    table: 'checkpoints',
    about: 'Refuses checkpoints that are larger than the log, or do not follow the last one.',
    on: 'insert',
    code: 'PP004',
    faults: `
      select format('checkpoint of size %s: %s', a.size, f.reason)
      from added a
      cross join lateral (select case
        when not exists (select from public.ledger_entries e where e.seq = a.size - 1) then 'the log is smaller'
        when exists (select from public.checkpoints c where c.size > a.size) then 'the last one is larger'
        when a.previous is distinct from (select max(c.size) from public.checkpoints c where c.size < a.size)
          then 'it does not follow the last one'
        end as reason) f
      where f.reason is not null`,
  },
  {
    name: 'check_keys',
    table: 'signing_keys',
    about:
      'Rejects a signing key that the previous key has not announced. The publisher and verifiers check the signatures.',
    on: 'insert',
    code: 'PP004',
    faults: `
      select format('signing key %s: %s', a.id, f.reason)
      from added a
      left join public.signing_keys b on b.id = a.id - 1
      cross join lateral (select case
        when a.id > 1 and b.id is null then 'there is none before it'
        when a.id > 1 and split_part(a.note, chr(10), 2) <> a.vkey then 'its announcement names another key'
        when a.id > 1 and not exists (
            select from regexp_matches(a.note, '^— ([^ ]+) ([A-Za-z0-9+/]{6,}={0,2})$', 'gn') m (part)
            where m.part[1] = split_part(b.vkey, '+', 1)
              and encode(substr(decode(m.part[2], 'base64'), 1, 4), 'hex') = split_part(b.vkey, '+', 2))
          then 'the key before has not signed its announcement'
        end as reason) f
      where f.reason is not null`,
  },
  {
    name: 'check_pending_added',
    table: 'pending_picks',
    about: 'Refuses pending picks that are settled, or are not what the pick is.',
    on: 'insert',
    code: 'PP005',
    faults: `
      select format('pick %s is not pending so', a.pick_id)
      from added a left join public.picks p on p.id = a.pick_id
      where (a.game_id, a.market, a.side) is distinct from (p.game_id, p.market, p.side)
        or exists (select from public.settlements s where s.pick_id = a.pick_id)`,
  },
  {
    name: 'check_pending_changed',
    table: 'pending_picks',
    about: 'Refuses changes of pending picks, but that a pick with a closing is closed.',
    on: 'update',
    code: 'PP005',
    faults: `
      select format('pending pick %s is not to be changed so', pick_id) from (
        select pick_id, game_id, market, side from removed except select pick_id, game_id, market, side from added
        union all
        select pick_id, game_id, market, side from added a
        where a.closed <> exists (select from public.closings c where c.pick_id = a.pick_id)) f`,
  },
  {
    name: 'check_pending_removed',
    table: 'pending_picks',
    about: 'Refuses to let a pick without a settlement be forgotten.',
    on: 'delete',
    code: 'PP005',
    faults: `
      select format('pick %s is not settled', r.pick_id)
      from removed r where not exists (select from public.settlements s where s.pick_id = r.pick_id)`,
  },
  {
    name: 'check_lines_removed',
    table: 'lines',
    about: 'Refuses to remove prices of a market that picks are on.',
    on: 'delete',
    code: 'PP005',
    faults: `
      select format('picks rest on the prices of game %s', r.game_id)
      from removed r where exists (select from public.picks p where p.game_id = r.game_id and p.market = r.market)`,
  },
  {
    name: 'check_results_removed',
    table: 'results',
    about: 'Refuses to remove results of picks.',
    on: 'delete',
    code: 'PP005',
    faults: `
      select format('picks rest on the results of game %s', r.game_id)
      from removed r where exists (select from public.picks p where p.game_id = r.game_id and p.market = r.market)`,
  },
  {
    name: 'check_games_ended',
    table: 'games',
    about: 'Refuses to change how and when a game ended.',
    on: 'update',
    code: 'PP005',
    faults: `
      select format('game %s has ended', id) from (
        select id, status, final_at from removed where status in ('final', 'cancelled')
        except select id, status, final_at from added) f`,
  },
];
