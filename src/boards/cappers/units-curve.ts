import { Type } from '../../platform/type.ts';
import { passing } from '../../projections/pick-filter.ts';
import { tags } from '../../projections/tags.ts';
import { daysUpTo, etDay } from '../../rules/et-day.ts';
import { shownUnits } from '../../rules/fixed-point.ts';
import { board } from '../board.ts';
import { lastDays } from '../params.ts';
import { knownCapper } from '../subjects.ts';

export const capperUnitsCurve = board({
  path: '/api/cappers/:handle/units-curve',
  group: 'cappers',
  about: "A capper's net units by ET day of settlement, with a running total.",
  params: Type.Object(lastDays),
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        unitsNet: Type.Number(),
        cumulative: Type.Number({
          description: 'Running total up to this day, starting at 0.',
        }),
      }),
    ),
  }),
  collection: 'days',
  examples: [
    { handle: '{handle}' },
    { handle: '{handle}', days: '7' },
    { handle: '{handle}', sport: '{sport}', market: 'total' },
  ],
  async compute({ database, now }, params) {
    const { id } = await knownCapper(database, params.handle);
    const days = daysUpTo(etDay(now), params.days);
    const rows: { day: string; netE4: number }[] = await database('daily_rollups as r')
      .where('capper_id', id)
      .where('day', '>=', days[0]!)
      .modify((query) => passing(query, 'r', params))
      .groupBy('day')
      .select({ day: 'day', netE4: database.raw('sum(net_e4)::bigint') });
    const netOf = new Map(rows.map(({ day, netE4 }) => [day, netE4]));
    let sumE4 = 0;
    return {
      days: days.map((day) => {
        const netE4 = netOf.get(day) ?? 0;
        sumE4 += netE4;
        return { day, unitsNet: shownUnits(netE4), cumulative: shownUnits(sumE4) };
      }),
    };
  },
});
