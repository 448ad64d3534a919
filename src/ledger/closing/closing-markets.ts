import { type MarketName, marketKey, pricesOf } from '../../games/lines.ts';
import { pricedDays } from '../../games/priced-days.ts';
import type { Database } from '../../platform/database.ts';
import { type ClosingMarket, closingMarket } from '../../rules/closing.ts';
import { hasPriceSource, withoutHandFed } from '../../rules/price-check.ts';
import type { Provenance } from '../../rules/vocabulary.ts';

/** The fields of a pick that determine its closing market. */
export interface MarketPick extends MarketName {
  sport: string;
  provenance: Provenance;
  /** Epoch milliseconds. */
  postedAt: number;
  /** The game's start as known when the pick was posted, in epoch milliseconds. */
  postedStart: number | null;
}

/**
 * Reads the prices that can close picks. Prices entered by hand close no live pick of a sport with a price source
 * (docs/rules/closing.md#prices-fed-by-hand).
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
  const known = new Map<string, ClosingMarket>();
  return (pick, startsAt) => {
    const { sport, provenance, postedStart } = pick;
    const hasSource =
      provenance === 'live' &&
      hasPriceSource(days.get(sport) ?? [], pick, postedStart, Number.POSITIVE_INFINITY);
    const key = `${marketKey(pick)} ${startsAt} ${hasSource}`;
    let market = known.get(key);
    if (market === undefined) {
      const rows = withoutHandFed(prices.get(marketKey(pick)) ?? [], hasSource);
      market = closingMarket(pick.market, rows, startsAt);
      known.set(key, market);
    }
    return market;
  };
}
