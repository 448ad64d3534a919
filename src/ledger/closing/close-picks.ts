import { type Game, moneylineWays } from '../../games/game.ts';
import { type MarketName, marketKey, pricedDays, pricesOf } from '../../games/lines.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { type ClosingMarket, closingMarket, closingOf, type PostedPick } from '../../rules/closing.ts';
import { admitted, hasPriceSource } from '../../rules/price-check.ts';
import { holdingStart } from '../../rules/starts.ts';
import type { Provenance } from '../../rules/vocabulary.ts';
import { closingFields, closingInsert } from '../events.ts';
import { insertRows } from '../field.ts';

export interface UnclosedPick extends PostedPick, Omit<MarketPick, 'sport'> {
  id: number;
}

/**
 * A pick that no price closes stays open.
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

export interface MarketPick extends MarketName {
  sport: string;
  provenance: Provenance;
  postedAt: EpochMs;
}

/**
 * Reads the prices that can close picks. Those of live picks are restricted: docs/rules/closing.md#prices-fed-by-hand.
 * @returns a function from a pick and a start in epoch milliseconds to the closing market
 */
export async function closingMarkets(
  database: Database,
  picks: readonly MarketPick[],
): Promise<(pick: MarketPick, startsAt: number) => ClosingMarket> {
  const prices = await pricesOf(database, [...new Set(picks.map(({ gameId }) => gameId))]);
  const days = await pricedDays(
    database,
    picks.filter(({ provenance }) => provenance === 'live'),
  );
  const markets = new Map<string, ClosingMarket>();
  return (pick, startsAt) => {
    const isLive = pick.provenance === 'live';
    const hasSource =
      isLive && hasPriceSource(days.get(pick.sport) ?? [], pick, startsAt, Number.POSITIVE_INFINITY);
    const key = `${marketKey(pick)} ${startsAt} ${isLive} ${hasSource}`;
    let market = markets.get(key);
    if (market === undefined) {
      const rows = prices.get(marketKey(pick)) ?? [];
      const known = isLive ? admitted(rows, { start: startsAt, hasSource }) : rows;
      market = closingMarket(pick.market, known, startsAt);
      markets.set(key, market);
    }
    return market;
  };
}
