import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { monthTallies, windowTallies } from '../../projections/rollups.ts';
import { latestSettled, settledFields } from '../../projections/settled-picks.ts';
import { oddsBandOf, oddsBands, stakeBandOf, stakeBands } from '../../rules/bands.ts';
import { etDay, windowFirstDay } from '../../rules/et-day.ts';
import { counts } from '../../rules/price-check.ts';
import { recordOf, type SettledPick, tallyOf } from '../../rules/tally.ts';
import { optionalMarket, optionalSport, provenance, window } from '../params.ts';
import { recordSchema } from '../record.ts';
import { capperBoard } from './capper-board.ts';

/** Limits on the months shown and the settled picks read, which bound the cost of the board. */
const mostMonths = 24;
const mostPicks = 20_000;

const units = (description: string) => nullable(Type.Number({ description }));
const price = (description: string) => nullable(Type.Integer({ description }));

export const capperBreakdown = capperBoard({
  name: 'breakdown',
  about: "A capper's record in a window, by month, odds, and stake.",
  params: { window, sport: optionalSport, market: optionalMarket, provenance },
  body: Type.Object({
    record: recordSchema,
    months: Type.Array(
      Type.Object({ month: Type.String({ pattern: '^\\d{4}-\\d\\d$' }), ...recordSchema.properties }),
      { description: `ET months with settled picks, newest first; at most ${mostMonths}.` },
    ),
    odds: Type.Array(
      Type.Object({
        fromOdds: price('Inclusive; null if open-ended.'),
        toOdds: price('Inclusive; null if open-ended.'),
        ...recordSchema.properties,
      }),
      {
        description: `By odds, shortest first, over the latest ${mostPicks} settled picks.`,
      },
    ),
    stakes: Type.Array(
      Type.Object({
        fromUnits: units('Inclusive; null if open-ended.'),
        toUnits: units('Exclusive; null if open-ended.'),
        ...recordSchema.properties,
      }),
      { description: 'By stake, over the same picks.' },
    ),
    claimed: Type.Object(recordSchema.properties, {
      description:
        'Of the same picks, those that only the result in their imported row settled: no score confirms them.',
    }),
  }),
  examples: [{}, { window: '90d', sport: '{sport}', market: 'total', provenance: 'live' }],
  async compute({ database, now, capper: { id } }, { window, ...filter }) {
    const today = etDay(now);
    const of = { capperId: id, ...filter };
    const firstDay = windowFirstDay(window, today);
    const latest: Promise<(SettledPick & { postedAmerican: number; grader: string })[]> = latestSettled(
      database,
      { ...of, firstDay, limit: mostPicks },
    )
      .join('settlements as s', 's.pick_id', 'b.pick_id')
      .select({ ...settledFields, postedAmerican: 'b.odds_american', grader: 's.grader' });
    const [tallies, months, picks] = await Promise.all([
      windowTallies(database, [window], today, of),
      monthTallies(database, of, laterOf(firstDay, firstOfMonths(today))),
      latest,
    ]);
    const banded = <B extends object>(
      bands: readonly B[],
      bandOf: (pick: Awaited<typeof latest>[0]) => number,
    ) => {
      const picksOf = Map.groupBy(picks, bandOf);
      return bands.flatMap((band, index) => {
        const of = picksOf.get(index);
        return of === undefined ? [] : [{ ...band, ...recordOf(tallyOf(of)) }];
      });
    };
    return {
      record: recordOf(tallies[window]),
      months: months.map(({ month, ...tally }) => ({ month, ...recordOf(tally) })),
      // An unseen pick counts at no odds.
      odds: banded(oddsBands, ({ priceVerdict, oddsAmerican, postedAmerican }) =>
        oddsBandOf(counts(priceVerdict) ? oddsAmerican : postedAmerican),
      ),
      stakes: banded(stakeBands, ({ stakeE4 }) => stakeBandOf(stakeE4)),
      claimed: recordOf(tallyOf(picks.filter(({ grader }) => grader === 'claim'))),
    };
  },
});

const laterOf = (one: string | null, other: string) => (one === null || one < other ? other : one);

function firstOfMonths(today: string): string {
  const [year = 0, month = 0] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - mostMonths, 1)).toISOString().slice(0, 10);
}
