import type { Static } from 'typebox';
import { iso } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { type DecidedPick, decidedPicks } from '../../projections/settled-picks.ts';
import { oddsBandOf, oddsBands } from '../../rules/bands.ts';
import { daysUpTo, etDay, etDayStart, windowFirstDay } from '../../rules/et-day.ts';
import { shownUnits } from '../../rules/fixed-point.ts';
import { deepestDrawdown, type Luck, luckOf, maxSimulated, simulations } from '../../rules/luck.ts';
import { breakEvenOf } from '../../rules/odds.ts';
import { shownFloat } from '../../rules/rounding.ts';
import { longestLosingRun, losingRuns } from '../../rules/streaks.ts';
import { count, optionalMarket, optionalSport, provenance, window } from '../params.ts';
import { capperBoard } from './capper-board.ts';

/** The number of latest picks that the figures cover, which bounds the cost of the board. */
const maxPicks = 10_000;

const instant = Field.orNull.instant();
const percent = Type.Number({ minimum: 0, maximum: 100 });

const body = Type.Object({
  decided: Field.integer(`Number of wins and losses used, at most the latest ${maxPicks}.`),
  method: Type.Union([Type.Literal('simulated'), Type.Literal('normal')], {
    description: `\`simulated\`: ${simulations} simulated records of the same picks, each winning as often as its odds need to break even. \`normal\`: the normal distribution with its skewness, for more than ${maxSimulated} picks.`,
  }),
  units: Type.Object({
    net: Field.number(),
    low: Field.number('Low end of the range of 95% of simulated records.'),
    high: Field.number('High end of that range.'),
    asHighPct: { ...percent, description: 'Share of simulated records that end as high or higher.' },
  }),
  losingRun: Type.Object({
    length: Field.integer('The longest losing streak. Pushes and voids do not count or end it.'),
    from: { ...instant, description: 'When its first pick settled; null without a loss.' },
    to: { ...instant, description: 'When the last pick of the streak settled.' },
    asLongPct: {
      ...percent,
      description: 'Probability of a losing streak as long or longer by chance; exact.',
    },
    median: Field.integer('Median longest losing streak by chance.'),
    high: Field.integer('In 95% of records without skill, the longest losing streak is at most this long.'),
  }),
  drawdown: Type.Object({
    units: Field.number('The largest drawdown of net units.'),
    from: { ...instant, description: 'When the drawdown began; null if there is none.' },
    to: { ...instant, description: 'When it reached its lowest point.' },
    asDeepPct: {
      ...percent,
      description: 'Share of records without skill with a drawdown as large or larger.',
    },
    median: Field.number('Median largest drawdown by chance.'),
    high: Field.number('95% of records without skill have no larger drawdown.'),
  }),
  calibration: Type.Array(
    Type.Object({
      fromOdds: Field.orNull.integer('Inclusive; null if open-ended.'),
      toOdds: Field.orNull.integer('Inclusive; null if open-ended.'),
      wins: Field.integer(),
      losses: Field.integer(),
      weightedWins: Field.number('Wins, of which half results count one half.'),
      expectedWins: Field.number(
        'Wins expected from the odds: the sum of the break-even probabilities, of half results one half.',
      ),
      breakEvenPct: percent,
    }),
    { description: 'By odds, shortest first; only ranges with picks.' },
  ),
  days: Type.Array(
    Type.Object({
      day: Field.day(),
      low: Field.number(),
      high: Field.number(),
    }),
    {
      description: 'Range of net units of 95% of records without skill per ET day, starting at 0.',
    },
  ),
});

export const capperLuck = capperBoard({
  name: 'luck',
  about:
    "How much of a capper's record luck can explain: net units, longest losing streak, and largest drawdown, compared with records without skill at the same odds.",
  params: {
    window,
    sport: optionalSport,
    market: optionalMarket,
    provenance,
    days: count(30, 90, 'Number of days with a band, including today.'),
  },
  body,
  collection: 'days',
  examples: [{}, { days: '7' }, { window: '90d', sport: '{sport}', market: 'total', provenance: 'live' }],
  async compute({ database, now, capper: { id } }, params): Promise<Static<typeof body>> {
    const today = etDay(now);
    const firstDay = windowFirstDay(params.window, today);
    const picks = await decidedPicks(database, { ...params, capperId: id, firstDay, limit: maxPicks });
    const days = daysUpTo(today, params.days);
    // Counted from the end, because the days are the last ones.
    const settledBefore = (day: string) => {
      const start = etDayStart(day);
      return 1 + picks.findLastIndex(({ settledAt }) => settledAt < start);
    };
    const ends = [...days.slice(1).map(settledBefore), picks.length];
    const chance = luckOf(picks, ends, settledBefore(days[0]!));
    return {
      decided: picks.length,
      method: picks.length <= maxSimulated ? 'simulated' : 'normal',
      units: unitsOf(picks, chance),
      losingRun: losingRunOf(picks),
      drawdown: drawdownOf(picks, chance),
      calibration: calibrationOf(picks),
      days: days.map((day, index) => ({ day, ...shownBand(chance.bands[index]!) })),
    };
  },
});

function unitsOf(picks: readonly DecidedPick[], chance: Luck): Static<typeof body>['units'] {
  const netE4 = picks.reduce((sum, pick) => sum + pick.netE4, 0);
  return {
    net: shownUnits(netE4),
    ...shownBand(chance.whole),
    asHighPct: shownPercent(chance.endsAsHigh(netE4)),
  };
}

function losingRunOf(picks: readonly DecidedPick[]): Static<typeof body>['losingRun'] {
  const run = longestLosingRun(picks);
  const chance = losingRuns(picks.map(({ oddsAmerican }) => oddsAmerican));
  return {
    length: run?.length ?? 0,
    ...spanOf(picks, run),
    asLongPct: run === undefined ? 100 : shownPercent(chance.asLong(run.length)),
    median: chance.exceededBy(0.5),
    high: chance.exceededBy(0.05),
  };
}

function drawdownOf(picks: readonly DecidedPick[], chance: Luck): Static<typeof body>['drawdown'] {
  const drawdown = deepestDrawdown(picks.map(({ netE4 }) => netE4));
  const fallE4 = drawdown?.fallE4 ?? 0;
  return {
    units: shownUnits(fallE4),
    ...spanOf(picks, drawdown),
    asDeepPct: shownPercent(chance.fallsAsDeep(fallE4)),
    median: shownUnits(Math.round(chance.fallMedian)),
    high: shownUnits(Math.round(chance.fallHigh)),
  };
}

function calibrationOf(picks: readonly DecidedPick[]): Static<typeof body>['calibration'] {
  const sums = oddsBands.map((band) => ({ ...band, wins: 0, losses: 0, won: 0, expected: 0, weight: 0 }));
  for (const { oddsAmerican, won, half } of picks) {
    const sum = sums[oddsBandOf(oddsAmerican)]!;
    const weight = half ? 0.5 : 1;
    sum[won ? 'wins' : 'losses'] += 1;
    sum.won += won ? weight : 0;
    sum.expected += weight * breakEvenOf(oddsAmerican);
    sum.weight += weight;
  }
  return sums
    .filter(({ weight }) => weight > 0)
    .map(({ won, expected, weight, ...band }) => ({
      ...band,
      weightedWins: won,
      expectedWins: shownFloat(expected, 1),
      breakEvenPct: shownFloat((100 * expected) / weight, 2),
    }));
}

function spanOf(picks: readonly DecidedPick[], span: { from: number; to: number } | undefined) {
  const at = (index: number | undefined) => (index === undefined ? null : iso(picks[index]!.settledAt));
  return { from: at(span?.from), to: at(span?.to) };
}

function shownBand({ low, high }: { low: number; high: number }) {
  return { low: shownUnits(Math.round(low)), high: shownUnits(Math.round(high)) };
}

function shownPercent(share: number): number {
  return shownFloat(100 * share, 2);
}
