import {
  type MarketName,
  marketKey,
  type PricedDays,
  pricedDays,
  pricesOfMarkets,
  type StoredPrice,
} from '../../games/lines.ts';
import type { Database } from '../../platform/database.ts';
import { type CheckedPick, checkPrice, hasPriceSource, type PriceCheck } from '../../rules/price-check.ts';
import type { Provenance } from '../../rules/vocabulary.ts';

/** The fields of a stored pick that a price check needs. */
export interface PickToCheck extends CheckedPick {
  gameId: number;
  /** The start that holds (`holdingStart`), in epoch milliseconds. */
  startsAt: number | null;
  provenance: Provenance;
}

/** The prices that checks use, and the days on which providers had prices for the sports. */
export interface CheckInputs {
  /** By {@link marketKey}. */
  prices: ReadonlyMap<string, readonly StoredPrice[]>;
  days: PricedDays;
}

/** Returns the market whose prices a pick's check uses. */
export function marketToCheck({ gameId, market, subject }: PickToCheck): MarketName {
  return { gameId, market, subject };
}

/** Checks the odds of a live pick (docs/rules/prices.md); null for an imported one. @param lastLineId ignores prices with larger ids */
export function checkOf(
  pick: PickToCheck,
  { prices, days }: CheckInputs,
  lastLineId = Number.POSITIVE_INFINITY,
): PriceCheck | null {
  if (pick.provenance !== 'live') return null;
  const known = (prices.get(marketKey(marketToCheck(pick))) ?? []).filter(({ id }) => id <= lastLineId);
  const start = pick.startsAt;
  const hasSource = hasPriceSource(days.get(pick.sport) ?? [], pick, start, lastLineId);
  const hasProvider = days.firstLineId !== null && days.firstLineId <= lastLineId;
  return checkPrice(pick, known, { start, hasSource, hasProvider });
}

/** Checks the odds of picks against the prices stored now. @returns in the order of the picks, null for imported ones */
export async function priceChecks(
  database: Database,
  picks: readonly PickToCheck[],
): Promise<(PriceCheck | null)[]> {
  const live = picks.filter(({ provenance }) => provenance === 'live');
  if (live.length === 0) return picks.map(() => null);
  const prices = await pricesOfMarkets(database, live.map(marketToCheck));
  const inputs = { prices, days: await pricedDays(database, live) };
  return picks.map((pick) => checkOf(pick, inputs));
}
