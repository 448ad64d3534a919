import { marketSchema, sideSchema, sportSchema } from '../../ledger/schemas.ts';
import { iso } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type BoardPick, boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { countsSql, ofProvenance, type ProvenanceFilter } from '../../projections/pick-filter.ts';
import { tags } from '../../projections/tags.ts';
import { clvHistogram } from '../../rules/clv-histogram.ts';
import { clvSummary, type ValueCount } from '../../rules/percentiles.ts';
import { board } from '../board.ts';
import type { BoardContext } from '../context.ts';
import { count, handle, provenance } from '../params.ts';
import { knownCapper } from '../subjects.ts';

const figure = nullable(Type.Number());

/** Fields of a {@link clvSummary}. */
export const clvSummaryFields = {
  sample: Type.Integer({ description: 'Picks that closed at the line taken.' }),
  beatSample: Type.Integer({ description: 'Picks that beat the closing odds.' }),
  evenSample: Type.Integer({ description: 'Picks at exactly the closing odds.' }),
  meanBps: figure,
  medianBps: figure,
  p25Bps: figure,
  p75Bps: figure,
};

export const capperClv = board({
  path: '/api/cappers/:handle/clv',
  group: 'cappers',
  about:
    "The distribution of a capper's closing line value over all picks that closed at the line taken, and the latest picks with one.",
  params: Type.Object({
    handle,
    last_n: count(50, 200, 'Maximum number of picks listed. The figures cover all of them.'),
    provenance,
  }),
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({
    ...clvSummaryFields,
    histogram: Type.Array(
      Type.Object({
        fromBps: nullable(Type.Integer({ description: 'Inclusive; null if open-ended.' })),
        toBps: nullable(Type.Integer({ description: 'Exclusive; null if open-ended.' })),
        count: Type.Integer(),
      }),
    ),
    picks: Type.Array(
      Type.Object({
        pickUuid: Type.String({ format: 'uuid' }),
        postedAt: Type.String({ format: 'date-time' }),
        sport: sportSchema,
        market: marketSchema,
        side: sideSchema,
        oddsAmerican: Type.Integer(),
        closingOddsAmerican: Type.Integer(),
        clvBps: Type.Integer(),
        sameLine: Type.Boolean({
          description: 'Whether the pick closed at the line taken. Others are not in the figures.',
        }),
      }),
    ),
  }),
  collection: 'picks',
  examples: [{ handle: '{handle}' }, { handle: '{handle}', last_n: '5' }],
  async compute(context, params) {
    const { database } = context;
    const { id } = await knownCapper(database, params.handle);
    const latest: Promise<BoardPick[]> = boardPicks(database)
      .where('p.capper_id', id)
      .whereNotNull('p.clv_counted_bps')
      .whereRaw(countsSql('p'))
      .modify((query) => ofProvenance(query, 'p.provenance', params.provenance))
      .orderBy(newestFirst)
      .limit(params.last_n);
    const [counts, rows] = await Promise.all([clvCounts(context, id, params.provenance), latest]);
    return {
      ...clvSummary(counts),
      histogram: clvHistogram(counts),
      picks: rows.flatMap(({ closingOdds, clvBps, sameLine, ...row }) =>
        closingOdds === null || clvBps === null || sameLine === null
          ? []
          : {
              pickUuid: row.uuid,
              postedAt: iso(row.postedAt),
              sport: row.sport,
              market: row.market,
              side: row.side,
              oddsAmerican: row.oddsAmerican,
              closingOddsAmerican: closingOdds,
              clvBps,
              sameLine,
            },
      ),
    };
  },
});

/** Counts each CLV (basis points) of a capper's picks that closed at their own line, ascending. */
async function clvCounts(
  { database }: BoardContext,
  capperId: number,
  provenance: ProvenanceFilter,
): Promise<ValueCount[]> {
  const rows: { value: number; picks: number }[] = await database('board_picks')
    .where({ capper_id: capperId, same_line: true })
    .whereNotNull('clv_counted_bps')
    .whereRaw(countsSql('board_picks'))
    .modify((query) => ofProvenance(query, 'provenance', provenance))
    .groupBy('clv_counted_bps')
    .orderBy('clv_counted_bps')
    .select({ value: 'clv_counted_bps', picks: database.raw('count(*)::int') });
  return rows.map(({ value, picks }) => [value, picks]);
}
