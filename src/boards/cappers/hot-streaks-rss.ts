import { tierName, utcText } from '../formats/pick-facts.ts';
import { paragraphs } from '../formats/pick-item.ts';
import { rssFormat } from '../formats/rss-format.ts';
import { type HotStreak, minHotStreak } from './hot-streaks.ts';

/** `/sharp/hot-streaks.rss`: winning streaks. A streak that grows is news, so the length is part of what names an item. */
export const hotStreaksRss = rssFormat<{ streaks: readonly HotStreak[] }>({
  path: '/sharp/hot-streaks.rss',
  title: () => 'Hot streaks',
  about: () => 'Cappers on a winning streak; an item for each length that a streak reaches.',
  page: () => '/sharp',
  usual: { min: minHotStreak, limit: 25 },
  items: ({ streaks }, { baseUrl }) =>
    streaks.map(({ handle, tier, length, since, lastSettledAt, sports }) => ({
      title: `${handle} has won ${length} in a row`,
      link: `${baseUrl}/c/${encodeURIComponent(handle)}`,
      guid: `${handle}-${length}`,
      description: paragraphs([
        `${handle} (${tierName(tier)}) has won ${length} in a row, pushes and voids aside.`,
        `Since ${utcText(since)}, last ${utcText(lastSettledAt)}, in ${sports.join(', ').toUpperCase()}.`,
      ]),
      categories: sports,
      creators: [handle],
      publishedAt: Date.parse(lastSettledAt),
      changedAt: Date.parse(lastSettledAt),
    })),
});
