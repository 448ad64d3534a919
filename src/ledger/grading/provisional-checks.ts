import { isoOrNull } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { PostedPick } from '../../proof/acknowledgement.ts';
import type { PriceCheck, PriceVerdict } from '../../rules/price-check.ts';
import { priceChecks } from './price-checks.ts';

/** The price check of a pick that has not settled. */
export interface ProvisionalCheck {
  verdict: PriceVerdict;
  provisional: true;
  oddsAmerican: number | null;
  book: string | null;
  capturedAt: string | null;
  countedAmerican: number | null;
}

/** A live pick that is stored, or would be. */
interface PostedOn {
  gameId: number;
  body: PostedPick;
}

/** Checks the prices of stored picks. @returns an empty array if the database fails, because the picks are stored regardless */
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

/** Checks the prices of live picks against the prices stored now. */
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
