import { holdingStartOf } from '../../games/game.ts';
import type { Database } from '../../platform/database.ts';
import { closingOf, type PostedPick } from '../../rules/closing.ts';
import { closingAgeMs } from '../../rules/closing-snapshot.ts';
import { closingMarkets, type MarketPick } from './closing-markets.ts';

/** An unclosed pick of a started game. Instants in epoch milliseconds. */
export interface ClosablePick extends PostedPick, MarketPick {
  startsAt: number;
}

/** The columns of {@link ClosablePick}, from `games g` and `picks p`. */
export const closableColumns = `g.id as "gameId", g.sport, ${holdingStartOf} as "startsAt", p.market, p.subject, p.side, p.line_e3 as "lineE3",
  p.odds_american as "oddsAmerican", p.book, p.provenance, p.posted_at as "postedAt"`;

/**
 * SQL condition: price `l` can close pick `p` of game `g`. It is in time, and fits the market and the pick's book or line. Binds `:age`.
 */
export const closableBy = `l.game_id = g.id and l.market = p.market and l.subject is not distinct from p.subject and l.side = p.side
  and l.captured_at <= ${holdingStartOf} and (l.closing or l.captured_at >= ${holdingStartOf} - :age * interval '1 ms')
  and case when p.book is null then l.line_e3 is not distinct from p.line_e3 else l.book = p.book end`;

/** The binding of {@link closableBy}. */
export const closableWith = { age: closingAgeMs };

/** Returns the picks that the stored prices close. */
export async function closable<Pick extends ClosablePick>(
  database: Database,
  picks: readonly Pick[],
): Promise<Pick[]> {
  if (picks.length === 0) return [];
  const marketOf = await closingMarkets(database, picks);
  return picks.filter((pick) => closingOf(marketOf(pick, pick.startsAt), pick) !== null);
}
