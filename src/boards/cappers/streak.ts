import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { knownCapper } from '../cappers.ts';
import { handle } from '../params.ts';
import { tags } from '../tags.ts';
import { currentStreak, streakSchema } from './current-streak.ts';

export const capperStreak = board({
  path: '/api/cappers/:handle/streak',
  group: 'cappers',
  about: "A capper's current run of wins or losses; pushes and voids slide through.",
  params: Type.Object({ handle }),
  lifetime: lifetimes.board,
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({ handle: Type.String(), ...streakSchema.properties }),
  examples: [{ handle: '{handle}' }],
  async compute({ database }, params) {
    const capper = await knownCapper(database, params.handle);
    return { handle: capper.handle, ...(await currentStreak(database, capper.id)) };
  },
});
