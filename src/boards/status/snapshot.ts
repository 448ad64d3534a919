import { lifetimes } from '../../cache/lifetimes.ts';
import { Type } from '../../platform/type.ts';
import { everyEvent, tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { digest, digestSchema } from './digest.ts';

export const snapshot = board({
  path: '/api/snapshot',
  group: 'status',
  about:
    'A digest in one call: consensus groups, hot streaks, Pick of the Day, latest pick, and latest settlement.',
  params: Type.Object({}),
  lifetime: lifetimes.live,
  tags: () => [tags.pickOfTheDay, ...everyEvent],
  ahead: [{}],
  body: digestSchema,
  examples: [{}],
  compute: (context) => digest(context),
});
