import { Type } from '../../platform/type.ts';
import { board } from '../board.ts';
import { floor } from '../params.ts';
import {
  type Order,
  ranked,
  readStandings,
  rowsOf,
  standingParams,
  standingsBody,
  standingsTags,
} from './standings.ts';

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
    const standings = await readStandings(context, params);
    const enough = standings.filter(({ tally }) => tally.clvSample >= params.min_n);
    return { cappers: await rowsOf(context, ranked(enough, clvOrder).slice(0, params.limit), params) };
  },
});

export const clvOrder: Order = {
  // Exact. Tallies without a mean are equal; they are unranked, so they are not compared with others.
  by(a, b) {
    const gap = BigInt(b.clvSum) * BigInt(a.clvSample) - BigInt(a.clvSum) * BigInt(b.clvSample);
    return gap === 0n ? 0 : gap > 0n ? 1 : -1;
  },
  ties: (a, b) => b.clvSample - a.clvSample,
  isRanked: ({ clvSample }) => clvSample > 0,
};
