import { leaderboard } from '../../src/boards/cappers/leaderboard.ts';
import type { Database } from '../../src/platform/database.ts';
import { extendVerdicts } from '../../src/projections/verdicts.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import type { Note } from './figures.ts';

const now = Date.parse('2026-01-11T17:00:00Z');
/** Picks per capper, and cappers whose picks one batch settles. */
const picksEach = 20;
const settledAtOnce = 100;

/**
 * The verdicts of 100,000 cappers with 20 live picks each, of one with 10,000, and of a hundred after a settlement; then a leaderboard of
 * 200 of them, before and after it. The baselines read the same picks, or render the leaderboard for the first time.
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  { cappers = Number(process.env.VERDICT_CAPPERS ?? 100_000), most = 10_000 } = {},
): Promise<void> {
  const created = await createDatabase();
  const { owner, database } = created;
  try {
    await fill(owner, cappers, most);
    const picks = cappers * picksEach + most;
    say(`${cappers} cappers, ${picks} picks`);
    const read = await timed(() =>
      owner.raw(
        "select count(b.net_units_e4 + b.edge_bps + extract('epoch' from b.posted_at)) from board_picks b",
      ),
    );
    const all = await timed(() => database.transaction((transaction) => extendVerdicts(transaction, picks)));
    note({ name: 'all verdicts, per capper', ours: all / cappers, baseline: read / cappers, unit: 'ms' });

    const render = () => leaderboardOf(database);
    const boards = (next_seq: number) =>
      owner('reader_cursors').insert({ reader: 'boards', next_seq }).onConflict('reader').merge();
    const few = picks - most - Math.min(cappers, settledAtOnce);
    await boards(few);
    const first = await timed(render);
    await boards(picks);
    // Each of these settles again, as far as the cursor knows.
    const settle = async (least: number) => {
      await owner('reader_cursors').where({ reader: 'verdicts' }).update({ next_seq: least });
      return timed(() => database.transaction((transaction) => extendVerdicts(transaction, picks)));
    };
    const batch = await settle(few);
    note({ name: `verdicts of ${settledAtOnce} cappers and the largest`, ours: batch, unit: 'ms' });
    note({ name: 'verdict of the largest', ours: await settle(picks - 1), unit: 'ms' });
    const again = await timed(render);
    note({
      name: `leaderboard after ${settledAtOnce} cappers and the largest settled`,
      ours: again,
      baseline: first,
      unit: 'ms',
    });
  } finally {
    await dropDatabase(created);
  }
}

async function timed(work: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function leaderboardOf(database: Database): Promise<unknown> {
  const sports = new Map([
    ['nba', { key: 'nba', label: 'NBA', moneylineWays: 2, eventMinutes: 150 } as const],
  ]);
  const context = { database, now, sports, baseUrl: 'https://picks.example', helpLine: '' };
  return leaderboard.renderable({ limit: '200' }, sports).render(context);
}

/** Fills only what verdicts and leaderboards read. The last `most` entries belong to one more capper. */
async function fill(owner: Database, cappers: number, most: number): Promise<void> {
  await owner.transaction(async (transaction) => {
    for (const table of ['cappers', 'ledger_entries'])
      await transaction.raw(`alter table ${table} disable trigger all`);
    const [picks, at] = [cappers * picksEach + most, new Date(now).toISOString()];
    for (const index of ['feed', 'feed_settled', 'game', 'posted', 'settled', 'sport'])
      await transaction.raw(`drop index board_picks_by_${index}`);
    for (const sql of [
      `insert into cappers (handle, tier, verified, created_at)
       select 'capper-' || n, 'listed', true, '${at}' from generate_series(0, ${cappers}) as n`,
      `create temp table played on commit drop as
       select n, case when n < ${picks} - ${most} then 1 + n % ${cappers} else ${cappers} + 1 end as capper_id, n / 25 as game,
         (array[-220, -150, -120, -115, -110, -105, 100, 105, 115, 130, 180, 260])[1 + n % 12] + n % 5 as odds,
         hashtext(n::text) & 1023 as luck
       from generate_series(0, ${picks} - 1) as n`,
      `insert into board_picks (pick_id, uuid, capper_id, tier, sport, game_id, starts_at, market, side, pick, odds_american, stake_e4,
         source, provenance, posted_at, result, half, settled_at, net_units_e4, price_verdict, price_counted, edge_method, edge_source,
         edge_bps)
       select n + 1, gen_random_uuid(), capper_id, 'listed', case n % 2 when 0 then 'nba' else 'nfl' end, 1 + game,
         timestamptz '${at}' - interval '2 days', case n % 3 when 0 then 'total' else 'moneyline' end, 'home', 'Foxes', played.odds, 10000,
         'bench', 'live', timestamptz '${at}' - interval '3 days' + n * interval '1 ms', result::pick_result, false, timestamptz '${at}' - interval '1 day', net,
         'available', played.odds, 'power', 'provider', (luck - 530) / 2
       from played cross join lateral (select 1.0 / decimal as fair, decimal from (select
         case when odds > 0 then 1 + odds / 100.0 else 1 - 100.0 / odds end as decimal) d) d
       cross join lateral (select case when luck < 1024 * fair then 'win' else 'loss' end as result,
         case when luck < 1024 * fair then round(10000 * (decimal - 1)) else -10000 end as net) r`,
      `insert into capper_totals (capper_id, sport, market, provenance, posted, wins, losses, net_e4, staked_e4, break_even_e9, flat_e6,
         flat_variance_e6)
       select capper_id, sport, market, 'live', count(*), count(*) filter (where result = 'win'), count(*) filter (where result = 'loss'),
         sum(net_units_e4), sum(stake_e4), 0, 100 * sum(net_units_e4), 1000000 * count(*)
       from board_picks group by capper_id, sport, market`,
      `insert into ledger_entries (seq, kind, pick_id, uuid, capper, capper_seq, hash, prev, leaf_hash)
       select pick_id - 1, 'settled', pick_id, uuid, 'capper-' || capper_id - 1, 1, h, h, h
       from board_picks cross join (select decode(repeat('00', 32), 'hex') as h) z`,
    ])
      await transaction.raw(sql);
  });
  for (const table of ['cappers', 'board_picks', 'capper_totals', 'ledger_entries'])
    await owner.raw(`vacuum (analyze) ${table}`);
}
