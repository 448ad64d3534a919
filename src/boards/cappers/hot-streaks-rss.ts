import { tierName, utcText } from '../formats/pick-facts.ts';
import { paragraphs } from '../formats/pick-item.ts';
import { rssFormat } from '../formats/rss-format.ts';
import { type HotStreak, minHotStreak } from './hot-streaks.ts';

/** `/sharp/hot-streaks.rss`: winning streaks. The guid contains the length, so that a longer streak is a new item. */
export const hotStreaksRss = rssFormat<{ streaks: readonly HotStreak[] }>({
  path: '/sharp/hot-streaks.rss',
  title: () => 'Winning streaks',
  about: () => 'Cappers on a winning streak, with a new item each time a streak gets longer.',
  page: () => '/sharp',
  usual: { min: minHotStreak, limit: 25 },
  items: ({ streaks }, { baseUrl }) =>
    streaks.map(({ handle, tier, length, since, lastSettledAt, sports }) => ({
      title: `${handle} has won ${length} in a row`,
      link: `${baseUrl}/c/${encodeURIComponent(handle)}`,
      guid: `${handle}-${length}`,
      description: paragraphs([
        `${handle} (${tierName(tier)}) has won ${length} in a row. Pushes and voids do not count.`,
        `First win ${utcText(since)}, latest ${utcText(lastSettledAt)}, in ${sports.join(', ').toUpperCase()}.`,
      ]),
      categories: sports,
      creators: [handle],
      publishedAt: Date.parse(lastSettledAt),
      changedAt: Date.parse(lastSettledAt),
    })),
});
