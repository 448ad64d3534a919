import { Type } from 'typebox';
import type { Tally } from '../../rules/tally.ts';
import { wilsonLowerBound } from '../../rules/wilson.ts';
import { board } from '../board.ts';
import { ranked, readStandings, standingParams, standingsBody, standingsTags } from './standings.ts';

export const leaderboard = board({
  path: '/api/leaderboard',
  group: 'sharp',
  about: 'Cappers by the Wilson 95 % lower bound of their hit rate, so that few picks do not lead.',
  params: Type.Object(standingParams),
  tags: standingsTags,
  ahead: [{}, { window: '7d' }, { window: '30d' }, { window: '90d' }],
  body: standingsBody,
  collection: 'cappers',
  examples: [{}, { window: '30d', sport: 'nfl', tier: 'elite', limit: '10' }],
  async compute(context, params) {
    return ranked(await readStandings(context, params), byHitRate, params.limit);
  },
});

/** By the exact bound, then by wins and losses; those without either last. */
export function byHitRate(a: Tally, b: Tally): number {
  const bound = ({ wins, losses }: Tally) => wilsonLowerBound(wins, losses) ?? -1;
  return bound(b) - bound(a) || b.wins + b.losses - (a.wins + a.losses);
}
