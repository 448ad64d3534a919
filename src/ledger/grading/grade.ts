import { takeLock } from '../../../migrations/locks.ts';
import { type Game, gameColumns, moneylineWays } from '../../games/game.ts';
import { inCamelCase } from '../../platform/columns.ts';
import { type Database, isFaultOfData, type Transaction } from '../../platform/database.ts';
import { netUnitsE4 } from '../../rules/odds.ts';
import { countedOdds } from '../../rules/price-check.ts';
import type { Selection } from '../../rules/selection.ts';
import { holdingStart } from '../../rules/starts.ts';
import type { Result } from '../../rules/vocabulary.ts';
import { closePicks, type UnclosedPick } from '../closing/close-picks.ts';
import { priceFields, settlementInsert } from '../events.ts';
import { insertRows } from '../field.ts';
import { addDueGames, dueGames, removeDueGames } from './due-games.ts';
import { isImportOpen } from './open-imports.ts';
import { type PickToCheck, priceChecks } from './price-checks.ts';
import {
  type GradedPick,
  type KnownStat,
  type ResultEvent,
  type Settlement,
  settlementOf,
} from './settlement.ts';

const batch = 250;

export interface Graded {
  games: number;
  closed: number;
  settled: number;
}

export interface GradeOptions {
  /** Called after each transaction that changed something. */
  onBatch?(graded: Graded): void;
  /**
   * Called for each game whose closings or settlements the database refuses. Its picks stay pending, which the status page shows. If only
   * the settlements are refused, the picks are still closed. Other games are graded normally.
   */
  onRefused?(gameId: number, error: Error): void;
  closing?: AbortSignal;
}

/** The cost depends on the number of due games. Runs may overlap and repeat: the next one takes games that this one could not lock. */
export async function gradeDue(
  database: Database,
  now: number,
  { onBatch = () => {}, onRefused = () => {}, closing }: GradeOptions = {},
): Promise<Graded> {
  const total: Graded = { games: 0, closed: 0, settled: 0 };
  for (let after = 0; !closing?.aborted; ) {
    const due = await dueGames(database, now, after, batch);
    const last = due.at(-1);
    if (last === undefined) break;
    const graded = await gradeApart(database, due, now, onRefused);
    total.games += graded.games;
    total.closed += graded.closed;
    total.settled += graded.settled;
    if (graded.closed + graded.settled > 0) onBatch(graded);
    after = last;
  }
  return total;
}

/** In one transaction. If the database refuses it, grades each half separately. */
async function gradeApart(
  database: Database,
  gameIds: readonly number[],
  now: number,
  onRefused: (gameId: number, error: Error) => void,
): Promise<Graded> {
  try {
    return await database.transaction((transaction) => gradeGames(transaction, gameIds, now));
  } catch (error) {
    if (!isFaultOfData(error)) throw error;
    if (gameIds.length === 1) {
      onRefused(gameIds[0]!, error);
      return closeOnly(database, gameIds, now);
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

/** Closes the picks of a game whose settlements are refused, so that their closing prices are not delayed. The game stays due. */
async function closeOnly(database: Database, gameIds: readonly number[], now: number): Promise<Graded> {
  try {
    return await database.transaction((transaction) => gradeGames(transaction, gameIds, now, false));
  } catch (error) {
    if (!isFaultOfData(error)) throw error;
    return { games: 1, closed: 0, settled: 0 };
  }
}

/** The first void of a pick's market and subject since it was posted. */
export const voidedAtOf = `(select min(v.at) from voids v where v.game_id = p.game_id and v.market = p.market
  and v.subject = p.subject and v.at >= p.posted_at)`;

type OpenPick = GradedPick & { stakeE4: number } & UnclosedPick &
  Omit<PickToCheck, 'sport' | 'startsAt'> & { closed: boolean };

/**
 * Closes and settles due picks of the given games. Skips games that another transaction has locked, and games with imported picks while an
 * import is open; these stay due.
 * @param settles false: closes only
 */
export async function gradeGames(
  transaction: Transaction,
  gameIds: readonly number[],
  now: number,
  settles = true,
): Promise<Graded> {
  // Taken before the locks of games, in the same order as by transactions that store prices.
  await takeLock(transaction, 'firstPrices', { shared: true });
  const free: Game[] = await transaction('games as g')
    .whereIn('g.id', [...gameIds])
    .orderBy('g.id')
    .select(gameColumns)
    .forUpdate('g')
    .skipLocked();
  const games = await withoutOpenImports(transaction, free);
  const locked = games.map(({ id }) => id);
  if (locked.length === 0) return { games: 0, closed: 0, settled: 0 };
  if (settles) await removeDueGames(transaction, locked);
  const picks = await openPicks(transaction, locked);
  const events = await resultsOf(transaction, locked);
  const claims = await claimsOf(transaction, locked);
  const stats = await statsOf(transaction, locked);
  const ways = await moneylineWays(transaction);
  const gameById = new Map(games.map((game) => [game.id, game]));

  const settled: { pick: OpenPick; settlement: Settlement }[] = [];
  const toClose: OpenPick[] = [];
  for (const pick of picks) {
    const game = gameById.get(pick.gameId)!;
    const event = events.get(resultKey(pick)) ?? claims.get(pick.id);
    const settlement = settlementOf(
      pick,
      game,
      event,
      ways.get(game.sport) ?? 2,
      now,
      stats.get(subjectKey(pick)),
    );
    if (settlement !== null) settled.push({ pick, settlement });
    // A result dated after the start shows that the game began, even if this machine's clock is behind the clock that timed the result.
    const start = holdingStart(game, pick.provenance);
    const started = start !== null && start <= (settlement?.settledAt ?? now);
    if (started && !pick.closed) toClose.push(pick);
  }
  const closed = await closePicks(transaction, toClose, gameById);
  if (!settles) return { games: games.length, closed, settled: 0 };
  const checks = await priceChecks(
    transaction,
    settled.map(({ pick }) => {
      const game = gameById.get(pick.gameId)!;
      return { ...pick, sport: game.sport, startsAt: holdingStart(game, pick.provenance) };
    }),
  );
  const settlements = settled.map(({ pick, settlement }, at) => {
    const { result, half } = settlement;
    const odds = countedOdds(pick.oddsAmerican, checks[at]!);
    const netUnits = netUnitsE4(result, pick.stakeE4, odds, half);
    return { ...settlement, pickId: pick.id, ...priceFields(checks[at]!), netUnitsE4: netUnits };
  });
  await insertRows(transaction, 'settlements', settlementInsert, settlements);
  await addDueGames(transaction, stillOpen(games, picks, settlements), now);
  return { games: games.length, closed, settled: settlements.length };
}

/**
 * Leaves out games with imported picks while an import is open. The games must be locked: an import that opens later can then add nothing
 * to them until the transaction ends.
 */
async function withoutOpenImports(
  transaction: Transaction,
  games: readonly Game[],
): Promise<readonly Game[]> {
  if (games.length === 0 || !(await isImportOpen(transaction))) return games;
  const imported: number[] = await transaction('pending_picks as q')
    .join('picks as p', 'p.id', 'q.pick_id')
    .whereRaw('q.game_id = any(?::bigint[])', [games.map(({ id }) => id)])
    .where('p.provenance', 'imported')
    .distinct('q.game_id')
    .pluck('q.game_id');
  const open = new Set(imported);
  return games.filter(({ id }) => !open.has(id));
}

function stillOpen(
  games: readonly Game[],
  picks: readonly OpenPick[],
  settlements: readonly { pickId: number }[],
): Game[] {
  const settled = new Set(settlements.map(({ pickId }) => pickId));
  const open = new Set(picks.filter(({ id }) => !settled.has(id)).map(({ gameId }) => gameId));
  return games.filter(({ id }) => open.has(id));
}

function openPicks(transaction: Transaction, gameIds: readonly number[]): Promise<OpenPick[]> {
  return transaction('pending_picks as q')
    .join('picks as p', 'p.id', 'q.pick_id')
    .whereIn('q.game_id', [...gameIds])
    .orderBy('p.id')
    .select({
      ...inCamelCase(
        'p.id p.game_id p.market p.subject p.side p.line_e3 p.odds_american p.stake_e4 p.book p.posted_at',
      ),
      ...inCamelCase('p.provenance'),
      closed: 'q.closed',
      voidedAt: transaction.raw(voidedAtOf),
    });
}

async function resultsOf(
  transaction: Transaction,
  gameIds: readonly number[],
): Promise<Map<string, ResultEvent>> {
  const rows: {
    gameId: number;
    market: string;
    subject: string | null;
    side: string;
    lineE3: number | null;
    result: Result;
    half: boolean;
    finalAt: number;
  }[] = await transaction('results')
    .whereIn('game_id', [...gameIds])
    .select({
      gameId: 'game_id',
      market: 'market',
      subject: 'subject',
      side: 'side',
      lineE3: 'line_e3',
      result: 'result',
      half: 'half',
      finalAt: 'final_at',
    });
  return new Map(rows.map(({ result, half, finalAt, ...of }) => [resultKey(of), { result, half, finalAt }]));
}

async function claimsOf(
  transaction: Transaction,
  gameIds: readonly number[],
): Promise<Map<number, ResultEvent>> {
  const rows: (Omit<ResultEvent, 'isClaim'> & { pickId: number })[] = await transaction('claims')
    .whereIn('game_id', [...gameIds])
    .select({ pickId: 'pick_id', result: 'result', half: 'half', finalAt: 'final_at' });
  return new Map(rows.map(({ pickId, ...claim }) => [pickId, { ...claim, isClaim: true }]));
}

/** By {@link subjectKey}. */
async function statsOf(
  transaction: Transaction,
  gameIds: readonly number[],
): Promise<Map<string, KnownStat[]>> {
  const rows: (Omit<KnownStat, 'value'> & { gameId: number; subject: string; valueE3: number })[] =
    await transaction('stats')
      .whereIn('game_id', [...gameIds])
      .select({
        gameId: 'game_id',
        subject: 'subject',
        stat: 'stat',
        valueE3: 'value_e3',
        finalAt: 'final_at',
      });
  return Map.groupBy(
    rows.map(({ valueE3, ...row }) => ({ ...row, value: valueE3 / 1000 })),
    subjectKey,
  );
}

function subjectKey({ gameId, subject }: { gameId: number; subject: string | null }): string {
  return JSON.stringify([gameId, subject]);
}

function resultKey({ gameId, market, subject, side, lineE3 }: Selection & { gameId: number }): string {
  return JSON.stringify([gameId, market, subject, side, lineE3]);
}
