import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { knownCapper } from '../cappers.ts';
import { sportSchema } from '../fields.ts';
import { handle } from '../params.ts';
import { tags } from '../tags.ts';
import { capperSplit, shownSplit, splitFields } from './split.ts';

export const capperSports = board({
  path: '/api/cappers/:handle/sports',
  group: 'cappers',
  about: "A capper's picks and record in each sport.",
  params: Type.Object({ handle }),
  lifetime: lifetimes.board,
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({ sports: Type.Array(Type.Object({ sport: sportSchema, ...splitFields })) }),
  collection: 'sports',
  examples: [{ handle: '{handle}' }],
  async compute({ database }, params) {
    const { id } = await knownCapper(database, params.handle);
    const split = await capperSplit(database, id, 'sport');
    return { sports: split.map((part) => ({ sport: part.name, ...shownSplit(part) })) };
  },
});
