import { Type } from '../../platform/type.ts';
import type { Tally } from '../../rules/tally.ts';
import { rankedYield } from '../../rules/yield.ts';
import { board } from '../board.ts';
import { optionalDelay } from '../params.ts';
import type { Order } from './places.ts';
import { firstOf, rowsOf, standingParams, standingsBody, standingsTags } from './standings.ts';

export const leaderboard = board({
  path: '/api/leaderboard',
  group: 'sharp',
  about:
    'Cappers ranked by yield as believed by someone who knows that real edges are small, at the low end of the 95% interval, so neither a few lucky picks nor long shots lead.',
  params: Type.Object({ ...standingParams, delay: optionalDelay }),
  tags: standingsTags,
  ahead: [{}, { window: '7d' }, { window: '30d' }, { window: '90d' }],
  body: standingsBody,
  collection: 'cappers',
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
