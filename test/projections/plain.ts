import type { Database } from '../../src/platform/database.ts';
import type { Projection } from '../../src/projections/expected.ts';
import { clvBps, edgeAt } from '../naive/closing.ts';
import { DELAYS, priceAfter } from '../naive/follow.ts';
import { decimalOdds, divide, fraction, multiply, nearestInteger, ONE, subtract } from '../naive/fraction.ts';
import { netUnitsE4 } from '../naive/grading.ts';
import { priceCheckOf } from '../naive/price-check.ts';
import type { Result } from '../naive/read.ts';
import { figuresOf } from '../naive/verdict.ts';

type Row = Record<string, unknown>;

/**
 * Computes the projections in the simplest way from the ledger's tables, without the service's code. @returns rows in the form of
 * `to_jsonb`
 */
export async function plainProjections(database: Database): Promise<Record<Projection['table'], Row[]>> {
  const of = async (table: string): Promise<Row[]> =>
    (await database.raw(`select to_jsonb(t) as row from ${table} t`)).rows.map(
      ({ row }: { row: Row }) => row,
    );
  const games = new Map((await of('games')).map((game) => [game.id, game]));
  const closings = new Map((await of('closings')).map((closing) => [closing.pick_id, closing]));
  const settlements = new Map(
    (await of('settlements')).map((settlement) => [settlement.pick_id, settlement]),
  );
  const seqs = new Map(
    (await of('ledger_entries')).map(({ kind, pick_id, seq }) => [`${kind} ${pick_id}`, seq as number]),
  );
  const checkpoints = (await of('checkpoint_times')).sort((a, b) => (a.size as number) - (b.size as number));

  const lines = (await of('lines')).map(
    (line) => ({ ...line, sport: games.get(line.game_id)!.sport }) as Row,
  );
  const heldStart = ({ game_id }: Row) => games.get(game_id)!.held_start ?? games.get(game_id)!.starts_at;
  const picks: Row[] = [];
  for (const pick of await of('picks')) {
    const posted = seqs.get(`posted ${pick.id}`);
    if (posted === undefined) continue;
    const closing = seqs.has(`closed ${pick.id}`) ? closings.get(pick.id) : undefined;
    const settlement = seqs.has(`settled ${pick.id}`) ? settlements.get(pick.id) : undefined;
    const checkpoint = checkpoints.find(({ size }) => (size as number) > posted);
    picks.push({
      pick_id: pick.id,
      uuid: pick.uuid,
      capper_id: pick.capper_id,
      tier: pick.tier,
      sport: games.get(pick.game_id)!.sport,
      game_id: pick.game_id,
      starts_at: pick.starts_at,
      market: pick.market,
      subject: pick.subject,
      side: pick.side,
      line_e3: pick.line_e3,
      pick: pick.pick,
      odds_american: pick.odds_american,
      stake_e4: pick.stake_e4,
      book: pick.book,
      source: pick.source,
      provenance: pick.provenance,
      author_key: pick.author_key,
      posted_at: pick.posted_at,
      closed_at: closing?.closed_at ?? null,
      closing_odds: closing?.odds_american ?? null,
      closing_line_e3: closing?.line_e3 ?? null,
      clv_bps: closing?.clv_bps ?? null,
      same_line: closing === undefined ? null : closing.line_e3 === pick.line_e3,
      edge_bps:
        closing === undefined
          ? null
          : edgeBps({ ...pick, odds_american: settlement?.price_counted ?? pick.odds_american }, closing),
      edge_method: closing?.edge_method ?? null,
      edge_source: closing?.edge_source ?? null,
      result: settlement?.result ?? null,
      half: settlement?.half ?? null,
      settled_at: settlement?.settled_at ?? null,
      net_units_e4: settlement?.net_units_e4 ?? null,
      ...pricesOf(
        settlement ??
          (pick.provenance === 'live'
            ? provisional(
                { ...pick, sport: games.get(pick.game_id)!.sport, starts_at: heldStart(pick) },
                lines,
              )
            : noCheck),
      ),
      sealed_at: checkpoint?.signed_at ?? null,
      sealed_in_time: checkpoint === undefined ? null : inTime(pick, checkpoint),
    });
    const row = picks.at(-1)!;
    row.counted_odds = row.price_verdict === 'unseen' ? null : (row.price_counted ?? row.odds_american);
    row.clv_counted_bps = clvCounted(row);
  }
  const settled = picks.filter(({ result }) => result !== null);
  const followed = settled.flatMap((pick) =>
    followers(
      { ...pick, starts_at: heldStart(pick) },
      lines,
      closings.get(pick.pick_id),
      settlements.get(pick.pick_id)!,
    ),
  );
  const atFollowers = followed.flatMap(({ pick }) => (pick === null ? [] : [pick]));
  const by = ['capper_id', 'sport', 'market', 'delay'];
  return {
    board_picks: picks,
    follower_prices: followed.map(({ price }) => price),
    follower_days: sums(atFollowers, [...by, 'day'], false),
    follower_totals: sums(atFollowers, by, false),
    daily_rollups: sums(picks, ['capper_id', 'sport', 'market', 'provenance', 'day']),
    capper_totals: sums(picks, ['capper_id', 'sport', 'market', 'provenance']),
    capper_verdicts: verdicts(settled.filter(({ provenance }) => provenance === 'live')),
    pick_blocks: [...Map.groupBy(picks, ({ pick_id }) => Math.ceil((pick_id as number) / 1000) - 1)].map(
      ([block, of]) => ({
        block,
        last_posted_at: of
          .map((pick) => pick.posted_at)
          .reduce((one, other) => (at(one) > at(other) ? one : other)),
      }),
    ),
  };
}

const noCheck: Row = {
  price_verdict: null,
  price_odds: null,
  price_book: null,
  price_captured_at: null,
  price_counted: null,
};

const pricesOf = ({ price_verdict, price_odds, price_book, price_captured_at, price_counted }: Row): Row => ({
  price_verdict,
  price_odds,
  price_book,
  price_captured_at,
  price_counted,
});

/** Reports whether a provider priced the sport of a pick: docs/rules/prices.md#price-sources. */
function hasSource(pick: Row, lines: readonly Row[]): boolean {
  return lines.some(
    (line) =>
      line.by_hand === false &&
      line.sport === pick.sport &&
      at(line.captured_at) >= at(pick.posted_at) - 30 * 86_400_000 &&
      (pick.starts_at === null || at(line.captured_at) <= at(pick.starts_at)),
  );
}

/** Returns the verdict on a pending pick. */
function provisional(pick: Row, lines: readonly Row[]): Row {
  const seen = (row: Row, oddsAmerican: unknown) => ({
    sport: row.sport,
    market: row.market,
    subject: row.subject,
    side: row.side,
    lineE3: row.line_e3,
    book: row.book,
    oddsAmerican,
    postedAt: at(row.posted_at),
    capturedAt: at(row.captured_at),
    closing: row.closing === true,
    byHand: row.by_hand !== false,
    storedAt: at(row.stored_at ?? 0),
  });
  const own = lines.filter(({ game_id }) => game_id === pick.game_id);
  const {
    verdict,
    oddsAmerican,
    book,
    capturedAt,
    countedAmerican: counted,
  } = priceCheckOf(
    seen(pick, pick.odds_american) as never,
    own.map((line) => seen(line, line.odds_american)) as never,
    {
      start: pick.starts_at === null ? null : at(pick.starts_at),
      hasSource: hasSource(pick, lines),
      hasProvider: lines.some((line) => line.by_hand === false),
    },
  );
  return {
    price_verdict: verdict,
    price_odds: oddsAmerican,
    price_book: book,
    price_counted: counted,
    price_captured_at: own.find((line) => at(line.captured_at) === capturedAt)?.captured_at ?? null,
  };
}

/** Returns what the verdicts on cappers depend on, for each capper as a whole and for each part with at least 50 results or edges. */
function verdicts(live: readonly Row[]): Row[] {
  const parts = Map.groupBy(
    live.flatMap((pick) =>
      ['', pick.sport].flatMap((sport) =>
        ['', pick.market].map((market) => ({ pick, key: JSON.stringify([pick.capper_id, sport, market]) })),
      ),
    ),
    ({ key }) => key,
  );
  return [...parts].flatMap(([key, of]) => {
    const judged = of.map(({ pick }) => ({
      game: pick.game_id as number,
      uuid: pick.uuid as string,
      postedAt: at(pick.posted_at),
      start: pick.starts_at === null ? null : at(pick.starts_at),
      settledAt: at(pick.settled_at),
      result: pick.result as string,
      half: pick.half as boolean,
      netE4: pick.net_units_e4 as number,
      oddsAmerican: (pick.price_counted ?? pick.odds_american) as number,
      price: pick.price_verdict as string | null,
      edgeBps:
        pick.edge_method === 'power' && pick.edge_source === 'provider'
          ? (pick.edge_bps as number | null)
          : null,
    }));
    const figures = figuresOf(judged);
    const [capper_id, sport, market] = JSON.parse(key);
    if (`${sport}${market}` !== '' && figures.decided < 50 && figures.n < 50) return [];
    const [sum] = sums(
      of.flatMap(({ pick }) =>
        ['available', 'above_market'].includes(pick.price_verdict as string) ? [{ ...pick, all: 1 }] : [],
      ),
      ['all'],
      false,
    );
    const { wins = 0, losses = 0, halves = 0, flat_e6 = 0, flat_variance_e6 = 0, net_e4 = 0 } = sum ?? {};
    return {
      capper_id,
      sport,
      market,
      live: figures.live,
      voided: figures.voided,
      wins,
      losses,
      halves,
      flat_e6,
      flat_variance_e6,
      net_e4,
      games: figures.games,
      chance_pct: figures.games < 500 || `${sport}${market}` !== '' ? null : figures.chancePct,
      edge_games: figures.n,
      edges_above: figures.above,
      edge_mean: figures.mean,
      edge_deviation: figures.deviation,
    };
  });
}

function edgeBps(pick: Row, closing: Row): number | null {
  if (closing.fair_e9 === null) return null;
  const chance = fraction(closing.fair_e9 as number, 1e9);
  const edge = edgeAt(pick.odds_american as number, { chance } as never);
  return Math.round(edge! * 100);
}

/** Returns the CLV of the counted odds. A follower's are the counted ones. */
function clvCounted(pick: Row): number | null {
  const counted = pick.price_counted ?? pick.odds_american;
  if (pick.clv_bps === null || pick.counted !== undefined || counted === pick.odds_american)
    return pick.clv_bps as number | null;
  return clvBps(counted as number, decimalOdds(pick.closing_odds as number));
}

const at = (instant: unknown) => Date.parse(instant as string);

function inTime(pick: Row, checkpoint: Row): string | null {
  if (pick.provenance === 'imported' || pick.starts_at === null) return null;
  if (
    checkpoint.witnessed_at !== null &&
    at(checkpoint.witnessed_at) < Math.floor(at(pick.starts_at) / 1000) * 1000
  )
    return 'witnessed';
  return at(checkpoint.signed_at) < at(pick.starts_at) ? 'signed' : 'late';
}

const eastern = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });

/** Returns followers' prices of a live pick, and the pick at each of them. */
function followers(
  pick: Row,
  lines: readonly Row[],
  closing: Row | undefined,
  settlement: Row,
): { price: Row; pick: Row | null }[] {
  if (pick.provenance !== 'live') return [];
  const stored = lines.filter((line) => (line.id as number) <= (settlement.last_line_id as number));
  const fromSource = hasSource(pick, stored);
  const known = stored
    .filter((line) => ['game_id', 'market', 'subject'].every((column) => line[column] === pick[column]))
    .filter((line) => !(line.by_hand && (fromSource || at(line.stored_at) >= at(pick.starts_at))))
    .map((line) => ({
      side: line.side as string,
      lineE3: line.line_e3 as number | null,
      oddsAmerican: line.odds_american as number,
      capturedAt: at(line.captured_at),
      closing: line.closing as boolean,
      book: line.book as string,
    }));
  const bet = {
    side: pick.side as string,
    lineE3: pick.line_e3 as number | null,
    postedAt: at(pick.posted_at),
  };
  const start = pick.closed_at ?? pick.starts_at;
  return DELAYS.flatMap((delay) => {
    const found = priceAfter(bet, start === null ? null : at(start), known, delay);
    if (found === null) return [];
    if (found === 'missed')
      return {
        price: {
          pick_id: pick.pick_id,
          delay,
          odds_american: null,
          book: null,
          captured_at: null,
          net_units_e4: null,
          clv_bps: null,
          edge_bps: null,
        },
        pick: null,
      };
    const odds = found.oddsAmerican;
    const counted = (pick.stake_e4 as number) / (pick.half ? 2 : 1);
    const figures = {
      odds_american: odds,
      net_units_e4: netUnitsE4(pick.result as Result, counted, odds),
      clv_bps: closing === undefined ? null : clvBps(odds, decimalOdds(closing.odds_american as number)),
      edge_bps: closing === undefined ? null : edgeBps({ ...pick, odds_american: odds }, closing),
    };
    const captured_at = lines.find(({ captured_at }) => at(captured_at) === found.capturedAt)!.captured_at;
    return {
      price: { pick_id: pick.pick_id, delay, book: found.book, captured_at, ...figures },
      pick: { ...pick, delay, ...figures, counted: odds },
    };
  });
}

/**
 * @param by columns of the picks; `day` is the day of posting for posted picks, and of settling for results
 * @param countsPosted whether posted picks count too
 */
function sums(picks: readonly Row[], by: readonly string[], countsPosted = true): Row[] {
  const sums = new Map<string, Row>();
  const dayOf = (pick: Row, instant: unknown): Record<string, number> & Row => {
    const dated: Row = { ...pick, day: eastern.format(at(instant)) };
    const key = Object.fromEntries(by.map((column) => [column, dated[column]]));
    const name = JSON.stringify(key);
    const zeros = { wins: 0, losses: 0, halves: 0, pushes: 0, voids: 0, net_e4: 0, staked_e4: 0 };
    const chance = { break_even_e9: 0, flat_e6: 0, flat_variance_e6: 0 };
    const close = { clv_sum: 0, clv_sample: 0, clv_moved_sample: 0, edge_sum: 0, edge_sample: 0 };
    const posted = countsPosted && { posted: 0, last_posted_at: null };
    if (!sums.has(name))
      sums.set(name, {
        ...key,
        ...posted,
        ...zeros,
        ...chance,
        ...close,
        late: 0,
        unchecked: 0,
        above_market: 0,
        unseen: 0,
      });
    return sums.get(name) as Record<string, number> & Row;
  };
  for (const pick of picks) {
    if (countsPosted) {
      const posted = dayOf(pick, pick.posted_at);
      posted.posted! += 1;
      if (posted.last_posted_at === null || at(posted.last_posted_at) < at(pick.posted_at))
        (posted as Row).last_posted_at = pick.posted_at;
    }
    if (pick.result === null) continue;
    const settled = dayOf(pick, pick.settled_at);
    if (pick.price_verdict === 'unseen') {
      settled.unseen! += 1;
      continue;
    }
    if (pick.price_verdict === 'above_market') settled.above_market! += 1;
    const column = { win: 'wins', loss: 'losses', push: 'pushes', void: 'voids' }[pick.result as 'win'];
    settled[column]! += 1;
    settled.net_e4! += pick.net_units_e4 as number;
    if (pick.result === 'win' || pick.result === 'loss') {
      const decimal = decimalOdds((pick.counted ?? pick.price_counted ?? pick.odds_american) as number);
      const parts = pick.half ? 2 : 1;
      const weight = fraction(1, parts);
      const profit = subtract(decimal, ONE);
      const scaled = (value: typeof weight, scale: number) =>
        nearestInteger(multiply(value, fraction(scale)));
      settled.staked_e4! += (pick.stake_e4 as number) / parts;
      settled.halves! += parts - 1;
      settled.break_even_e9! += scaled(divide(weight, decimal), 1e9);
      settled.flat_e6! += pick.result === 'win' ? scaled(multiply(weight, profit), 1e6) : -1e6 / parts;
      settled.flat_variance_e6! += scaled(multiply(multiply(weight, weight), profit), 1e6);
    }
    const clv = clvCounted(pick);
    if (clv !== null && pick.same_line === true) {
      settled.clv_sum! += clv;
      settled.clv_sample! += 1;
    } else if (clv !== null) settled.clv_moved_sample! += 1;
    if (pick.edge_bps !== null) {
      settled.edge_sum! += pick.edge_bps as number;
      settled.edge_sample! += 1;
    }
    if (pick.sealed_in_time === 'late') settled.late! += 1;
    if (pick.price_verdict === 'unchecked') settled.unchecked! += 1;
  }
  return [...sums.values()];
}
