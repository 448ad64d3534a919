import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { ofProvenance } from '../../projections/pick-filter.ts';
import { tags } from '../../projections/tags.ts';
import { daysUpTo, etDay } from '../../rules/et-day.ts';
import { shownRatio } from '../../rules/rounding.ts';
import { board } from '../board.ts';
import { handle, lastDays, provenance } from '../params.ts';
import { knownCapper } from '../subjects.ts';

const mean = (description: string) => nullable(Type.Number({ description }));

export const capperClvTrend = board({
  path: '/api/cappers/:handle/clv-trend',
  group: 'cappers',
  about:
    "A capper's closing line value by ET day of settlement, over picks that closed at the line taken, with a running average.",
  params: Type.Object({ handle, days: lastDays.days, provenance }),
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        sample: Type.Integer({ description: 'Picks that settled on this day and closed at the line taken.' }),
        meanBps: mean('Their mean.'),
        runningSample: Type.Integer({ description: 'Picks up to and including this day.' }),
        runningMeanBps: mean('The mean of all picks up to and including this day.'),
      }),
    ),
  }),
  collection: 'days',
  examples: [{ handle: '{handle}' }, { handle: '{handle}', days: '7' }],
  async compute({ database, now }, params) {
    const { id } = await knownCapper(database, params.handle);
    const days = daysUpTo(etDay(now), params.days);
    const rows: { day: string; sum: number; sample: number }[] = await database('daily_rollups')
      .where('capper_id', id)
      .where('day', '>=', days[0]!)
      .modify((query) => ofProvenance(query, 'provenance', params.provenance))
      .groupBy('day')
      .select({
        day: 'day',
        sum: database.raw('sum(clv_sum)::bigint'),
        sample: database.raw('sum(clv_sample)::bigint'),
      });
    const byDay = new Map(rows.map(({ day, ...of }) => [day, of]));
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
