import { type MarketName, marketKey, pricesOfMarkets, type StoredPrice } from '../../games/lines.ts';
import { type PricedDays, pricedDays } from '../../games/priced-days.ts';
import type { Database } from '../../platform/database.ts';
import {
  type CheckedPick,
  checkedBeforeMs,
  checkedMarkets,
  checkPrice,
  hasPriceSource,
  type PriceCheck,
} from '../../rules/price-check.ts';
import type { Provenance } from '../../rules/vocabulary.ts';

/** What a price check needs to know of a stored pick. */
export interface PickToCheck extends CheckedPick {
  gameId: number;
  /** The start of its game as known when it was posted, in epoch milliseconds: it is hashed, so the check stays the same. */
  startsAt: number | null;
  provenance: Provenance;
}

/** The prices that checks look at, and the days on which providers priced their sports. */
export interface CheckFacts {
  /** By {@link marketKey}. */
  prices: ReadonlyMap<string, readonly StoredPrice[]>;
  days: PricedDays;
}

/** The markets whose prices the check of a pick looks at. */
export function marketsToCheck(pick: PickToCheck): MarketName[] {
  const { gameId, subject } = pick;
  return checkedMarkets(pick).map((market) => ({ gameId, market, subject }));
}

/**
 * Checks the price of a live pick (docs/rules/prices.md); null for an imported one.
 * @param lastLineId prices with later ids are not looked at
 */
export function checkOf(
  pick: PickToCheck,
  { prices, days }: CheckFacts,
  lastLineId = Number.POSITIVE_INFINITY,
): PriceCheck | null {
  if (pick.provenance !== 'live') return null;
  const known = marketsToCheck(pick).flatMap((market) =>
    (prices.get(marketKey(market)) ?? []).filter(({ id }) => id <= lastLineId),
  );
  const start = pick.startsAt;
  const hasSource = hasPriceSource(days.get(pick.sport) ?? [], pick, start, lastLineId);
  return checkPrice(pick, known, { start, hasSource });
}

/** Checks the prices of picks with what is stored now. @returns in the order of the picks, null for imported ones */
export async function priceChecks(
  database: Database,
  picks: readonly PickToCheck[],
): Promise<(PriceCheck | null)[]> {
  const live = picks.filter(({ provenance }) => provenance === 'live');
  if (live.length === 0) return picks.map(() => null);
  const since = Math.min(...live.map(({ postedAt }) => postedAt)) - checkedBeforeMs;
  const prices = await pricesOfMarkets(database, live.flatMap(marketsToCheck), since);
  const facts = { prices, days: await pricedDays(database, live) };
  return picks.map((pick) => checkOf(pick, facts));
}
