import { Type } from '../../platform/type.ts';
import type { Tally } from '../../rules/tally.ts';
import { board } from '../board.ts';
import { floor } from '../params.ts';
import { ranked, readStandings, standingParams, standingsBody, standingsTags } from './standings.ts';

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
    return ranked(enough, byMeanClv, params.limit, ({ clvSample }) => clvSample > 0);
  },
});

/** Orders by exact mean, then by larger sample. Tallies without a mean are equal, and must not be compared with others. */
export function byMeanClv(a: Tally, b: Tally): number {
  const gap = BigInt(b.clvSum) * BigInt(a.clvSample) - BigInt(a.clvSum) * BigInt(b.clvSample);
  if (gap !== 0n) return gap > 0n ? 1 : -1;
  return b.clvSample - a.clvSample;
}
