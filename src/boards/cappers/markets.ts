import { marketSchema } from '../../ledger/schemas.ts';
import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { verdictsBy } from '../../projections/verdicts.ts';
import { board } from '../board.ts';
import { handle, optionalSport, provenance } from '../params.ts';
import { knownCapper } from '../subjects.ts';
import { capperSplit, shownSplit, splitFields } from './split.ts';

export const capperMarkets = board({
  path: '/api/cappers/:handle/markets',
  group: 'cappers',
  about: "A capper's picks, record, and verdict in each market.",
  params: Type.Object({ handle, sport: optionalSport, provenance }),
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({ markets: Type.Array(Type.Object({ market: marketSchema, ...splitFields })) }),
  collection: 'markets',
  examples: [{ handle: '{handle}' }, { handle: '{handle}', sport: '{sport}' }],
  async compute(context, { handle, ...filter }) {
    const { id } = await knownCapper(context.database, handle);
    const split = await capperSplit(context, id, 'market', filter);
    const verdictOn = await verdictsBy(context.database, id, 'market', filter.sport);
    return {
      markets: split.map((part) => ({ market: part.name, ...shownSplit(part, verdictOn(part.name)) })),
    };
  },
});
