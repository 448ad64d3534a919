import { Type } from '../../platform/type.ts';
import { byExcess } from '../../rules/against-price.ts';
import { board } from '../board.ts';
import { ranked, readStandings, standingParams, standingsBody, standingsTags } from './standings.ts';

export const leaderboard = board({
  path: '/api/leaderboard',
  group: 'sharp',
  about:
    'Cappers by how far their hit rate beats the break-even of the prices taken: by the lower end of its 95 % interval, so that few picks do not lead.',
  params: Type.Object(standingParams),
  tags: standingsTags,
  ahead: [{}, { window: '7d' }, { window: '30d' }, { window: '90d' }],
  body: standingsBody,
  collection: 'cappers',
  examples: [{}, { window: '30d', sport: 'nfl', tier: 'elite', limit: '10' }, { market: 'total' }],
  async compute(context, params) {
    return ranked(await readStandings(context, params), byExcess, params.limit);
  },
});
