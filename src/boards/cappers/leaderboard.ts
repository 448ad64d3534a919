import { Type } from '../../platform/type.ts';
import { byExcess } from '../../rules/against-price.ts';
import { board } from '../board.ts';
import { optionalDelay } from '../params.ts';
import { ranked, readStandings, standingParams, standingsBody, standingsTags } from './standings.ts';

export const leaderboard = board({
  path: '/api/leaderboard',
  group: 'sharp',
  about:
    'Cappers ranked by how far their hit rate is above break-even, at the low end of the 95% interval, so a few lucky picks do not lead.',
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
    return ranked(
      await readStandings(context, params),
      byExcess,
      params.limit,
      // Keeps a few lucky picks from leading a long window.
      ({ wins, losses }) => !isLong || wins + losses >= 20,
    );
  },
});
