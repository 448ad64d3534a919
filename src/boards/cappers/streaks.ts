import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { count, floor } from '../params.ts';
import { tags } from '../tags.ts';
import { hotStreak, hotStreaks } from './hot-streaks.ts';
import { hotStreaksRss } from './hot-streaks-rss.ts';

export const streaks = board({
  path: '/api/cappers/streaks',
  group: 'sharp',
  about: 'Winning streaks of cappers with a pick settled in the last 30 days, the longest first.',
  params: Type.Object({
    min: floor(3, 'Shortest streak that counts.'),
    limit: count(25, 100, 'Most streaks in the answer.'),
  }),
  lifetime: lifetimes.board,
  tags: () => [tags.settled, tags.world],
  ahead: [{}],
  body: Type.Object({ streaks: Type.Array(hotStreak) }),
  collection: 'streaks',
  formats: [hotStreaksRss],
  examples: [{}, { min: '1', limit: '100' }],
  async compute({ database, now }, { min, limit }) {
    return { streaks: await hotStreaks(database, { now, min, limit }) };
  },
});
