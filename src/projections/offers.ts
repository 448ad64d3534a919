import { pricedDays } from '../games/lines.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { compareAmerican } from '../rules/odds.ts';
import { admitted, hasPriceSource } from '../rules/price-check.ts';
import type { Selection } from '../rules/selection.ts';
import { holdingStart } from '../rules/starts.ts';
import type { BoardPick } from './board-picks.ts';

export interface Offer {
  book: string;
  oddsAmerican: number;
  seenAt: EpochMs;
}

type Line = Offer & Selection & { byHand: boolean; storedAt: number };

/** Of live picks only by prices that count for them (docs/rules/prices.md#price-sources). @returns in the order of the picks */
export async function offersOn(
  database: Database,
  picks: readonly BoardPick[],
  until: EpochMs,
): Promise<Offer[][]> {
  if (picks.length === 0) return [];
  const [lines, days] = await Promise.all([
    linesFor(database, picks, until),
    pricedDays(
      database,
      picks.filter(({ provenance }) => provenance === 'live'),
    ),
  ]);
  return picks.map((pick, index) => {
    const own = lines[index]!;
    if (pick.provenance !== 'live') return latestOffers(own, pick);
    const start = holdingStart(pick, 'live');
    const hasSource = hasPriceSource(days.get(pick.sport) ?? [], pick, start, Number.POSITIVE_INFINITY);
    const timed = own.map((line) => ({ ...line, capturedAt: line.seenAt }));
    return latestOffers(admitted(timed, { start, hasSource }), pick);
  });
}

/**
 * Reads the prices of the picks' markets. A pick posted before its game was joined into another keeps those of its own
 * (docs/rules/games.md#one-fixture-one-game).
 */
async function linesFor(database: Database, picks: readonly BoardPick[], until: number): Promise<Line[][]> {
  const posted: { id: number; gameId: number }[] = await database('picks')
    .whereIn(
      'id',
      picks.map(({ id }) => id),
    )
    .select({ id: 'id', gameId: 'game_id' });
  const games = new Map(posted.map(({ id, gameId }) => [id, gameId]));
  const markets = [...new Set(picks.map(({ market }) => market))];
  const rows = await gameLines(database, [...new Set(games.values())], markets, until);
  const byGame = Map.groupBy(rows, ({ gameId }) => gameId);
  return picks.map(({ id }) => byGame.get(games.get(id)!) ?? []);
}

export function gameLines(
  database: Database,
  gameIds: readonly number[],
  markets: readonly string[],
  until: EpochMs,
): Promise<(Line & { gameId: number })[]> {
  return database('lines')
    .whereIn('game_id', gameIds)
    .whereIn('market', markets)
    .where('captured_at', '<=', new Date(until))
    .select({
      ...inCamelCase('game_id market subject book side line_e3 odds_american by_hand stored_at'),
      seenAt: 'captured_at',
    });
}

/** If a snapshot has several, the one that pays least counts. @param lines of the pick's game */
export function latestOffers(lines: readonly Line[], { market, subject, side, lineE3 }: Selection): Offer[] {
  const rows = lines.filter((line) => line.market === market && line.subject === subject);
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

/** Returns the offer that pays most; ties go to the first book by name. `null` if there are none. */
export function bestOffer(offers: readonly Offer[]): Offer | null {
  const [best] = offers.toSorted(
    (a, b) => compareAmerican(b.oddsAmerican, a.oddsAmerican) || (a.book < b.book ? -1 : 1),
  );
  return best ?? null;
}
