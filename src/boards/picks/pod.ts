import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { nullable } from '../../platform/schema.ts';
import { confidenceInputs } from '../../projections/confidence-inputs.ts';
import { pickOfTheDay } from '../../projections/pick-of-the-day.ts';
import { everyEvent, tags } from '../../projections/tags.ts';
import { confidence } from '../../rules/confidence.ts';
import { etDay } from '../../rules/et-day.ts';
import { board } from '../board.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { confidenceSchema } from './confidence.ts';

export const podBoard = board({
  path: '/api/pod',
  group: 'picks',
  about: 'The Pick of the Day: chosen once per Eastern day, at 09:00 or at the first candidate after.',
  params: Type.Object({}),
  lifetime: lifetimes.feed,
  tags: () => [tags.pickOfTheDay, ...everyEvent],
  ahead: [{}],
  body: Type.Object({
    day: Type.String({ format: 'date' }),
    pick: nullable(pickSchema),
    confidence: nullable(confidenceSchema),
  }),
  examples: [{}],
  async compute({ database, now, baseUrl }) {
    const day = etDay(now);
    const row = await pickOfTheDay(database, day);
    if (row === undefined) return { day, pick: null, confidence: null };
    const index = confidence(await confidenceInputs(database, row, now));
    return { day, pick: publicPick(row, baseUrl), confidence: { pickUuid: row.uuid, ...index } };
  },
});
