import { startsOf, wholeMarkets } from '../../games/lines.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { keptWholeMs, repeatedPrices } from '../../rules/repeated-prices.ts';

/** Games in a run. */
const maxGames = 1_000;

export interface Thinned {
  games: number;
  prices: number;
}

/**
 * Removes the prices of games that ended a week ago that repeat their neighbours (docs/rules/closing.md#prices-that-are-kept), of at most a
 * thousand games. Each game is a transaction, which locks the game: no price of it comes in meanwhile.
 * @param now epoch milliseconds
 * @param closing once aborted, no further transaction begins
 */
export async function thinPrices(database: Database, now: number, closing?: AbortSignal): Promise<Thinned> {
  const games: number[] = await database('priced_games as p')
    .join('games as g', 'g.id', 'p.game_id')
    .where('g.final_at', '<=', new Date(now - keptWholeMs))
    .orderBy('g.id')
    .limit(maxGames)
    .pluck('g.id');
  const thinned: Thinned = { games: 0, prices: 0 };
  for (const id of games) {
    if (closing?.aborted) break;
    thinned.prices += await database.transaction((transaction) => thinGame(transaction, id));
    thinned.games += 1;
  }
  return thinned;
}

async function thinGame(transaction: Transaction, gameId: number): Promise<number> {
  await transaction('games').where({ id: gameId }).forUpdate().select('id');
  const prices = await wholeMarkets(transaction, [gameId]);
  const starts = (await startsOf(transaction, [gameId])).get(gameId) ?? [];
  const known = await lastIdsOf(transaction, gameId);
  const repeated = [...prices].flatMap(([key, rows]) => {
    const lastIds = known.get(key) ?? [];
    return repeatedPrices(rows, { starts, lastIds }).map(({ id }) => id);
  });
  if (repeated.length > 0) await transaction('lines').whereRaw('id = any(?::bigint[])', [repeated]).delete();
  await transaction('priced_games').where({ game_id: gameId }).delete();
  return repeated.length;
}

/** The last ids that closings and settlements of a game knew, by market. */
async function lastIdsOf(transaction: Transaction, gameId: number): Promise<Map<string, number[]>> {
  const { rows }: { rows: { market: string; lastId: number }[] } = await transaction.raw(
    `select distinct p.market, c.last_line_id as "lastId" from picks p join closings c on c.pick_id = p.id where p.game_id = :gameId
     union
     select distinct p.market, s.last_line_id from picks p join settlements s on s.pick_id = p.id
     where p.game_id = :gameId`,
    { gameId },
  );
  const known = new Map<string, number[]>();
  for (const { market, lastId } of rows) {
    const key = `${gameId}/${market}`;
    known.set(key, [...(known.get(key) ?? []), lastId]);
  }
  return known;
}
