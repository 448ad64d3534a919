import type { Database } from '../platform/database.ts';
import { compareAmerican } from '../rules/odds.ts';

/** What a book offers on a side and line. */
export interface Offer {
  book: string;
  oddsAmerican: number;
  /** When it was seen, in epoch milliseconds. */
  seenAt: number;
}

/** Each book's latest price of a pick's side and line; of several in one snapshot the one that pays least. @param until epoch milliseconds */
export async function latestOffers(
  database: Database,
  { gameId, market, side, lineE3 }: { gameId: number; market: string; side: string; lineE3: number | null },
  until: number,
): Promise<Offer[]> {
  const rows: (Offer & { side: string; lineE3: number | null })[] = await database('lines')
    .where({ game_id: gameId, market })
    .where('captured_at', '<=', new Date(until))
    .select({
      book: 'book',
      seenAt: 'captured_at',
      side: 'side',
      lineE3: 'line_e3',
      oddsAmerican: 'odds_american',
    });
  const latest = new Map<string, number>();
  for (const { book, seenAt } of rows) latest.set(book, Math.max(latest.get(book) ?? 0, seenAt));
  const offers = new Map<string, Offer>();
  for (const { book, seenAt, oddsAmerican, ...row } of rows) {
    if (seenAt !== latest.get(book) || row.side !== side || row.lineE3 !== lineE3) continue;
    const known = offers.get(book);
    if (known === undefined || compareAmerican(oddsAmerican, known.oddsAmerican) < 0)
      offers.set(book, { book, oddsAmerican, seenAt });
  }
  return [...offers.values()];
}

/** The offer that pays most, of equal ones that of the first book by name; `null` of none. */
export function bestOffer(offers: readonly Offer[]): Offer | null {
  const [best] = offers.toSorted(
    (a, b) => compareAmerican(b.oddsAmerican, a.oddsAmerican) || (a.book < b.book ? -1 : 1),
  );
  return best ?? null;
}
