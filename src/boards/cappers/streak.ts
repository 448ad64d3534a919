import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { handle } from '../params.ts';
import { knownCapper } from '../subjects.ts';
import { currentStreak, streakSchema } from './current-streaks.ts';

export const capperStreak = board({
  path: '/api/cappers/:handle/streak',
  group: 'cappers',
  about: "A capper's current winning or losing streak. Pushes and voids do not count or end it.",
  params: Type.Object({ handle }),
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({ handle: Type.String(), ...streakSchema.properties }),
  examples: [{ handle: '{handle}' }],
  async compute(context, params) {
    const capper = await knownCapper(context.database, params.handle);
    return { handle: capper.handle, ...(await currentStreak(context, capper.id)) };
  },
});
