import { Type } from '../../platform/type.ts';
import type { Tally } from '../../rules/tally.ts';
import { settledCount } from '../../rules/tally.ts';
import { board } from '../board.ts';
import { floor } from '../params.ts';
import { ranked, readStandings, standingParams, standingsBody, standingsTags } from './standings.ts';

export const unitsLeaderboard = board({
  path: '/api/leaderboard/units',
  group: 'sharp',
  about: 'Cappers ranked by net units.',
  params: Type.Object({
    min_n: floor(10, 'Minimum sample: settled picks.'),
    ...standingParams,
  }),
  tags: standingsTags,
  ahead: [{}],
  body: standingsBody,
  collection: 'cappers',
  examples: [{}, { min_n: '1', window: '90d', sport: 'nfl', market: 'total' }],
  async compute(context, params) {
    const standings = await readStandings(context, params);
    const enough = standings.filter(({ tally }) => settledCount(tally) >= params.min_n);
    return ranked(enough, byNetUnits, params.limit);
  },
});

/** Orders by net units, then by return on stakes; without stakes last. */
export function byNetUnits(a: Tally, b: Tally): number {
  if (a.netE4 !== b.netE4) return b.netE4 - a.netE4;
  if (a.stakedE4 === 0 || b.stakedE4 === 0) return b.stakedE4 - a.stakedE4;
  // With equal net units, a smaller stake makes a gain worth more and a loss worth less.
  return Math.sign(a.netE4) * (a.stakedE4 - b.stakedE4);
}
