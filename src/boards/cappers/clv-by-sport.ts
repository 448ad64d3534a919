import { sportSchema } from '../../ledger/schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { clvCountsBySport } from '../../projections/clv-counts.ts';
import { tags } from '../../projections/tags.ts';
import { clvSummary } from '../../rules/percentiles.ts';
import { board } from '../board.ts';
import { handle } from '../params.ts';
import { knownCapper } from '../subjects.ts';

const figure = nullable(Type.Number());

export const capperClvBySport = board({
  path: '/api/cappers/:handle/clv-by-sport',
  group: 'cappers',
  about: "A capper's closing line value in each sport that has some: mean, median and quartiles.",
  params: Type.Object({ handle }),
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({
    sports: Type.Array(
      Type.Object({
        sport: sportSchema,
        sample: Type.Integer({ description: 'Picks with a closing price at their own line.' }),
        beatSample: Type.Integer({ description: 'Those whose price was better than the closing one.' }),
        evenSample: Type.Integer({ description: 'Those at the closing price.' }),
        meanBps: figure,
        medianBps: figure,
        p25Bps: figure,
        p75Bps: figure,
      }),
    ),
  }),
  collection: 'sports',
  examples: [{ handle: '{handle}' }],
  async compute({ database }, params) {
    const { id } = await knownCapper(database, params.handle);
    const counts = await clvCountsBySport(database, id);
    return { sports: [...counts].map(([sport, values]) => ({ sport, ...clvSummary(values) })) };
  },
});
