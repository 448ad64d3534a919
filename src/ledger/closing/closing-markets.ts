import { type MarketName, marketKey, pricedDays, pricesOf } from '../../games/lines.ts';
import type { Database } from '../../platform/database.ts';
import { type ClosingMarket, closingMarket } from '../../rules/closing.ts';
import { admitted, hasPriceSource } from '../../rules/price-check.ts';
import type { Provenance } from '../../rules/vocabulary.ts';

/** The fields of a pick that determine its closing market. */
export interface MarketPick extends MarketName {
  sport: string;
  provenance: Provenance;
  /** Epoch milliseconds. */
  postedAt: number;
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
