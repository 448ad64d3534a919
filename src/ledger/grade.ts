import { type Game, gameColumns } from '../games/game.ts';
import { marketKey, pricesOf } from '../games/lines.ts';
import { gradedByScore, scoredSides } from '../games/scored-picks.ts';
import { moneylineWays } from '../games/sports.ts';
import { type Database, isRefused, type Transaction } from '../platform/database.ts';
import {
  type Closing,
  type ClosingMarket,
  closingMarket,
  closingOf,
  closingRetryMs,
} from '../rules/closing.ts';
import type { Result } from '../rules/vocabulary.ts';
import { type GradedPick, type ResultEvent, type Settlement, settlementOf } from './settlement.ts';

/** Games handled in one transaction. */
const batch = 250;

export interface Graded {
  games: number;
  closed: number;
  settled: number;
}

/**
 * Closes and settles every pick that is due at this instant. Costs what is open, whatever the ledger's size; run twice or by two at
 * once it does no harm, and what one transaction could not lock the next run finds.
 * @param now epoch milliseconds
 * @param onBatch called after each transaction that changed something
 * @param onRefused called for each game whose closings or settlements the database refuses. Its picks stay pending, which the status
 *   shows; the other games are graded
 */
export async function gradeDue(
  database: Database,
  now: number,
  onBatch: (graded: Graded) => void = () => {},
  onRefused: (gameId: number, error: Error) => void = () => {},
): Promise<Graded> {
  const total: Graded = { games: 0, closed: 0, settled: 0 };
  for (let after = 0; ; ) {
    const due = await dueGames(database, now, after);
    const last = due.at(-1);
    if (last === undefined) return total;
    const graded = await gradeApart(database, due, now, onRefused);
    total.games += graded.games;
    total.closed += graded.closed;
    total.settled += graded.settled;
    if (graded.closed + graded.settled > 0) onBatch(graded);
    after = last;
  }
}

/** Grades games in one transaction, or in several where the database refuses one of them. */
async function gradeApart(
  database: Database,
  gameIds: readonly number[],
  now: number,
  onRefused: (gameId: number, error: Error) => void,
): Promise<Graded> {
  try {
    return await database.transaction((transaction) => gradeGames(transaction, gameIds, now));
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (gameIds.length === 1) {
      onRefused(gameIds[0]!, error);
      return { games: 1, closed: 0, settled: 0 };
    }
    const half = gameIds.length >> 1;
    const first = await gradeApart(database, gameIds.slice(0, half), now, onRefused);
    const second = await gradeApart(database, gameIds.slice(half), now, onRefused);
    return {
      games: first.games + second.games,
      closed: first.closed + second.closed,
      settled: first.settled + second.settled,
    };
  }
}

/**
 * Games with something to do: started and not all closed (tried for 15 minutes, and again when a price comes), final or called off,
 * postponed for too long, or with a result event.
 */
async function dueGames(database: Database, now: number, after: number): Promise<number[]> {
  const { rows }: { rows: { id: number }[] } = await database.raw(
    `select g.id from games g
     where g.id > :after and exists (
       select from pending_picks p where p.game_id = g.id and (
         (not p.closed and g.starts_at <= :now and (
           g.starts_at > :retried or exists (select from repriced_games r where r.game_id = g.id)))
         or g.status = 'cancelled'
         or ${gradedByScore}
         or (g.was_postponed and g.announced_start <= :postponed)
         or exists (select from results r join picks k on k.id = p.pick_id
           where r.game_id = g.id and r.market = k.market and r.side = k.side and r.line_e3 is not distinct from k.line_e3)))
     order by g.id limit :batch`,
    {
      ...scoredSides,
      after,
      now: new Date(now),
      retried: new Date(now - closingRetryMs),
      postponed: new Date(now - 48 * 3_600_000),
      batch,
    },
  );
  return rows.map(({ id }) => id);
}

interface OpenPick extends GradedPick {
  id: number;
  gameId: number;
  book: string | null;
  closed: boolean;
}

/** Closes and settles what is due on the games given. Games that another transaction holds are passed over. */
export async function gradeGames(
  transaction: Transaction,
  gameIds: readonly number[],
  now: number,
): Promise<Graded> {
  const games: Game[] = await transaction('games as g')
    .whereIn('g.id', [...gameIds])
    .orderBy('g.id')
    .select(gameColumns)
    .forUpdate('g')
    .skipLocked();
  const locked = games.map(({ id }) => id);
  if (locked.length === 0) return { games: 0, closed: 0, settled: 0 };
  const repriced: number[] = await transaction('repriced_games').whereIn('game_id', locked).pluck('id');
  const picks = await openPicks(transaction, locked);
  const events = await resultsOf(transaction, locked);
  const ways = await moneylineWays(transaction);
  const gameById = new Map(games.map((game) => [game.id, game]));

  const settlements: (Settlement & { pickId: number })[] = [];
  const toClose: OpenPick[] = [];
  for (const pick of picks) {
    const game = gameById.get(pick.gameId)!;
    const event = events.get(resultKey(pick.gameId, pick));
    const settlement = settlementOf(pick, game, event, ways.get(game.sport) ?? 2, now);
    if (settlement !== null) settlements.push({ ...settlement, pickId: pick.id });
    const started = game.startsAt !== null && game.startsAt <= Math.min(now, settlement?.settledAt ?? now);
    if (started && !pick.closed) toClose.push(pick);
  }
  const closings = await closingsOf(transaction, toClose, gameById);
  await storeClosings(transaction, closings);
  await storeSettlements(transaction, settlements);
  if (repriced.length > 0) await transaction('repriced_games').whereIn('id', repriced).delete();
  return { games: games.length, closed: closings.length, settled: settlements.length };
}

function openPicks(transaction: Transaction, gameIds: readonly number[]): Promise<OpenPick[]> {
  return transaction('pending_picks as q')
    .join('picks as p', 'p.id', 'q.pick_id')
    .whereIn('q.game_id', [...gameIds])
    .orderBy('p.id')
    .select({
      id: 'p.id',
      gameId: 'p.game_id',
      market: 'p.market',
      side: 'p.side',
      lineE3: 'p.line_e3',
      oddsAmerican: 'p.odds_american',
      stakeE4: 'p.stake_e4',
      book: 'p.book',
      closed: 'q.closed',
    });
}

async function resultsOf(
  transaction: Transaction,
  gameIds: readonly number[],
): Promise<Map<string, ResultEvent>> {
  const rows: {
    gameId: number;
    market: string;
    side: string;
    lineE3: number | null;
    result: Result;
    finalAt: number;
  }[] = await transaction('results')
    .whereIn('game_id', [...gameIds])
    .select({
      gameId: 'game_id',
      market: 'market',
      side: 'side',
      lineE3: 'line_e3',
      result: 'result',
      finalAt: 'final_at',
    });
  return new Map(
    rows.map(({ gameId, result, finalAt, ...of }) => [resultKey(gameId, of), { result, finalAt }]),
  );
}

function resultKey(gameId: number, of: { market: string; side: string; lineE3: number | null }): string {
  return `${marketKey(gameId, of.market)}/${of.side}/${of.lineE3}`;
}

type StoredClosing = Closing & { pickId: number; closedAt: number };

async function closingsOf(
  transaction: Transaction,
  picks: readonly OpenPick[],
  games: ReadonlyMap<number, Game>,
): Promise<StoredClosing[]> {
  if (picks.length === 0) return [];
  const prices = await pricesOf(transaction, [...new Set(picks.map(({ gameId }) => gameId))]);
  const markets = new Map<string, ClosingMarket>();
  const closings: StoredClosing[] = [];
  for (const pick of picks) {
    const startsAt = games.get(pick.gameId)!.startsAt!;
    const key = marketKey(pick.gameId, pick.market);
    let market = markets.get(key);
    if (market === undefined) {
      market = closingMarket(pick.market, prices.get(key) ?? [], startsAt);
      markets.set(key, market);
    }
    const closing = closingOf(market, pick);
    if (closing !== null) closings.push({ ...closing, pickId: pick.id, closedAt: startsAt });
  }
  return closings;
}

async function storeClosings(transaction: Transaction, closings: readonly StoredClosing[]): Promise<void> {
  if (closings.length === 0) return;
  const rows = closings.map((closing) => ({
    pick_id: closing.pickId,
    closed_at: new Date(closing.closedAt).toISOString(),
    odds_american: closing.oddsAmerican,
    line_e3: closing.lineE3,
    book: closing.book,
    captured_at: new Date(closing.capturedAt).toISOString(),
    prices: closing.prices.map(({ side, oddsAmerican }) => ({ side, odds_american: oddsAmerican })),
    clv_bps: closing.clvBps,
  }));
  await transaction.raw(
    `insert into closings (pick_id, closed_at, odds_american, line_e3, book, captured_at, prices, clv_bps)
     select pick_id, closed_at, odds_american, line_e3, book, captured_at, prices, clv_bps
     from json_to_recordset(?) as r (pick_id bigint, closed_at timestamptz, odds_american int, line_e3 int, book text,
       captured_at timestamptz, prices jsonb, clv_bps int)`,
    [JSON.stringify(rows)],
  );
}

async function storeSettlements(
  transaction: Transaction,
  settlements: readonly (Settlement & { pickId: number })[],
): Promise<void> {
  if (settlements.length === 0) return;
  const rows = settlements.map((settlement) => ({
    pick_id: settlement.pickId,
    result: settlement.result,
    settled_at: new Date(settlement.settledAt).toISOString(),
    away_score: settlement.awayScore,
    home_score: settlement.homeScore,
    net_units_e4: settlement.netUnitsE4,
    grader: settlement.grader,
  }));
  await transaction.raw(
    `insert into settlements (pick_id, result, settled_at, away_score, home_score, net_units_e4, grader)
     select pick_id, result, settled_at, away_score, home_score, net_units_e4, grader
     from json_to_recordset(?) as r (pick_id bigint, result text, settled_at timestamptz, away_score int, home_score int,
       net_units_e4 bigint, grader text)`,
    [JSON.stringify(rows)],
  );
}

/** Games with unclosed picks that start within `aheadMs` from now: what to plan a closing for. */
export async function upcomingStarts(
  database: Database,
  now: number,
  aheadMs: number,
): Promise<{ gameId: number; startsAt: number }[]> {
  return database('games as g')
    .where('g.starts_at', '>', new Date(now))
    .where('g.starts_at', '<=', new Date(now + aheadMs))
    .whereExists(database('pending_picks as p').whereRaw('p.game_id = g.id and not p.closed'))
    .orderBy('g.starts_at')
    .select({ gameId: 'g.id', startsAt: 'g.starts_at' });
}
