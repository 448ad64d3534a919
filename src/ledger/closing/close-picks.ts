import { type Game, moneylineWays } from '../../games/game.ts';
import type { Transaction } from '../../platform/database.ts';
import { closingOf, type PostedPick } from '../../rules/closing.ts';
import { holdingStart } from '../../rules/starts.ts';
import { closingFields, closingInsert } from '../events.ts';
import { insertRows } from '../field.ts';
import { closingMarkets, type MarketPick } from './closing-markets.ts';

/** An unclosed pick of a started game. */
export interface UnclosedPick extends PostedPick, Omit<MarketPick, 'sport'> {
  id: number;
}

/**
 * Closes picks at their games' starts with the stored prices. A pick that no price closes stays open.
 * @param games the picks' games, locked and started
 * @returns the number of picks closed
 */
export async function closePicks(
  transaction: Transaction,
  picks: readonly UnclosedPick[],
  games: ReadonlyMap<number, Game>,
): Promise<number> {
  if (picks.length === 0) return 0;
  const named = picks.map((pick) => ({ ...pick, sport: games.get(pick.gameId)!.sport }));
  const marketOf = await closingMarkets(transaction, named);
  const ways = await moneylineWays(transaction);
  const rows = named.flatMap((pick) => {
    const closedAt = holdingStart(games.get(pick.gameId)!, pick.provenance)!;
    const market = marketOf(pick, closedAt);
    const closing = closingOf(market, pick);
    if (closing === null) return [];
    const edgePick = { ...pick, moneylineWays: ways.get(pick.sport) ?? 2 };
    return { pickId: pick.id, ...closingFields(closing, closedAt, market, edgePick) };
  });
  await insertRows(transaction, 'closings', closingInsert, rows);
  return rows.length;
}
