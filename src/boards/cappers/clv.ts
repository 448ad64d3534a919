import type { Knex } from 'knex';
import { marketSchema, sideSchema, sportSchema } from '../../ledger/schemas.ts';
import { iso } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type BoardPick, boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { countsSql, ofProvenance, type ProvenanceFilter } from '../../projections/pick-filter.ts';
import { daySums } from '../../projections/rollups.ts';
import { daysUpTo, etDay } from '../../rules/et-day.ts';
import { clvHistogram, clvSummary, type ValueCount } from '../../rules/percentiles.ts';
import { shownRatio } from '../../rules/rounding.ts';
import type { BoardContext } from '../endpoint.ts';
import { count, lastDays, provenance } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { capperBoard } from './capper-board.ts';

const figure = Field.orNull.number();

export const clvSummaryFields = {
  sample: Field.integer('Picks that closed at the line taken.'),
  beatSample: Field.integer('Picks that beat the closing odds.'),
  evenSample: Field.integer('Picks at exactly the closing odds.'),
  meanBps: figure,
  medianBps: figure,
  p25Bps: figure,
  p75Bps: figure,
};

export const capperClv = capperBoard({
  name: 'clv',
  about:
    "The distribution of a capper's closing line value over all picks that closed at the line taken, and the latest picks with one.",
  params: {
    last_n: count(50, 200, 'Maximum number of picks listed. The figures cover all of them.'),
    provenance,
  },
  body: Type.Object({
    ...clvSummaryFields,
    histogram: Type.Array(
      Type.Object({
        fromBps: Field.orNull.integer('Inclusive; null if open-ended.'),
        toBps: Field.orNull.integer('Exclusive; null if open-ended.'),
        count: Field.integer(),
      }),
    ),
    picks: Type.Array(
      Type.Object({
        pickUuid: Field.uuid(),
        postedAt: Field.instant(),
        sport: sportSchema,
        market: marketSchema,
        side: sideSchema,
        oddsAmerican: Field.integer(),
        closingOddsAmerican: Field.integer(),
        clvBps: Field.integer(),
        sameLine: Field.flag('Whether the pick closed at the line taken. Others are not in the figures.'),
      }),
    ),
  }),
  collection: 'picks',
  examples: [{}, { last_n: '5' }],
  async compute(context, params) {
    const { database, capper } = context;
    const { id } = capper;
    const latest: Promise<BoardPick[]> = closedPicks(database, id, params.provenance)
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

/** Selects a capper's picks that count and have a closing line value. */
function closedPicks(database: BoardContext['database'], capperId: number, provenance: ProvenanceFilter) {
  return boardPicks(database)
    .where('p.capper_id', capperId)
    .whereNotNull('p.clv_counted_bps')
    .whereRaw(countsSql('p'))
    .modify((query) => ofProvenance(query, 'p.provenance', provenance));
}

/** CLV in basis points, ascending, of picks that closed at their own line. */
async function clvCounts(
  { database }: BoardContext,
  capperId: number,
  provenance: ProvenanceFilter,
): Promise<ValueCount[]> {
  const rows: { value: number; picks: number }[] = await closedAtLine(database, capperId)
    .modify((query) => ofProvenance(query, 'provenance', provenance))
    .orderBy('clv_counted_bps');
  return rows.map(({ value, picks }) => [value, picks]);
}

function closedAtLine(database: BoardContext['database'], capperId: number): Knex.QueryBuilder {
  return database('board_picks')
    .where({ capper_id: capperId, same_line: true })
    .whereNotNull('clv_counted_bps')
    .whereRaw(countsSql('board_picks'))
    .groupBy('clv_counted_bps')
    .select({ value: 'clv_counted_bps', picks: database.raw('count(*)::int') });
}

export const capperClvBySport = capperBoard({
  name: 'clv-by-sport',
  about: "A capper's closing line value by sport: mean, median, and quartiles.",
  body: Type.Object({
    sports: Type.Array(
      Type.Object({
        sport: sportSchema,
        ...clvSummaryFields,
      }),
    ),
  }),
  collection: 'sports',
  async compute({ database, capper: { id } }) {
    const rows: { sport: string; value: number; picks: number }[] = await closedAtLine(database, id)
      .groupBy('sport')
      .orderByRaw('sport collate "C", clv_counted_bps')
      .select('sport');
    return {
      sports: [...Map.groupBy(rows, ({ sport }) => sport)].map(([sport, counts]) => ({
        sport,
        ...clvSummary(counts.map(({ value, picks }) => [value, picks])),
      })),
    };
  },
});

const mean = (description: string) => nullable(Type.Number({ description }));

export const capperClvTrend = capperBoard({
  name: 'clv-trend',
  about:
    "A capper's closing line value by ET day of settlement, over picks that closed at the line taken, with a running average.",
  params: { days: lastDays.days, provenance },
  body: Type.Object({
    days: Type.Array(
      Type.Object({
        day: Field.day(),
        sample: Field.integer('Picks that settled on this day and closed at the line taken.'),
        meanBps: mean('Their mean.'),
        runningSample: Field.integer('Picks up to and including this day.'),
        runningMeanBps: mean('The mean of all picks up to and including this day.'),
      }),
    ),
  }),
  collection: 'days',
  examples: [{}, { days: '7' }],
  async compute({ database, now, capper: { id } }, params) {
    const days = daysUpTo(etDay(now), params.days);
    const byDay = await daySums(
      database,
      { sum: 'clv_sum', sample: 'clv_sample' },
      { capperId: id, provenance: params.provenance },
      days[0]!,
    );
    const meanOf = (sum: number, sample: number) => (sample === 0 ? null : shownRatio(sum, sample, 1));
    let [runningSum, runningSample] = [0, 0];
    return {
      days: days.map((day) => {
        const { sum, sample } = byDay.get(day) ?? { sum: 0, sample: 0 };
        runningSum += sum;
        runningSample += sample;
        return {
          day,
          sample,
          meanBps: meanOf(sum, sample),
          runningSample,
          runningMeanBps: meanOf(runningSum, runningSample),
        };
      }),
    };
  },
});

export const capperExtremes = capperBoard({
  name: 'extremes',
  about:
    "A capper's picks with the best and the worst closing line value, among those that closed at the line taken.",
  params: { n: count(5, 25, 'Maximum number of best and of worst picks.'), provenance },
  showsGames: true,
  body: Type.Object({ best: Type.Array(pickSchema), worst: Type.Array(pickSchema) }),
  examples: [{}, { n: '1' }],
  async compute({ database, baseUrl, capper: { id } }, params) {
    const extreme = (order: 'asc' | 'desc'): Promise<BoardPick[]> =>
      closedPicks(database, id, params.provenance)
        .where('p.same_line', true)
        .orderBy([{ column: 'p.clv_counted_bps', order }, ...newestFirst])
        .limit(params.n);
    const [best, worst] = await Promise.all([extreme('desc'), extreme('asc')]);
    return {
      best: best.map((row) => publicPick(row, baseUrl)),
      worst: worst.map((row) => publicPick(row, baseUrl)),
    };
  },
});
