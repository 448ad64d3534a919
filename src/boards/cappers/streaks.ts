import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { chanceText } from '../../rules/chance.ts';
import { board } from '../board.ts';
import { paragraphs, sportTag, standing, utcText } from '../formats/pick-text.ts';
import { rssFormat } from '../formats/rss-format.ts';
import { count } from '../params.ts';
import { type HotStreak, hotStreak, hotStreaks, minHotStreak } from './hot-streaks.ts';

/** `/sharp/hot-streaks.rss`: winning streaks. The guid contains the length, so that a longer streak is a new item. */
export const hotStreaksRss = rssFormat<{ streaks: readonly HotStreak[] }>({
  path: '/sharp/hot-streaks.rss',
  title: () => 'Winning streaks',
  about: () => 'Cappers on a winning streak, with a new item each time a streak gets longer.',
  page: () => '/sharp',
  usual: { min: minHotStreak, limit: 25 },
  items: ({ streaks }, { baseUrl }) =>
    streaks.map(({ handle, tier, verified, length, since, lastSettledAt, sports, chancePct, verdict }) => ({
      title: `${handle} has won ${length} in a row`,
      link: `${baseUrl}/c/${encodeURIComponent(handle)}`,
      guid: `${handle}-${length}`,
      description: paragraphs([
        `${handle} (${standing({ tier, verified })}) has won ${length} in a row. Pushes and voids do not count.`,
        `${chanceText(chancePct)} at the same odds.`,
        verdict.sentence,
        `First win ${utcText(since)}, latest ${utcText(lastSettledAt)}, in ${sports.map(sportTag).join(', ')}.`,
      ]),
      categories: sports,
      creators: [handle],
      publishedAt: Date.parse(lastSettledAt),
      changedAt: Date.parse(lastSettledAt),
    })),
});

export const streaks = board({
  path: '/api/cappers/streaks',
  group: 'sharp',
  about: 'Winning streaks of cappers with a pick settled in the last 30 days, longest first.',
  params: Type.Object({
    min: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: minHotStreak,
      description: 'Minimum length of a streak.',
    }),
    limit: count(25, 100, 'Maximum number of streaks.'),
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
