import { sportSchema } from '../../ledger/schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { countsSql } from '../../projections/pick-filter.ts';
import { tags } from '../../projections/tags.ts';
import { clvSummary } from '../../rules/percentiles.ts';
import { board } from '../board.ts';
import { handle } from '../params.ts';
import { knownCapper } from '../subjects.ts';

const figure = nullable(Type.Number());

export const capperClvBySport = board({
  path: '/api/cappers/:handle/clv-by-sport',
  group: 'cappers',
  about: "A capper's closing line value by sport: mean, median, and quartiles.",
  params: Type.Object({ handle }),
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({
    sports: Type.Array(
      Type.Object({
        sport: sportSchema,
        sample: Type.Integer({ description: 'Picks that closed at the line taken.' }),
        beatSample: Type.Integer({ description: 'Picks that beat the closing odds.' }),
        evenSample: Type.Integer({ description: 'Picks at exactly the closing odds.' }),
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
    const rows: { sport: string; value: number; picks: number }[] = await database('board_picks')
      .where({ capper_id: id, same_line: true })
      .whereNotNull('clv_counted_bps')
      .whereRaw(countsSql('board_picks'))
      .groupBy('sport', 'clv_counted_bps')
      .orderByRaw('sport collate "C", clv_counted_bps')
      .select({ sport: 'sport', value: 'clv_counted_bps', picks: database.raw('count(*)::int') });
    return {
      sports: [...Map.groupBy(rows, ({ sport }) => sport)].map(([sport, counts]) => ({
        sport,
        ...clvSummary(counts.map(({ value, picks }) => [value, picks])),
      })),
    };
  },
});
