import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { type PickFilter, passing } from '../../projections/pick-filter.ts';
import { daySums } from '../../projections/rollups.ts';
import { daysUpTo, etDay, etDayStart } from '../../rules/et-day.ts';
import { shownUnits } from '../../rules/fixed-point.ts';
import type { BoardContext } from '../endpoint.ts';
import { lastDays } from '../params.ts';
import { capperBoard } from './capper-board.ts';

const counts = {
  picks: Field.integer('Picks posted on this ET day.'),
  wins: Field.integer('Wins settled on this ET day; losses, pushes, and voids likewise.'),
  losses: Field.integer(),
  pushes: Field.integer(),
  voids: Field.integer(),
  pending: Field.integer('Picks posted on this ET day that are still pending.'),
};

export const capperTimeline = capperBoard({
  name: 'timeline',
  about: "A capper's picks and results per ET day, oldest first.",
  params: lastDays,
  body: Type.Object({ days: Type.Array(Type.Object({ day: Field.day(), ...counts })) }),
  collection: 'days',
  examples: [{}, { days: '7' }, { sport: '{sport}', market: 'total' }],
  async compute(context, { days: length, ...filter }) {
    const { id } = context.capper;
    const days = daysUpTo(etDay(context.now), length);
    const [counted, pending] = await Promise.all([
      daySums(
        context.database,
        { picks: 'posted', wins: 'wins', losses: 'losses', pushes: 'pushes', voids: 'voids' },
        { capperId: id, ...filter },
        days[0]!,
      ),
      pendingByDay(context, id, days[0]!, filter),
    ]);
    return {
      days: days.map((day) => ({
        day,
        ...(counted.get(day) ?? { picks: 0, wins: 0, losses: 0, pushes: 0, voids: 0 }),
        pending: pending.get(day) ?? 0,
      })),
    };
  },
});

async function pendingByDay(
  { database }: BoardContext,
  capperId: number,
  firstDay: string,
  filter: PickFilter,
): Promise<Map<string, number>> {
  const instants: number[] = await database('board_picks as p')
    .where('capper_id', capperId)
    .where('posted_at', '>=', new Date(etDayStart(firstDay)))
    .modify((query) => passing(query, 'p', filter))
    .whereNull('result')
    .pluck('posted_at');
  const pending = new Map<string, number>();
  for (const at of instants) pending.set(etDay(at), (pending.get(etDay(at)) ?? 0) + 1);
  return pending;
}

export const capperUnitsCurve = capperBoard({
  name: 'units-curve',
  about: "A capper's net units by ET day of settlement, with a running total.",
  params: lastDays,
  body: Type.Object({
    days: Type.Array(
      Type.Object({
        day: Field.day(),
        unitsNet: Field.number(),
        cumulative: Field.number('Running total up to this day, starting at 0.'),
      }),
    ),
  }),
  collection: 'days',
  examples: [{}, { days: '7' }, { sport: '{sport}', market: 'total' }],
  async compute({ database, now, capper: { id } }, { days: length, ...filter }) {
    const days = daysUpTo(etDay(now), length);
    const sums = await daySums(database, { netE4: 'net_e4' }, { capperId: id, ...filter }, days[0]!);
    let sumE4 = 0;
    return {
      days: days.map((day) => {
        const { netE4 } = sums.get(day) ?? { netE4: 0 };
        sumE4 += netE4;
        return { day, unitsNet: shownUnits(netE4), cumulative: shownUnits(sumE4) };
      }),
    };
  },
});
