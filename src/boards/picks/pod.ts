import { lifetimes } from '../../cache/lifetimes.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { confidenceInputs } from '../../projections/confidence-inputs.ts';
import { pickOfTheDay } from '../../projections/pick-of-the-day.ts';
import { everyEvent, tags } from '../../projections/tags.ts';
import { confidence } from '../../rules/confidence.ts';
import { etDay } from '../../rules/et-day.ts';
import { board } from '../board.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { bestOffers, offerSchema } from './best-offers.ts';
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
    now: nullable({
      ...offerSchema,
      description: "The best current odds at the pick's line; null once the game has started.",
    }),
  }),
  examples: [{}],
  async compute({ database, now, baseUrl }) {
    const day = etDay(now);
    const row = await pickOfTheDay(database, day);
    if (row === undefined) return { day, pick: null, confidence: null, now: null };
    const [[inputs], [best = null]] = await Promise.all([
      confidenceInputs(database, [row], now),
      bestOffers({ database, now }, [row]),
    ]);
    return {
      day,
      pick: publicPick(row, baseUrl),
      confidence: { pickUuid: row.uuid, ...confidence(inputs!) },
      now: best,
    };
  },
});
