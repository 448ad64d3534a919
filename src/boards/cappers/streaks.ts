import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { count } from '../params.ts';
import { hotStreak, hotStreaks, minHotStreak } from './hot-streaks.ts';
import { hotStreaksRss } from './hot-streaks-rss.ts';

export const streaks = board({
  path: '/api/cappers/streaks',
  group: 'sharp',
  about: 'Winning streaks of cappers with a pick settled in the last 30 days, longest first.',
  params: Type.Object({
    min: count(minHotStreak, 1000, 'Shortest streak that counts.'),
    limit: count(25, 100, 'Most streaks in the answer.'),
  }),
  tags: () => [tags.settled, tags.world],
  ahead: [{}],
  body: Type.Object({ streaks: Type.Array(hotStreak) }),
  collection: 'streaks',
  formats: [hotStreaksRss],
  examples: [{}, { min: '1', limit: '100' }],
  async compute(context, params) {
    return { streaks: await hotStreaks(context, params) };
  },
});
