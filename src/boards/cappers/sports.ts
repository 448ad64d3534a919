import { sportSchema } from '../../ledger/schemas.ts';
import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { verdictsBy } from '../../projections/verdicts.ts';
import { board } from '../board.ts';
import { handle } from '../params.ts';
import { knownCapper } from '../subjects.ts';
import { capperSplit, shownSplit, splitFields } from './split.ts';

export const capperSports = board({
  path: '/api/cappers/:handle/sports',
  group: 'cappers',
  about: "A capper's picks, record, and verdict in each sport.",
  params: Type.Object({ handle }),
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({ sports: Type.Array(Type.Object({ sport: sportSchema, ...splitFields })) }),
  collection: 'sports',
  examples: [{ handle: '{handle}' }],
  async compute(context, params) {
    const { id } = await knownCapper(context.database, params.handle);
    const split = await capperSplit(context, id, 'sport');
    const verdictOn = await verdictsBy(context.database, id, 'sport');
    return { sports: split.map((part) => ({ sport: part.name, ...shownSplit(part, verdictOn(part.name)) })) };
  },
});
