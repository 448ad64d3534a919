import type { Static } from 'typebox';
import { iso } from '../../platform/clock.ts';
import { Type } from '../../platform/type.ts';
import type { BoardPick } from '../../projections/board-picks.ts';
import { bestOffer, offersOn } from '../../projections/offers.ts';
import { shownDecimal } from '../../rules/odds.ts';
import type { BoardContext } from '../context.ts';

export const offerSchema = Type.Object({
  oddsAmerican: Type.Integer(),
  oddsDecimal: Type.Number(),
  book: Type.String(),
  seenAt: Type.String({ format: 'date-time' }),
});

/** Returns the best current odds of each pick; null if there are none, or once its game has started. */
export async function bestOffers(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  rows: readonly BoardPick[],
): Promise<(Static<typeof offerSchema> | null)[]> {
  const open = rows.filter(
    ({ startsAt, result }) => result === null && (startsAt === null || startsAt > now),
  );
  const offers = await offersOn(database, open, now);
  const best = new Map(open.map(({ uuid }, at) => [uuid, bestOffer(offers[at]!)]));
  return rows.map(({ uuid }) => {
    const offer = best.get(uuid);
    if (offer == null) return null;
    const { oddsAmerican, book, seenAt } = offer;
    return { oddsAmerican, oddsDecimal: shownDecimal(oddsAmerican), book, seenAt: iso(seenAt) };
  });
}
