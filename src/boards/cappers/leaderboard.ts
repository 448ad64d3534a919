import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { withOnePick } from '../../projections/settled-picks.ts';
import { etDay, windowFirstDay } from '../../rules/et-day.ts';
import { settledCount, type Tally } from '../../rules/tally.ts';
import { rankedYield } from '../../rules/yield.ts';
import { board } from '../board.ts';
import { floor, optionalDelay } from '../params.ts';
import type { Order } from './places.ts';
import { firstOf, rowsOf, standing, standingParams, standings } from './standings.ts';

export const leaderboard = board({
  ...standings,
  path: '/api/leaderboard',
  about:
    'Cappers ranked by yield as believed by someone who knows that real edges are small, at the low end of the 95% interval, so neither a few lucky picks nor long shots lead.',
  params: Type.Object({ ...standingParams, delay: optionalDelay }),
  ahead: [{}, { window: '7d' }, { window: '30d' }, { window: '90d' }],
  examples: [
    {},
    { window: '30d', sport: 'nfl', tier: 'elite', limit: '10' },
    { market: 'total' },
    { delay: '15' },
  ],
  async compute(context, params) {
    const isLong = params.window === 'all' || params.window === '90d';
    // Keeps a few lucky picks from leading a long window.
    const first = await firstOf(context, byYield, params, { ranked: isLong ? 20 : 0 });
    return { cappers: await rowsOf(context, first, params) };
  },
});

export const byYield: Order = {
  name: 'yield',
  sums: ['halves', 'flatE6', 'flatVarianceE6'],
  // The lower end of the shrunk yield, in hundred-millionths, so that the last bits of floats decide no rank.
  score: (tally) => Math.round(1e8 * rankedYield(tally)),
  tie: decided,
  sample: decided,
};

function decided({ wins, losses }: Tally): number {
  return wins + losses;
}

export const clvLeaderboard = board({
  ...standings,
  path: '/api/leaderboard/clv',
  about: 'Cappers ranked by average closing line value.',
  params: Type.Object({
    min_n: floor(25, 'Minimum sample: settled picks that closed at the line taken.'),
    ...standingParams,
  }),
  examples: [{}, { min_n: '1', window: '90d', sport: 'nfl', market: 'total' }],
  async compute(context, params) {
    const first = await firstOf(context, byClv, params, { shown: params.min_n, ranked: 1 });
    return { cappers: await rowsOf(context, first, params) };
  },
});

export const byClv: Order = {
  name: 'clv',
  sums: ['clvSum', 'clvSample'],
  // Equal means are equal floats, and others differ by more than a float's last bit with fewer than a million picks.
  score: ({ clvSum, clvSample }) => (clvSample === 0 ? -Infinity : clvSum / clvSample),
  tie: ({ clvSample }) => clvSample,
  sample: ({ clvSample }) => clvSample,
};

export const unitsLeaderboard = board({
  ...standings,
  path: '/api/leaderboard/units',
  about: 'Cappers ranked by net units.',
  params: Type.Object({
    min_n: floor(10, 'Minimum sample: settled picks.'),
    ...standingParams,
  }),
  body: Type.Object({
    cappers: Type.Array(
      Type.Object({
        ...standing.properties,
        onePick: Field.flag('Whether the lead over the next capper is at most what the best pick won.'),
      }),
    ),
  }),
  examples: [{}, { min_n: '1', window: '90d', sport: 'nfl', market: 'total' }],
  async compute(context, params) {
    // One more than shown, for the last one's lead.
    const inOrder = await firstOf(
      context,
      byUnits,
      { ...params, limit: params.limit + 1 },
      { shown: params.min_n },
    );
    const shown = inOrder.slice(0, params.limit);
    const leads = shown.flatMap(({ id, score }, at): [number, number][] => {
      const next = inOrder[at + 1];
      return next === undefined || score === next.score ? [] : [[id, score - next.score]];
    });
    const [rows, ofOnePick] = await Promise.all([
      rowsOf(context, shown, params),
      withOnePick(context.database, new Map(leads), {
        ...params,
        firstDay: windowFirstDay(params.window, etDay(context.now)),
      }),
    ]);
    return { cappers: rows.map((row, at) => ({ ...row, onePick: ofOnePick.has(shown[at]!.id) })) };
  },
});

export const byUnits: Order = {
  name: 'units',
  sums: ['netE4', 'stakedE4'],
  score: ({ netE4 }) => netE4,
  // By return on stakes; without stakes last. With equal net units, a smaller stake makes a gain worth more and a loss worth less.
  tie: ({ netE4, stakedE4 }) => (netE4 === 0 ? Math.sign(stakedE4) : -Math.sign(netE4) * stakedE4),
  sample: settledCount,
};
