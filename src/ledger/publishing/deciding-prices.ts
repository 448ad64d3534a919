import { marketKey, pricedDays, pricesOfMarkets, type StoredPrice, startsOf } from '../../games/lines.ts';
import { inCamelCase } from '../../platform/columns.ts';
import type { Database } from '../../platform/database.ts';
import type { DecidingPrice } from '../../proof/receipt.ts';
import { closingMarket, closingOf, closingPrices, type PostedPick } from '../../rules/closing.ts';
import { type CheckedPick, hasPriceSource, offersOf, referenceAmong } from '../../rules/price-check.ts';
import { holdingStart } from '../../rules/starts.ts';
import type { Provenance } from '../../rules/vocabulary.ts';
import { pricesThatClose } from '../sealing/recompute/closing.ts';

interface DecidedPick extends CheckedPick, PostedPick {
  gameId: number;
  provenance: Provenance;
  heldStart: EpochMs | null;
  startsAt: EpochMs | null;
  /** Null if the pick did not close. */
  closedAt: EpochMs | null;
  closedBy: number | null;
  /** Null without a price check. */
  referenceOdds: number | null;
  referenceAt: EpochMs | null;
  settledBy: number | null;
}

/**
 * Returns the stored prices that decided the closing and the price check of a pick: those that give the same by the rules as all prices
 * that were stored then.
 */
export async function decidingPrices(
  database: Database,
  pickId: number,
): Promise<(Pick<DecidingPrice, 'decided'> & { id: number })[]> {
  const [pick]: DecidedPick[] = await database('picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .leftJoin('closings as k', 'k.pick_id', 'p.id')
    .leftJoin('settlements as s', 's.pick_id', 'p.id')
    .where('p.id', pickId)
    .select({
      gameId: 'p.game_id',
      sport: 'g.sport',
      ...inCamelCase('p.market p.subject p.side p.line_e3 p.odds_american p.book p.posted_at p.provenance'),
      heldStart: 'g.held_start',
      startsAt: 'g.starts_at',
      closedAt: 'k.closed_at',
      closedBy: 'k.last_line_id',
      settledBy: 's.last_line_id',
      referenceOdds: 's.price_odds',
      referenceAt: 's.price_captured_at',
    });
  if (pick === undefined || (pick.closedAt === null && pick.referenceOdds === null)) return [];
  const prices = (await pricesOfMarkets(database, [pick])).get(marketKey(pick)) ?? [];
  const days = (await pricedDays(database, [pick])).get(pick.sport) ?? [];
  const found = new Map<number, DecidingPrice['decided']>();
  const decide = (event: 'closed' | 'settled', rows: readonly StoredPrice[]) => {
    for (const { id } of rows) found.set(id, [...(found.get(id) ?? []), event]);
  };
  const { closedAt, closedBy, settledBy, referenceOdds, referenceAt } = pick;
  if (closedAt !== null) {
    const known = pricesThatClose(pick, { prices, days }, closedAt, closedBy!);
    const market = closingMarket(pick.market, known, closedAt);
    const closing = closingOf(market, pick);
    if (closing !== null) decide('closed', closingPrices(market, known, pick, closing));
  }
  if (referenceOdds !== null) {
    const stored = prices.filter(({ id }) => id <= settledBy!);
    const starts = (await startsOf(database, [pick.gameId])).get(pick.gameId)!;
    // The start that held then: a game can move afterwards.
    for (const start of new Set([closedAt ?? holdingStart(pick, 'live'), ...starts])) {
      const hasSource = hasPriceSource(days, pick, start, settledBy!);
      const offers = offersOf(pick, stored, { start, hasSource });
      const reference = referenceAmong(offers, pick.book);
      if (reference?.oddsAmerican !== referenceOdds || reference.capturedAt !== referenceAt) continue;
      decide('settled', offers);
      break;
    }
  }
  return [...found].map(([id, decided]) => ({ id, decided }));
}
