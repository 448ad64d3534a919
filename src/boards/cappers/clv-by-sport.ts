import { sportSchema } from '../../ledger/schemas.ts';
import { Type } from '../../platform/type.ts';
import { countsSql } from '../../projections/pick-filter.ts';
import { tags } from '../../projections/tags.ts';
import { clvSummary } from '../../rules/percentiles.ts';
import { board } from '../board.ts';
import { handle } from '../params.ts';
import { knownCapper } from '../subjects.ts';
import { clvSummaryFields } from './clv.ts';

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
        ...clvSummaryFields,
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
