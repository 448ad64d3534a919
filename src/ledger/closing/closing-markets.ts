import { type MarketName, marketKey, pricesOf } from '../../games/lines.ts';
import { pricedDays } from '../../games/priced-days.ts';
import type { Database } from '../../platform/database.ts';
import { type ClosingMarket, closingMarket } from '../../rules/closing.ts';
import { hasPriceSource, withoutHandFed } from '../../rules/price-check.ts';
import type { Provenance } from '../../rules/vocabulary.ts';

/** A pick whose market is looked up. */
export interface MarketPick extends MarketName {
  sport: string;
  provenance: Provenance;
  /** Epoch milliseconds. */
  postedAt: number;
  /** The start of its game as known when it was posted, in epoch milliseconds. */
  postedStart: number | null;
}

/**
 * Reads the prices that may close picks. Prices fed by hand close no live pick on a sport with a price source (docs/rules/closing.md#prices-fed-by-hand).
 * @returns the market of one of the picks, at a start in epoch milliseconds
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
