import { Type } from '../../platform/type.ts';
import { board } from '../board.ts';
import { floor } from '../params.ts';
import type { Order } from './places.ts';
import { firstOf, rowsOf, standingParams, standingsBody, standingsTags } from './standings.ts';

export const clvLeaderboard = board({
  path: '/api/leaderboard/clv',
  group: 'sharp',
  about: 'Cappers ranked by average closing line value.',
  params: Type.Object({
    min_n: floor(25, 'Minimum sample: settled picks that closed at the line taken.'),
    ...standingParams,
  }),
  tags: standingsTags,
  ahead: [{}],
  body: standingsBody,
  collection: 'cappers',
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
