import { lifetimes } from '../../cache/lifetimes.ts';
import { iso } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { confidenceInputs } from '../../projections/confidence-inputs.ts';
import { bestOffer, offersOn } from '../../projections/offers.ts';
import { pickOfTheDay } from '../../projections/pick-of-the-day.ts';
import { everyEvent, tags } from '../../projections/tags.ts';
import { confidence } from '../../rules/confidence.ts';
import { etDay } from '../../rules/et-day.ts';
import { shownDecimal } from '../../rules/odds.ts';
import { board } from '../board.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { confidenceSchema } from './confidence.ts';

export const podBoard = board({
  path: '/api/pod',
  group: 'picks',
  about:
    'The Pick of the Day. It is chosen at 9 AM ET, or when the first eligible pick is posted after that.',
  params: Type.Object({}),
  lifetime: lifetimes.feed,
  tags: () => [tags.pickOfTheDay, ...everyEvent],
  ahead: [{}],
  body: Type.Object({
    day: Type.String({ format: 'date' }),
    pick: nullable(pickSchema),
    confidence: nullable(confidenceSchema),
    now: nullable(
      Type.Object(
        {
          oddsAmerican: Type.Integer(),
          oddsDecimal: Type.Number(),
          book: Type.String(),
          seenAt: Type.String({ format: 'date-time' }),
        },
        { description: "The best current odds at the pick's line; null once the game has started." },
      ),
    ),
  }),
  examples: [{}],
  async compute({ database, now, baseUrl }) {
    const day = etDay(now);
    const row = await pickOfTheDay(database, day);
    if (row === undefined) return { day, pick: null, confidence: null, now: null };
    const started = row.startsAt !== null && row.startsAt <= now;
    const [[inputs], [offers = []]] = await Promise.all([
      confidenceInputs(database, [row], now),
      started || row.result !== null ? [] : offersOn(database, [row], now),
    ]);
    const best = bestOffer(offers);
    return {
      day,
      pick: publicPick(row, baseUrl),
      confidence: { pickUuid: row.uuid, ...confidence(inputs!) },
      now: best && {
        oddsAmerican: best.oddsAmerican,
        oddsDecimal: shownDecimal(best.oddsAmerican),
        book: best.book,
        seenAt: iso(best.seenAt),
      },
    };
  },
});
