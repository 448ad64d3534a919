import {
  type MarketName,
  marketKey,
  type PricedDays,
  pricedDays,
  pricesOfMarkets,
  type StoredPrice,
} from '../../games/lines.ts';
import { isoOrNull } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { PostedPick } from '../../proof/acknowledgement.ts';
import {
  type CheckedPick,
  checkPrice,
  hasPriceSource,
  type PriceCheck,
  type PriceVerdict,
} from '../../rules/price-check.ts';
import type { Provenance } from '../../rules/vocabulary.ts';

export interface PickToCheck extends CheckedPick {
  gameId: number;
  /** The start that holds (`holdingStart`). */
  startsAt: EpochMs | null;
  provenance: Provenance;
}

/** The prices that checks use, and the days on which providers had prices for the sports. */
export interface CheckInputs {
  /** By {@link marketKey}. */
  prices: ReadonlyMap<string, readonly StoredPrice[]>;
  days: PricedDays;
}

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

/** @returns in the order of the picks, null for imported ones */
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

export interface ProvisionalCheck {
  verdict: PriceVerdict;
  provisional: true;
  oddsAmerican: number | null;
  book: string | null;
  capturedAt: string | null;
  countedAmerican: number | null;
}

interface PostedOn {
  gameId: number;
  body: PostedPick;
}

/** @returns an empty array if the database fails, because the picks are stored regardless */
export async function provisionalChecks(
  database: Database,
  stored: readonly PostedOn[],
): Promise<ProvisionalCheck[]> {
  try {
    return (await checksNow(database, stored)).map(asProvisional);
  } catch {
    return [];
  }
}

export async function checksNow(database: Database, posted: readonly PostedOn[]): Promise<PriceCheck[]> {
  const picks = posted.map(({ gameId, body }) => ({
    gameId,
    sport: body.sport,
    market: body.market,
    subject: body.subject,
    side: body.side,
    book: body.book,
    lineE3: body.line_e3,
    oddsAmerican: body.odds_american,
    provenance: body.provenance,
    postedAt: Date.parse(body.posted_at),
    startsAt: body.starts_at === null ? null : Date.parse(body.starts_at),
  }));
  return (await priceChecks(database, picks)) as PriceCheck[];
}

export function asProvisional({ capturedAt, ...rest }: PriceCheck): ProvisionalCheck {
  return { ...rest, provisional: true, capturedAt: isoOrNull(capturedAt) };
}
