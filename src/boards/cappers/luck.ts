import type { Static } from 'typebox';
import { iso } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type DecidedPick, decidedPicks } from '../../projections/settled-picks.ts';
import { tags } from '../../projections/tags.ts';
import { oddsBandOf, oddsBands } from '../../rules/calibration.ts';
import { type Chance, chanceOf, maxSimulated, simulations } from '../../rules/chance.ts';
import { deepestDrawdown } from '../../rules/drawdown.ts';
import { daysUpTo, etDay, etDayStart, windowFirstDay } from '../../rules/et-day.ts';
import { shownUnits } from '../../rules/fixed-point.ts';
import { longestLosingRun, losingRuns } from '../../rules/losing-run.ts';
import { breakEvenOf } from '../../rules/odds.ts';
import { shownFloat } from '../../rules/rounding.ts';
import { board } from '../board.ts';
import { count, handle, optionalMarket, optionalSport, provenance, window } from '../params.ts';
import { knownCapper } from '../subjects.ts';

/** The figures are of so many picks at most, the latest ones: what the board costs has a limit. */
const maxPicks = 10_000;

const instant = nullable(Type.String({ format: 'date-time' }));
const percent = Type.Number({ minimum: 0, maximum: 100 });

const body = Type.Object({
  decided: Type.Integer({
    description: `Wins and losses that the figures are of: all, or the latest ${maxPicks} where there are more.`,
  }),
  method: Type.Union([Type.Literal('simulated'), Type.Literal('normal')], {
    description: `\`simulated\`: ${simulations} records of the same picks, each of which wins as often as its price breaks even. \`normal\`: of more than ${maxSimulated} picks, by the normal distribution with its skewness.`,
  }),
  units: Type.Object({
    net: Type.Number(),
    low: Type.Number({ description: '95 % of records without skill end from here…' }),
    high: Type.Number({ description: '…to here.' }),
    asHighPct: { ...percent, description: 'How many of them end as high or higher.' },
  }),
  losingRun: Type.Object({
    length: Type.Integer({ description: 'The longest run of losses; pushes and voids slide through.' }),
    from: { ...instant, description: 'When its first pick settled; null without a loss.' },
    to: { ...instant, description: 'When its last pick settled.' },
    asLongPct: {
      ...percent,
      description: 'How many records without skill have a run as long or longer; exact.',
    },
    median: Type.Integer({ description: 'Half of them have no longer run than this.' }),
    high: Type.Integer({ description: '95 % of them have no longer run than this.' }),
  }),
  drawdown: Type.Object({
    units: Type.Number({ description: 'The deepest fall of net units, from pick to pick.' }),
    from: { ...instant, description: 'When the first pick of it settled; null where units never fell.' },
    to: { ...instant, description: 'When the lowest point was reached.' },
    asDeepPct: { ...percent, description: 'How many records without skill fall as deep or deeper.' },
    median: Type.Number({ description: 'Half of them fall no deeper than this.' }),
    high: Type.Number({ description: '95 % of them fall no deeper than this.' }),
  }),
  calibration: Type.Array(
    Type.Object({
      fromOdds: nullable(Type.Integer({ description: 'Included; null for the open end.' })),
      toOdds: nullable(Type.Integer({ description: 'Included; null for the open end.' })),
      wins: Type.Integer(),
      losses: Type.Integer(),
      expectedWins: Type.Number({ description: 'The sum of the break-evens of its prices.' }),
      breakEvenPct: percent,
    }),
    { description: 'By price, from short to long, where there are picks.' },
  ),
  days: Type.Array(
    Type.Object({
      day: Type.String({ format: 'date' }),
      low: Type.Number(),
      high: Type.Number(),
    }),
    {
      description:
        'Between which net units 95 % of records without skill are on each ET day, from 0 before the first.',
    },
  ),
});

export const capperLuck = board({
  path: '/api/cappers/:handle/luck',
  group: 'cappers',
  about:
    "How much of a capper's record chance explains: net units, the longest losing run and the deepest fall beside those of records without skill at the same prices.",
  params: Type.Object({
    handle,
    window,
    sport: optionalSport,
    market: optionalMarket,
    provenance,
    days: count(30, 90, 'How many days have a band, today included.'),
  }),
  tags: (params) => [tags.capper(params.handle)],
  body,
  collection: 'days',
  examples: [
    { handle: '{handle}' },
    { handle: '{handle}', days: '7' },
    { handle: '{handle}', window: '90d', sport: '{sport}', market: 'total', provenance: 'live' },
  ],
  async compute({ database, now }, params): Promise<Static<typeof body>> {
    const { id } = await knownCapper(database, params.handle);
    const today = etDay(now);
    const firstDay = windowFirstDay(params.window, today);
    const picks = await decidedPicks(database, { ...params, capperId: id, firstDay, limit: maxPicks });
    const days = daysUpTo(today, params.days);
    // From the end: the days are the last ones.
    const settledBefore = (day: string) => {
      const start = etDayStart(day);
      return 1 + picks.findLastIndex(({ settledAt }) => settledAt < start);
    };
    const ends = [...days.slice(1).map(settledBefore), picks.length];
    const chance = chanceOf(picks, ends, settledBefore(days[0]!));
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

function unitsOf(picks: readonly DecidedPick[], chance: Chance): Static<typeof body>['units'] {
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

function drawdownOf(picks: readonly DecidedPick[], chance: Chance): Static<typeof body>['drawdown'] {
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
  const sums = oddsBands.map((band) => ({ ...band, wins: 0, losses: 0, expected: 0 }));
  for (const { oddsAmerican, won } of picks) {
    const sum = sums[oddsBandOf(oddsAmerican)]!;
    sum[won ? 'wins' : 'losses'] += 1;
    sum.expected += breakEvenOf(oddsAmerican);
  }
  return sums
    .filter(({ wins, losses }) => wins + losses > 0)
    .map(({ expected, ...band }) => ({
      ...band,
      expectedWins: shownFloat(expected, 1),
      breakEvenPct: shownFloat((100 * expected) / (band.wins + band.losses), 2),
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
