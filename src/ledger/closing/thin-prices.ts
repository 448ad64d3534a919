import { startsOf, wholeMarkets } from '../../games/lines.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { type FollowedPick, keptWholeMs, repeatedPrices } from '../../rules/repeated-prices.ts';

const maxGames = 1_000;

export interface Thinned {
  games: number;
  prices: number;
}

/**
 * docs/rules/closing.md#prices-that-are-kept. Up to 1,000 games, each in a transaction that locks it, so that no price arrives meanwhile.
 * @param closing once aborted, no further transaction begins
 */
export async function thinPrices(database: Database, now: EpochMs, closing?: AbortSignal): Promise<Thinned> {
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
  const lookups = { starts, ...(await lookupsOf(transaction, gameId)) };
  const picks = await livePicksOf(transaction, gameId);
  const repeated = [...prices].flatMap(([key, rows]) =>
    repeatedPrices(rows, { ...lookups, followed: picks.get(key) ?? [] }).map(({ id }) => id),
  );
  if (repeated.length > 0) await transaction('lines').whereRaw('id = any(?::bigint[])', [repeated]).delete();
  await transaction('priced_games').where({ game_id: gameId }).delete();
  return repeated.length;
}

/** Reads when live picks on a game were posted, and the last price ids that its closings and settlements used. */
async function lookupsOf(
  transaction: Transaction,
  gameId: number,
): Promise<{ postedAt: number[]; lastIds: number[] }> {
  const postedAt: number[] = await transaction('picks')
    .where({ game_id: gameId, provenance: 'live' })
    .distinct('posted_at')
    .pluck('posted_at');
  const { rows }: { rows: { lastId: number }[] } = await transaction.raw(
    `select c.last_line_id as "lastId" from picks p join closings c on c.pick_id = p.id where p.game_id = :gameId
     union
     select s.last_line_id from picks p join settlements s on s.pick_id = p.id where p.game_id = :gameId`,
    { gameId },
  );
  return { postedAt, lastIds: rows.map(({ lastId }) => lastId) };
}

async function livePicksOf(transaction: Transaction, gameId: number): Promise<Map<string, FollowedPick[]>> {
  const rows: (FollowedPick & { market: string; lastId: number | null })[] = await transaction('picks as p')
    .leftJoin('settlements as s', 's.pick_id', 'p.id')
    .where({ 'p.game_id': gameId, 'p.provenance': 'live' })
    .select({ market: 'p.market', subject: 'p.subject', postedAt: 'p.posted_at', lastId: 's.last_line_id' });
  return Map.groupBy(
    rows.map((row) => ({ ...row, lastId: row.lastId ?? Infinity })),
    ({ market }) => `${gameId}/${market}`,
  );
}
