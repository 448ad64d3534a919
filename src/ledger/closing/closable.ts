import { marketKey, pricesOf } from '../../games/lines.ts';
import type { Database } from '../../platform/database.ts';
import { closingMarket, closingOf } from '../../rules/closing.ts';
import { closingAgeMs } from '../../rules/closing-snapshot.ts';

/** A pick without a closing, on a game that has started. Instants in epoch milliseconds. */
export interface ClosablePick {
  gameId: number;
  startsAt: number;
  market: string;
  subject: string | null;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  book: string | null;
}

/** The columns of {@link ClosablePick}, from `games g` and `picks p`. */
export const closableColumns = `g.id as "gameId", g.starts_at as "startsAt", p.market, p.subject, p.side, p.line_e3 as "lineE3",
  p.odds_american as "oddsAmerican", p.book`;

/** SQL of prices `l` that may close a pick `p` on a game `g`: in time, for its market and its book or line. It needs `:age`. */
export const closableBy = `l.game_id = g.id and l.market = p.market and l.subject is not distinct from p.subject and l.side = p.side
  and l.captured_at <= g.starts_at and (l.closing or l.captured_at >= g.starts_at - :age * interval '1 ms')
  and case when p.book is null then l.line_e3 is not distinct from p.line_e3 else l.book = p.book end`;

/** The binding of {@link closableBy}. */
export const closableWith = { age: closingAgeMs };

/** The picks that the closing rule closes with the prices that are stored. */
export async function closable<Pick extends ClosablePick>(
  database: Database,
  picks: readonly Pick[],
): Promise<Pick[]> {
  if (picks.length === 0) return [];
  const prices = await pricesOf(database, [...new Set(picks.map(({ gameId }) => gameId))]);
  return picks.filter((pick) => {
    const rows = prices.get(marketKey(pick)) ?? [];
    return closingOf(closingMarket(pick.market, rows, pick.startsAt), pick) !== null;
  });
}
