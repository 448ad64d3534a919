import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { knownCapper } from '../cappers.ts';
import { marketSchema } from '../fields.ts';
import { handle } from '../params.ts';
import { tags } from '../tags.ts';
import { capperSplit, shownSplit, splitFields } from './split.ts';

export const capperMarkets = board({
  path: '/api/cappers/:handle/markets',
  group: 'cappers',
  about: "A capper's picks and record in each market.",
  params: Type.Object({ handle }),
  lifetime: lifetimes.board,
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({ markets: Type.Array(Type.Object({ market: marketSchema, ...splitFields })) }),
  collection: 'markets',
  examples: [{ handle: '{handle}' }],
  async compute({ database }, params) {
    const { id } = await knownCapper(database, params.handle);
    const split = await capperSplit(database, id, 'market');
    return { markets: split.map((part) => ({ market: part.name, ...shownSplit(part) })) };
  },
});
