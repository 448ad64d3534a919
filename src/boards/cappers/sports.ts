import { Type } from 'typebox';
import { board } from '../board.ts';
import { knownCapper } from '../cappers.ts';
import { handle } from '../params.ts';
import { tags } from '../tags.ts';
import { capperSplit, shownSplit, splitFields } from './split.ts';

export const capperSports = board({
  path: '/api/cappers/:handle/sports',
  group: 'cappers',
  about: "A capper's picks and record in each sport.",
  params: Type.Object({ handle }),
  lifetime: 300,
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({ sports: Type.Array(Type.Object({ sport: Type.String(), ...splitFields })) }),
  collection: 'sports',
  examples: [{ handle: '{handle}' }],
  async compute({ database }, params) {
    const { id } = await knownCapper(database, params.handle);
    const split = await capperSplit(database, id, 'sport');
    return { sports: split.map((part) => ({ sport: part.name, ...shownSplit(part) })) };
  },
});
